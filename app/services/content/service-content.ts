export interface ServiceSection {
  title: string;
  content: string;
  points?: string[];
}

export interface ServiceQuestion {
  question: string;
  answer: string;
}

export interface ServiceContent {
  tagline: string;
  /** Two or three paragraphs, separated by a blank line. */
  fullDescription: string;
  /** What someone in a hurry should know, in three sentences. */
  summary: string[];
  /** Whom it suits, and who should keep the money. */
  fit: { content: string; yes: string[]; no: string[] };
  sections: ServiceSection[];
  questions: ServiceQuestion[];
}
