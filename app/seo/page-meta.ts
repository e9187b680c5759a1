import type { MetaDescriptor } from "react-router";
import { imageAddress } from "../config/image-address.ts";
import { type Matches, rootDataOf, siteOf } from "../config/use-site.ts";

interface PageDescription {
  title: string;
  description: string;
  /** Site-relative canonical URL, with `?page=` where a list has several pages. */
  path: string;
  article?: { publishedAt: string; changedAt: string; category: string };
}

/** The part of a route's `meta` arguments that is needed here. */
interface MetaArgs {
  matches: Matches;
}

/** The meta tags of a public page: title, description, canonical URL, Open Graph. */
export function pageMeta({ matches }: MetaArgs, page: PageDescription): MetaDescriptor[] {
  const { title, description, path, article } = page;
  const { site, version, settings } = rootDataOf(matches);
  const { siteUrl } = settings;
  const url = siteUrl + path;
  const uploaded = article ? null : site.firm.shareImage;
  const image =
    siteUrl +
    (uploaded
      ? imageAddress(uploaded.src, shareSize.width)
      : shareImagePath(path, article?.changedAt, version));
  return [
    { title },
    { name: "description", content: description },
    // Visible pages allow search results to show the share image in full size.
    { name: "robots", content: site.visible ? "max-image-preview:large" : "noindex" },
    { tagName: "link", rel: "canonical", href: url },
    { property: "og:site_name", content: site.firm.name },
    { property: "og:locale", content: "en_US" },
    { property: "og:type", content: article ? "article" : "website" },
    { property: "og:title", content: title },
    { property: "og:description", content: description },
    { property: "og:url", content: url },
    { property: "og:image", content: image },
    ...(uploaded ? [] : [{ property: "og:image:type", content: "image/png" }]),
    { property: "og:image:width", content: String(shareSize.width) },
    { property: "og:image:height", content: String(shareSize.height) },
    { property: "og:image:alt", content: uploaded?.alt || title },
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
  ];
}

/** The meta tags of a page that search engines shall not list. */
export function unlistedMeta({ matches }: MetaArgs, title: string): MetaDescriptor[] {
  return [
    { title: `${title} | ${siteOf(matches).firm.name}` },
    { name: "robots", content: "noindex" },
  ];
}

export interface ShareText {
  /** A post's category, or the section of the site. */
  label: string;
  headline: string;
}

/** In pixels, as social networks require. */
export const shareSize = { width: 1200, height: 630 } as const;

/**
 * Site-relative URL of a page's share image. It changes with the post and with the settings, because others cache the
 * image by its URL.
 * @param changedAt of a post, in ISO 8601
 * @param settingsVersion grows with each publication of settings; behind the point is the day
 */
export function shareImagePath(path: string, changedAt?: string, settingsVersion = 0): string {
  const [pathname = "/"] = path.split("?");
  const image = `/share${pathname === "/" ? "/home" : pathname}.png`;
  const version = (changedAt ? Date.parse(changedAt) : 0) + Math.floor(settingsVersion);
  return version > 0 ? `${image}?t=${version}` : image;
}
