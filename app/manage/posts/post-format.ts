// How posts are named and compared in their history and in conflicts.
import { keysOf } from "../../../supabase/functions/_shared/object-keys.ts";
import type { ServiceLink } from "../../config/use-site.ts";
import { isRelated } from "../../posts/post-content.ts";
import { readableText } from "../content/marked-blocks.ts";
import { sameJson } from "../content/merge-blocks.ts";
import { type Difference, type DocumentFormat, summarize } from "../versions/document-format.ts";
import type { Kind } from "./kinds.ts";
import { draftOf, labelsOf, type PostDraft } from "./post-schema.ts";

export function postFormat(
  kind: Kind,
  services: readonly ServiceLink[],
): DocumentFormat<PostDraft> {
  const labels = labelsOf(kind);

  function textOf(value: unknown, path: string): string {
    if (path === "content") return readableText(Array.isArray(value) ? value : []);
    if (Array.isArray(value)) {
      const related = services.filter((service) => isRelated(service, value));
      return related.map(({ title }) => title).join(", ");
    }
    return String(value ?? "");
  }

  return {
    read: (stored) => draftOf(stored),
    compare(before, after) {
      return keysOf(labels).flatMap((field): Difference[] => {
        if (sameJson(before[field], after[field])) return [];
        const [from, to] = [textOf(before[field], field), textOf(after[field], field)];
        const name = labels[field];
        if (from === to && field === "relatedServices") return [];
        if (from === to) {
          return [{ name, before: from, after: to, summary: "same words, other formats" }];
        }
        const summary = field === "imageUrl" ? (to ? "changed" : "removed") : summarize(from, to);
        return [{ name, before: from, after: to, summary }];
      });
    },
    nameOf: (path) => labels[path as keyof PostDraft] ?? path,
    textOf: (value, path) => textOf(value, path) || "Empty",
  };
}
