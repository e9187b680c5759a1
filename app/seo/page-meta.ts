import type { MetaDescriptor } from "react-router";
import { site } from "../config/site.ts";
import { type JsonLdNode, jsonLdScript } from "./json-ld.ts";
import { shareImagePath, shareSize } from "./share-address.ts";

export interface PageDescription {
  title: string;
  description: string;
  /** Site-relative address of the page, without hash; with the query that makes it a page of its own. */
  path: string;
  /** Of a post. */
  article?: { publishedAt: string; changedAt: string; category: string };
  /** What the page tells search engines in schema.org's words. @param siteUrl the public address */
  jsonLd?: (siteUrl: string) => JsonLdNode[];
}

/** The part of a route's `meta` arguments that this module reads. */
interface MetaArgs {
  matches: readonly ({ id: string; loaderData?: unknown } | undefined)[];
}

/** Everything the head of a public page says about it: title, description, canonical, sharing, JSON-LD. */
export function pageMeta({ matches }: MetaArgs, page: PageDescription): MetaDescriptor[] {
  const { title, description, path, article, jsonLd } = page;
  const siteUrl = siteUrlOf(matches);
  const url = siteUrl + path;
  const image = siteUrl + shareImagePath(path, article?.changedAt);
  return [
    { title },
    { name: "description", content: description },
    // Search may show the share image as large as it likes.
    { name: "robots", content: "max-image-preview:large" },
    { tagName: "link", rel: "canonical", href: url },
    { property: "og:site_name", content: site.brand },
    { property: "og:locale", content: "en_US" },
    { property: "og:type", content: article ? "article" : "website" },
    { property: "og:title", content: title },
    { property: "og:description", content: description },
    { property: "og:url", content: url },
    { property: "og:image", content: image },
    { property: "og:image:type", content: "image/png" },
    { property: "og:image:width", content: String(shareSize.width) },
    { property: "og:image:height", content: String(shareSize.height) },
    { property: "og:image:alt", content: `${title}, on a green hillside with a lit house` },
    ...(article
      ? [
          { property: "article:published_time", content: article.publishedAt },
          { property: "article:modified_time", content: article.changedAt },
          { property: "article:section", content: article.category },
        ]
      : []),
    { name: "twitter:card", content: "summary_large_image" },
    { name: "twitter:title", content: title },
    { name: "twitter:description", content: description },
    { name: "twitter:image", content: image },
    ...(jsonLd ? [jsonLdScript(jsonLd(siteUrl))] : []),
  ];
}

function siteUrlOf(matches: MetaArgs["matches"]): string {
  const settings = matches.find((match) => match?.id === "root")?.loaderData;
  return settings && typeof settings === "object" && "siteUrl" in settings
    ? String(settings.siteUrl)
    : "";
}
