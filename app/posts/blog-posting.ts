import type { BlogPosting } from "schema-dts";
import { publicImageAddress } from "../config/image-address.ts";
import { type About, adviserReference, businessReference } from "../seo/json-ld.ts";
import { shareImagePath } from "../seo/page-meta.ts";
import { excerptOf, isAdviser } from "./post-content.ts";
import type { Post } from "./posts.ts";

export function blogPosting(about: About, post: Post): BlogPosting {
  const { siteUrl } = about;
  const path = `/blog/${post.slug}`;
  const url = siteUrl + path;
  const image = publicImageAddress(post.image_url, siteUrl);
  return {
    "@type": "BlogPosting",
    "@id": url,
    url,
    mainEntityOfPage: url,
    headline: post.title,
    description: excerptOf(post),
    articleSection: post.category,
    datePublished: post.published_date,
    dateModified: post.updated_at,
    // Nothing but the name is known about an author who is not the adviser.
    author: isAdviser(about.site, post.author)
      ? adviserReference(about)
      : { "@type": "Person", name: post.author },
    publisher: businessReference(about),
    image: [...(image ? [image] : []), siteUrl + shareImagePath(path, post.updated_at)],
    inLanguage: "en-US",
  };
}
