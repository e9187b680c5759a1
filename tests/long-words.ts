// Settings in which every text is a word that is too long for a narrow line, made from the schema.
import { z } from "zod";
import { type SiteSettings, settingsSchema } from "../app/config/site-schema.ts";

export const longWord = "Hinterbliebenenversorgungsausgleichsplan";

type Schema = z.core.JSONSchema.BaseSchema;

export function longWordSettings(): SiteSettings {
  let count = 0;

  function fill(schema: Schema): unknown {
    // Images and colors are null.
    if (schema.anyOf) return null;
    if (schema.enum) return schema.default ?? schema.enum[0];
    if (schema.type === "object") {
      const entries = Object.entries(schema.properties ?? {});
      return Object.fromEntries(entries.map(([name, part]) => [name, fill(part as Schema)]));
    }
    if (schema.type === "array") {
      const items = schema.items as Schema;
      return items.enum ? [] : [fill(items), fill(items)];
    }
    return schema.type === "string" ? fillText(schema) : schema.default;
  }

  /** Numbers make the texts unique. */
  function fillText({ pattern = "", maxLength = 100, ...schema }: Schema): unknown {
    const rule = new RegExp(pattern);
    const number = String(++count);
    if (rule.test("two words")) return longWord.slice(0, maxLength - number.length) + number;
    const slug = longWord.toLowerCase() + number;
    const samples = [`${slug}@${slug}.example`, `https://${slug}.example/${slug}`, slug];
    return schema.default || (samples.find((sample) => rule.test(sample)) ?? "");
  }

  return settingsSchema.parse(fill(z.toJSONSchema(settingsSchema)));
}
