import { findContactErrors } from "../../supabase/functions/_shared/contact-message.ts";
import { siteOf, useSite } from "../config/use-site.ts";
import { type About, adviser, breadcrumbs, business } from "../seo/json-ld.ts";
import { pageMeta } from "../seo/page-meta.ts";
import { clientContext } from "../supabase/client-context.ts";
import { BackgroundLinks } from "../ui/external-link.tsx";
import { PageHeading } from "../ui/page-heading.tsx";
import { Portrait } from "../ui/portrait.tsx";
import type { Route } from "./+types/contact-page";
import { contactAction } from "./contact-action.ts";
import { ContactDetails } from "./contact-details.tsx";
import { ContactForm } from "./contact-form.tsx";

/** Handles a message that was posted without JavaScript. */
export async function action({ request, context }: Route.ActionArgs) {
  const client = context.get(clientContext);
  return contactAction(request, { client, page: "/contact", validate: findContactErrors });
}

export function meta({ matches }: Route.MetaArgs) {
  return pageMeta({ matches }, { ...siteOf(matches).pages.contact, path: "/contact" });
}

export function structuredData(about: About) {
  return [business(about), adviser(about), breadcrumbs(about, ["Contact", "/contact"])];
}

export default function ContactPage({ actionData }: Route.ComponentProps) {
  const { contact, adviser: person } = useSite();
  const { answerTime } = contact;
  const invitation = "Send a question, or ask for a consultation.";
  return (
    <div className="wrap section grid gap-12 lg:grid-cols-2 lg:gap-20">
      <div>
        <PageHeading
          title="Get in Touch"
          lead={answerTime ? `${invitation} ${answerTime}` : invitation}
        />
        {person.portrait && (
          <div className="mt-10 flex items-center gap-4">
            <Portrait portrait={person.portrait} className="size-20" />
            <p>
              <span className="block font-serif text-xl">{person.fullName}</span>
              {person.title && <span className="block text-muted">{person.title}</span>}
            </p>
          </div>
        )}
        <BackgroundLinks className="mt-4" />
        <div className="mt-10">
          <ContactDetails />
        </div>
      </div>
      <div data-screen className="rounded-lg border border-line bg-surface p-6 shadow-card sm:p-10">
        <ContactForm
          action="/contact"
          actionData={actionData}
          validate={findContactErrors}
          sent={{
            title: "Message Sent!",
            description: "Thanks for reaching out. I'll be in touch shortly.",
          }}
        />
      </div>
    </div>
  );
}
