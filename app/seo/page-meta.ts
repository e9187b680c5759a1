import type { MetaDescriptor } from "react-router";
import { site } from "../config/site.ts";

export interface PageDescription {
  title: string;
  description: string;
  /** Site-relative address of the page, without query and hash. */
  path: string;
  /** Site-relative or absolute address of a picture. */
  image?: string | null;
  type?: "website" | "article";
}

/** The part of a route's `meta` arguments that this module reads. */
interface MetaArgs {
  matches: readonly ({ id: string; loaderData?: unknown } | undefined)[];
}

/** Everything the head of a public page says about it: title, description, canonical, sharing. */
export function pageMeta({ matches }: MetaArgs, page: PageDescription): MetaDescriptor[] {
  const siteUrl = siteUrlOf(matches);
  const url = siteUrl + page.path;
  const image = page.image && new URL(page.image, siteUrl || "http://localhost").href;
  return [
    { title: page.title },
    { name: "description", content: page.description },
    { tagName: "link", rel: "canonical", href: url },
    { property: "og:site_name", content: site.brand },
    { property: "og:type", content: page.type ?? "website" },
    { property: "og:title", content: page.title },
    { property: "og:description", content: page.description },
    { property: "og:url", content: url },
    ...(image ? [{ property: "og:image", content: image }] : []),
    { name: "twitter:card", content: image ? "summary_large_image" : "summary" },
  ];
}

function siteUrlOf(matches: MetaArgs["matches"]): string {
  const settings = matches.find((match) => match?.id === "root")?.loaderData;
  return settings && typeof settings === "object" && "siteUrl" in settings
    ? String(settings.siteUrl)
    : "";
}
