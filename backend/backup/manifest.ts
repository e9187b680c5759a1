// The first entry of a backup: what is in it.
import { z } from "zod";
import { sequenceSchema, tableSchema } from "./tables.ts";

export const manifestSchema = z.object({
  format: z.literal("adviser-site backup 1"),
  /** ISO 8601. */
  madeAt: z.string(),
  /** Versions of the migrations that made the tables. */
  migrations: z.array(z.string()),
  tables: z.array(tableSchema),
  sequences: z.array(sequenceSchema),
  /** Names of the files that the database knows, by their random version. */
  pictures: z.number().int(),
});
export type Manifest = z.infer<typeof manifestSchema>;

export const entryNames = {
  manifest: "manifest.json",
  secrets: "secrets.json",
  /** The last one: an archive without it was cut off. */
  end: "end",
} as const;
