import { serviceCatalogue } from "../config/service-catalogue.ts";

export interface ServiceSection {
  title: string;
  content: string;
  points?: string[];
}

export interface ServiceContent {
  tagline: string;
  /** Two or three paragraphs, separated by a blank line. */
  fullDescription: string;
  /** Three sentences for readers in a hurry. */
  summary: string[];
  /** Who needs the service, and who does not. */
  fit: { content: string; yes: string[]; no: string[] };
  sections: ServiceSection[];
  questions: { question: string; answer: string }[];
}

export type Service = NonNullable<ReturnType<typeof findService>>;

const contents = import.meta.glob<ServiceContent>("./content/*.ts", {
  eager: true,
  import: "content",
});

/** A service with its full text. Only loaders call this: the browser receives the text of one service. */
export function findService(slug: string) {
  const entry = serviceCatalogue.find((candidate) => candidate.slug === slug);
  if (!entry) return null;
  const content = contents[`./content/${slug}.ts`];
  if (!content) throw new Error(`services/content/${slug}.ts is missing`);
  const { title, description } = entry;
  return { slug, title, description, ...content };
}
