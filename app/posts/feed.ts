// The newest posts for feed readers, each with its whole text.
import { site } from "../config/site.ts";
import { escapeXml as x } from "../seo/xml.ts";
import { parseBlocks } from "./blocks.ts";
import { blocksToHtml } from "./blocks-html.ts";
import { excerptOf } from "./excerpt.ts";
import type { Post } from "./posts.ts";

/** Older posts are on the site; a reader that asks every hour must not fetch them all. */
export const feedLength = 20;

const title = `${site.brand} Blog`;

/** RSS 2.0. */
export function writeRss(siteUrl: string, posts: readonly Post[]): string {
  return `<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom" xmlns:content="http://purl.org/rss/1.0/modules/content/" xmlns:dc="http://purl.org/dc/elements/1.1/">
<channel>
<title>${x(title)}</title>
<link>${x(siteUrl)}/blog</link>
<description>${x(site.tagline)}</description>
<language>en-us</language>
<lastBuildDate>${rfc822(newestChange(posts))}</lastBuildDate>
<atom:link href="${x(siteUrl)}/rss.xml" rel="self" type="application/rss+xml"/>
${posts.map((post) => rssItem(siteUrl, post)).join("\n")}
</channel>
</rss>`;
}

function rssItem(siteUrl: string, post: Post): string {
  return `<item>
<title>${x(post.title)}</title>
<link>${x(addressOf(siteUrl, post))}</link>
<guid isPermaLink="false">urn:uuid:${post.id}</guid>
<pubDate>${rfc822(post.published_date)}</pubDate>
<dc:creator>${x(post.author)}</dc:creator>
<category>${x(post.category)}</category>
<description>${x(excerptOf(post))}</description>
<content:encoded>${x(htmlOf(siteUrl, post))}</content:encoded>
</item>`;
}

/** Atom 1.0. */
export function writeAtom(siteUrl: string, posts: readonly Post[]): string {
  return `<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="en-US">
<id>${x(siteUrl)}/blog</id>
<title>${x(title)}</title>
<subtitle>${x(site.tagline)}</subtitle>
<updated>${newestChange(posts)}</updated>
<link rel="alternate" type="text/html" href="${x(siteUrl)}/blog"/>
<link rel="self" type="application/atom+xml" href="${x(siteUrl)}/atom.xml"/>
<author><name>${x(site.author)}</name></author>
${posts.map((post) => atomEntry(siteUrl, post)).join("\n")}
</feed>`;
}

function atomEntry(siteUrl: string, post: Post): string {
  return `<entry>
<id>urn:uuid:${post.id}</id>
<title>${x(post.title)}</title>
<link rel="alternate" type="text/html" href="${x(addressOf(siteUrl, post))}"/>
<published>${iso(post.published_date)}</published>
<updated>${iso(post.updated_at)}</updated>
<author><name>${x(post.author)}</name></author>
<category term="${x(post.category)}"/>
<summary>${x(excerptOf(post))}</summary>
<content type="html">${x(htmlOf(siteUrl, post))}</content>
</entry>`;
}

function addressOf(siteUrl: string, { slug }: Post): string {
  return `${siteUrl}/blog/${slug}`;
}

function htmlOf(siteUrl: string, { content, image_url, alt }: Post): string {
  const picture = image_url ? URL.parse(image_url, siteUrl) : null;
  const image = picture ? `<p><img src="${x(picture.href)}" alt="${x(alt)}"></p>\n` : "";
  return image + blocksToHtml(parseBlocks(content));
}

function newestChange(posts: readonly Post[]): string {
  return iso(Math.max(0, ...posts.map(({ updated_at }) => Date.parse(updated_at))));
}

function iso(time: string | number): string {
  return new Date(time).toISOString();
}

/** Such as "Sat, 21 Nov 2026 09:00:00 GMT". */
function rfc822(time: string): string {
  return new Date(time).toUTCString();
}
