// Drafts of the pages about the site itself, from what is switched on. Each sentence must be true of this software.
import { testimonialFields } from "../../../supabase/functions/_shared/testimonial-fields.ts";
import type { PageSettings } from "../../config/request-context.ts";
import { completeSettings, isPublicAddress } from "../../config/site.ts";
import { isSectionName, type SiteSettings, sectionSchemas } from "../../config/site-schema.ts";
import type { Client } from "../../supabase/client-context.ts";
import type { LegalPage } from "./templates.ts";

/** @returns the text of a draft, from the published settings. @throws the backend's error */
export async function draftFromSettings(client: Client, page: LegalPage, server: ServerFacts) {
  const rows = client.from("public_site_settings").select("section, document");
  const { data } = await rows.throwOnError();
  const sections = data.flatMap(({ section, document }) => {
    if (!isSectionName(section)) return [];
    const parsed = sectionSchemas[section].safeParse(document);
    return parsed.success ? [[section, parsed.data]] : [];
  });
  const isPublic = isPublicAddress(window.location.href);
  return writeDraft(page, completeSettings(Object.fromEntries(sections), true, isPublic), server);
}

/** A part without text is left out. */
export function writeDraft(page: LegalPage, settings: SiteSettings, server: ServerFacts): string {
  const parts = drafts[page](settings, server).split(/^# /m);
  return parts
    .flatMap((part) => {
      const [title, ...paragraphs] = part.split("\n").flatMap((line) => line.trim() || []);
      return paragraphs.length > 0 ? [`## ${title}`, ...paragraphs] : [];
    })
    .join("\n\n");
}

type ServerFacts = Pick<PageSettings, "sendsMail" | "turnstileSiteKey" | "supabaseUrl">;

const when = (isOn: boolean, text: string) => (isOn ? text : "");

const howToReach = ({ contact: { email, phone } }: SiteSettings) =>
  [email && `write to ${email}`, phone && `call ${phone}`].filter(Boolean).join(" or ") ||
  "use the form on the page Contact";
const showsCalculator = ({ pages: { hidden } }: SiteSettings) =>
  !hidden.includes("lifeInsuranceCalculator") || !hidden.includes("retirementCalculator");
const showsTestimonials = ({ pages }: SiteSettings) => !pages.hidden.includes("testimonials");
const testimonialTexts = Object.values(testimonialFields)
  .map(({ shortLabel, required }) => {
    return `your ${shortLabel.toLowerCase()}${required ? "" : " if you give one"}`;
  })
  .join(", ");

// A line is a paragraph.
const drafts: Record<LegalPage, (settings: SiteSettings, server: ServerFacts) => string> = {
  privacy: (settings, { sendsMail, turnstileSiteKey, supabaseUrl }) => `
# Who we are
${settings.firm.name} runs this website. This page, last changed on ${new Date().toLocaleDateString("en-US", { dateStyle: "long" })}, says what the site stores about visitors, for how long, and how to have it removed.
# Messages
When you send a message, the site stores your name, email address, message, the time, and your phone number if you give one. The people who manage the site read it to answer you, and may add notes. ${when(sendsMail, "A copy goes to us by email, through a mail service. The site cannot remove that copy.")}
The message stays until we delete it. 30 days after that, the site removes it from its database. A message that looks as if a robot sent it is kept apart, and removed after 30 days, unless we move it to the others.
# Calls and texts
${when(settings.disclosures.callConsent !== "", "When you agree to calls and texts, the site stores the words that you agreed to, the time, your name, email address and phone number. It keeps this record for at least five years, also when your message is deleted. You can withdraw your consent at any time; the site then stores when and how you did.")}
# Reviews
${when(showsTestimonials(settings), `When you leave a review, the site stores ${testimonialTexts}, the stars and the time. Visitors can read these ${settings.testimonials.approveFirst ? "once we have approved the review" : "at once"}. You can ask us to remove it at any time. When we send you a link to leave a review, the site stores the name and email address that we enter for it.`)}
${when(showsTestimonials(settings) && settings.testimonials.askConsent, `The site also stores whether you are a client, whether and what you were given for your review, and whether you are family or an employee of ours. Visitors can read these.${settings.testimonials.consent && " It stores your consent to the publication, word for word and with its time, and your email address if you give one. Visitors cannot read these."}`)}
# Visits
${when(settings.site.countVisits, "The site counts how often each page is shown, from which other websites visits come, and how often the calculators are used. It stores sums per day and nothing that identifies you.")}
# Your browser
The site sets no cookies and loads nothing from advertisers. It does not follow you to other sites, so the signal "do not track" changes nothing. What you type into a form stays in your browser, in this tab, until you send it or close the tab. ${when(showsCalculator(settings), "The site stores nothing of what you enter into a calculator.")}
Only the people who manage the site sign in. Their browsers keep the session.
# Protection against abuse
The site counts how many messages, reviews and searches come from a network address. It does not keep the address itself, only a code that is computed from it.
${when(turnstileSiteKey !== null, "When you start to fill in a contact form, your browser loads Turnstile, a check against automated messages by Cloudflare, which receives your network address and technical data about your browser.")}
# Where it is stored
${supabaseUrl ? `In a database at ${new URL(supabaseUrl).host}, to which your browser connects.` : "In the site's own database."} Backups may hold copies for some time after something was removed.
What was public, such as a review, is kept in an archive that visitors cannot read, for at least ${settings.site.archiveYears} years from the end of the year in which it left the site. ${when(showsTestimonials(settings), "The words and stars of a review that was not public stay as long when you ask us to remove it, without your name.")} While an examination or a lawsuit requires it, the site removes nothing.
# Your data
To learn what is stored about you, to correct it or to have it removed, ${howToReach(settings)}. If we must keep something, we tell you why and until when.
`,
  terms: (settings) => `
# About this site
${settings.firm.name} runs this website. It gives general information, which may be out of date or incomplete.
# No offer
Nothing on this site is an offer to sell insurance or securities. Only the contract that the insurer issues says what a policy covers, costs and guarantees. Guarantees depend on the claims-paying ability of the issuing insurer.
${when(settings.licenses.licenses.length > 0, settings.licenses.notOffered)}
# No advice
The texts do not know your situation and are not tax, legal or investment advice. Talk to us, and to your tax or legal adviser, before you decide.
# Savings Calculator
${when(showsCalculator(settings), "Results of calculators are hypothetical. They follow from what you enter and from the assumptions beside each result, and promise nothing.")}
# Reviews
${when(showsTestimonials(settings), "Reviews are the words of their authors. What one person experienced does not tell what another one will.")}
# Other sites
Links lead to sites that we do not run. We are not responsible for what they say or store.
`,
  accessibility: (settings) => `
# Our aim
Everyone should be able to use this site. We aim to meet the Web Content Accessibility Guidelines (WCAG) 2.2 at level AA.
# What you can expect
The pages are made to work with a keyboard, with a screen reader, and with text enlarged to 400%. Animations stop when your device asks for reduced motion. The pages and the contact form also work without JavaScript.
# What may not work
Texts, images and links that we add ourselves, and the sites that we link to, may have faults that we do not know of.
# Tell us
If something does not work for you, ${howToReach(settings)}. Say which page it was and what you tried. You can also ask us for the same information in another way.
`,
};
