import { Mail, MapPin, Phone } from "lucide";
import { useSite } from "../config/use-site.ts";
import { ExternalLink } from "../ui/external-link.tsx";
import { Icon } from "../ui/icon.ts";

const linkClass =
  "font-medium underline decoration-clay/60 underline-offset-4 hover:decoration-clay";

/** The adviser's address with a map search, phone and email, as far as they are given. */
export function ContactDetails() {
  const { addressLine, mapUrl, phone, phoneUrl, email } = useSite().contact;
  if (!addressLine && !phone && !email) return null;
  return (
    <address className="space-y-4 not-italic">
      {addressLine && (
        <p className="flex gap-3">
          <Icon drawing={MapPin} className="mt-1 size-5 shrink-0 text-clay" />
          <ExternalLink href={mapUrl} className={linkClass}>
            <span>{addressLine}</span>
            <span className="sr-only"> on a map</span>
          </ExternalLink>
        </p>
      )}
      {phone && (
        <p className="flex gap-3">
          <Icon drawing={Phone} className="mt-1 size-5 shrink-0 text-clay" />
          <a href={phoneUrl} className={linkClass}>
            {phone}
          </a>
        </p>
      )}
      {email && (
        <p className="flex gap-3">
          <Icon drawing={Mail} className="mt-1 size-5 shrink-0 text-clay" />
          <a href={`mailto:${email}`} className={linkClass}>
            {/* Breaks into lines after the @ and the dots first. */}
            {email.split(/(?<=[@.])/).map((part) => [part, <wbr key={part} />])}
          </a>
        </p>
      )}
    </address>
  );
}
