import { type ComponentType, type ReactNode, Suspense, useId } from "react";
import { Link } from "react-router";
import { useAuth } from "../auth/auth-provider.tsx";
import type { OwnerPartProps } from "../auth/owner-part.ts";
import { useSite } from "../config/use-site.ts";
import { ExternalLink } from "../ui/external-link.tsx";
import { Brand } from "./header.tsx";

const quickLinks = [
  { to: "/#services", label: "Services" },
  { to: "/#about", label: "About" },
  { to: "/#testimonials", label: "Testimonials" },
  { to: "/blog", label: "Blog" },
  { to: "/contact", label: "Contact" },
];

interface FooterProps {
  OwnerPart: ComponentType<OwnerPartProps>;
}

export function Footer({ OwnerPart }: FooterProps) {
  const { firm, contact, services, disclosures } = useSite();
  return (
    <footer className="on-deep bg-deep text-mist">
      <div className="wrap grid grid-cols-2 gap-x-6 gap-y-10 py-16 sm:gap-x-10 lg:grid-cols-[1.6fr_1fr_1.3fr_1fr]">
        <div className="max-sm:col-span-full">
          <Link to="/" className="inline-block text-cream">
            <Brand inverse />
          </Link>
          <p className="mt-4 max-w-xs text-sm">{firm.tagline}</p>
          <address className="mt-4 max-w-xs text-sm text-balance not-italic">
            {contact.addressLine}
            <br />
            <a href={contact.phoneUrl} className={linkClass}>
              {contact.phone}
            </a>
          </address>
        </div>
        <FooterList title="Quick links">
          {quickLinks.map(({ to, label }) => (
            <Link key={to} to={to} className={linkClass}>
              {label}
            </Link>
          ))}
        </FooterList>
        <FooterList title="Services">
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
      <div className="border-t border-mist/25">
        <div className="wrap flex flex-col gap-4 py-8 text-sm">
          {disclosures.footer.map((text) => (
            <p key={text} className="max-w-3xl">
              {text}
            </p>
          ))}
          <div className="flex flex-wrap items-center justify-between gap-4">
            <p>© 2025 {firm.name}. All rights reserved.</p>
            <SessionLink OwnerPart={OwnerPart} />
          </div>
        </div>
      </div>
    </footer>
  );
}

const linkClass =
  "inline-block py-1 text-sm text-mist underline-offset-4 hover:text-cream hover:underline";

function FooterList({ title, children }: { title: string; children: ReactNode[] }) {
  const id = useId();
  return (
    <div>
      <h2 id={id} className="font-serif text-lg text-cream">
        {title}
      </h2>
      <ul aria-labelledby={id} className="mt-3 space-y-1">
        {children.map((child, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the lists are fixed.
          <li key={index}>{child}</li>
        ))}
      </ul>
    </div>
  );
}

/** Login when signed out; the owner's link and Logout when signed in (section 2). */
function SessionLink({ OwnerPart }: FooterProps) {
  const { user, signOut } = useAuth();
  if (!user) {
    return (
      <Link to="/login" className={linkClass}>
        Admin Login
      </Link>
    );
  }
  return (
    <p className="flex flex-wrap items-center gap-6">
      <Suspense>
        <OwnerPart part="messages link" className={linkClass} />
      </Suspense>
      <button type="button" onClick={signOut} className={linkClass}>
        Logout
      </button>
    </p>
  );
}
