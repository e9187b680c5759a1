import { useSite } from "../config/use-site.ts";
import type { ContactActionData } from "./contact-action.ts";
import { ContactDetails } from "./contact-details.tsx";
import { ContactForm } from "./contact-form.tsx";

/** The contact section of the home page. Its form has the browser's checks only. */
export function ContactSection({ actionData }: { actionData: ContactActionData | undefined }) {
  const { home } = useSite();
  return (
    <section id="contact" data-screen className="section -mt-px border-y border-line bg-sand">
      <div className="wrap grid gap-12 lg:grid-cols-2 lg:gap-20">
        <div>
          <h2 className="text-3xl">{home.contactHeading}</h2>
          {home.contactLead && (
            <p className="mt-4 max-w-md text-lg text-balance whitespace-pre-line text-muted">
              {home.contactLead}
            </p>
          )}
          <div className="mt-8">
            <ContactDetails />
          </div>
        </div>
        <div className="rounded-lg border border-line bg-surface p-6 shadow-card sm:p-10">
          <ContactForm
            action="/?index"
            actionData={actionData}
            quoteServer
            sent={{
              title: "Message Sent! 🚀",
              description: "Thanks for reaching out! We'll be in touch soon.",
            }}
          />
        </div>
      </div>
    </section>
  );
}
