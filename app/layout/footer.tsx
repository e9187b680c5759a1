import { Children, type ReactNode, useId } from "react";
import { Link } from "react-router";
import { useAuth } from "../auth/auth-provider.tsx";
import { OwnerPart } from "../auth/owner-part.tsx";
import { useRootData, useSite } from "../config/use-site.ts";
import { ExternalLink } from "../ui/external-link.tsx";
import { Brand } from "./brand.tsx";

export function Footer() {
  const { firm, contact, quickLinks, services, licenseLines, disclosures, ownPages } = useSite();
  const year = useRootData()?.year;
  const isLong = services.length > 10;
  const pages = ownPages.filter(({ place }) => place === "footer");
  return (
    <footer className="on-deep bg-deep text-mist">
      <div className="wrap grid gap-10 py-16 lg:grid-cols-[1.6fr_3.3fr]">
        <div>
          <Link to="/" data-screen className="inline-block text-cream">
            <Brand inverse />
          </Link>
          {firm.tagline && <p className="mt-4 max-w-xs text-sm">{firm.tagline}</p>}
          {(contact.addressLine || contact.phone) && (
            <address className="mt-4 max-w-xs text-sm not-italic">
              <span>{contact.addressLine}</span>
              {contact.addressLine && contact.phone && <br />}
              {contact.phone && (
                <a href={contact.phoneUrl} className={linkClass}>
                  {contact.phone}
                </a>
              )}
            </address>
          )}
        </div>
        <div
          data-screen
          className="grid grid-cols-[repeat(auto-fit,minmax(7.5rem,1fr))] gap-x-6 gap-y-10 sm:gap-x-10"
        >
          <FooterList title="Quick links">
            {quickLinks.map(({ path, label }) => (
              <Link key={path} to={path} className={linkClass}>
                {label}
              </Link>
            ))}
          </FooterList>
          <FooterList
            title="Services"
            // On phones, the social profiles are below the quick links.
            className={isLong ? longClass : "max-sm:row-span-2"}
          >
            {services.map(({ slug, cardTitle }) => (
              <Link key={slug} to={`/services/${slug}`} className={linkClass}>
                {cardTitle}
              </Link>
            ))}
          </FooterList>
          <FooterList title="Follow">
            {contact.socials.map(({ name, url }) => (
              <ExternalLink key={name} href={url} className={linkClass}>
                {name}
              </ExternalLink>
            ))}
          </FooterList>
        </div>
      </div>
      <div className="border-t border-mist/25">
        {/* At the end of the page, a toast leaves Logout free. */}
        <div className="wrap flex flex-col gap-4 py-8 text-sm has-[button]:pb-32">
          {[...licenseLines, ...disclosures.footer.map((text) => [text])].map((line) => (
            <p key={JSON.stringify(line)} className="max-w-3xl whitespace-pre-line">
              {line.map((part) =>
                typeof part === "string" ? (
                  part
                ) : (
                  <ExternalLink key={part.text} href={part.link} className={registerClass}>
                    {part.text}
                  </ExternalLink>
                ),
              )}
            </p>
          ))}
          <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-4">
            <p>{`© ${year} ${firm.name}. All rights reserved.`}</p>
            {pages.length > 0 && (
              <ul aria-label="More pages" data-screen className="flex flex-wrap gap-x-6 sm:ml-auto">
                {pages.map(({ path, label }) => (
                  <li key={path}>
                    <Link to={path} className={linkClass}>
                      {label}
                    </Link>
                  </li>
                ))}
              </ul>
            )}
            <SessionLink />
          </div>
        </div>
      </div>
    </footer>
  );
}

const linkClass =
  "inline-block py-1 text-sm text-mist underline-offset-4 hover:text-cream hover:underline";

const registerClass = "underline underline-offset-4 hover:text-cream";

const longClass =
  "max-sm:order-last max-sm:col-span-full sm:col-span-2 [&_ul]:columns-2 [&_ul]:gap-x-6";

interface FooterListProps {
  title: string;
  className?: string;
  children: ReactNode[];
}

/** A column; none for an empty list. */
function FooterList({ title, className, children }: FooterListProps) {
  const id = useId();
  if (children.length === 0) return null;
  return (
    <div className={className}>
      <h2 id={id} className="font-serif text-lg text-cream">
        {title}
      </h2>
      <ul aria-labelledby={id} className="mt-3 space-y-1">
        {Children.map(children, (child) => (
          <li>{child}</li>
        ))}
      </ul>
    </div>
  );
}

/** Login when signed out; the owner's link and Logout when signed in. */
function SessionLink() {
  const { user, loading, signOut } = useAuth();
  if (!user) {
    return (
      <Link
        to="/login"
        data-screen
        className={`${linkClass} ${loading ? "session:invisible" : ""}`}
      >
        Admin Login
      </Link>
    );
  }
  return (
    <p data-screen className="flex flex-wrap items-center gap-6">
      <OwnerPart part="messages link" className={linkClass} />
      <button type="button" onClick={signOut} className={linkClass}>
        Logout
      </button>
    </p>
  );
}
