// The sentences that a site shows beside the boxes of its forms before it publishes others.
import { sectionSchemas } from "../app/config/site-schema.ts";

export const callSentence = sectionSchemas.disclosures.parse({}).callConsent;
export const publishSentence = sectionSchemas.testimonials.parse({}).consent;
