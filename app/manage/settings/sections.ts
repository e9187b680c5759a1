import { type SectionName, sectionNames } from "../../config/site-schema.ts";

/** A page that shows a section's settings. */
export interface PreviewPage {
  label: string;
  path: string;
  /** The id of the element that the preview scrolls to. */
  anchor?: string;
}

interface Section {
  title: string;
  /** What it holds, in one line. */
  summary: string;
  /** Empty for settings that no page shows. */
  pages: readonly PreviewPage[];
}

const home: PreviewPage = { label: "Home", path: "/" };
const footer: PreviewPage = { label: "Footer", path: "/contact", anchor: "end" };
const contact: PreviewPage = { label: "Contact", path: "/contact" };
const services: PreviewPage = { label: "Services", path: "/services" };
const testimonials: PreviewPage = { label: "Testimonials", path: "/testimonials" };
const blog: PreviewPage = { label: "Blog", path: "/blog" };
const calculators: PreviewPage = { label: "Calculators", path: "/savings-calculator" };

export const sections: Readonly<Record<SectionName, Section>> = {
  firm: {
    title: "Firm",
    summary: "Name, tagline, logo, icon, share image and colors.",
    pages: [home, footer],
  },
  adviser: {
    title: "Adviser",
    summary: "Your name, title, portrait and message.",
    pages: [{ ...home, label: "Your message", anchor: "about" }],
  },
  contact: {
    title: "Contact",
    summary: "Phone, email, address, scheduling page, social profiles and time zone.",
    pages: [contact, footer],
  },
  mail: {
    title: "Email",
    summary: "Who receives messages, and the sender. Never public.",
    pages: [],
  },
  licenses: {
    title: "Licenses",
    summary: "Licenses, NPN, states served and affiliation.",
    pages: [footer],
  },
  disclosures: {
    title: "Disclosures",
    summary: "Notices in the footer, beside content, at forms and in emails.",
    pages: [footer, testimonials, calculators, contact],
  },
  home: {
    title: "Home page",
    summary: "Headline, introduction, image, assurances, steps and headings.",
    pages: [home],
  },
  services: {
    title: "Services",
    summary: "What you offer: texts, icons and order.",
    pages: [services, { ...home, label: "Home", anchor: "services" }],
  },
  blog: { title: "Blog", summary: "Heading, introduction and authors.", pages: [blog] },
  testimonials: {
    title: "Testimonials",
    summary: "Introduction, sample reviews and approval.",
    pages: [testimonials],
  },
  site: { title: "Site", summary: "Search engines and visit counts.", pages: [] },
};

export function isSectionName(name: string | undefined): name is SectionName {
  return sectionNames.some((section) => section === name);
}
