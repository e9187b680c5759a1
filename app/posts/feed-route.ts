// The newest posts for feed readers, as RSS and Atom, each with its whole text.
// 2026-11-22: not the package `feed`. A '<' in a category or a control character in a title makes its XML
// invalid, readers take its plain Atom titles for HTML, and its RSS author needs an email address.
import { publicImageAddress } from "../config/image-address.ts";
import type { Site } from "../config/public-site.ts";
import { pageSettingsContext, siteContext } from "../config/request-context.ts";
import { escapeXml as x, xmlResponse } from "../seo/xml.ts";
import { clientContext } from "../supabase/client-context.ts";
import type { Route } from "./+types/feed-route";
import { blocksToHtml, parseBlocks } from "./blocks.tsx";
import { categoryPath } from "./categories.ts";
import { excerptOf, postDisclosures } from "./post-content.ts";
import { listPosts, type Post } from "./posts.ts";

/** How many posts a feed holds. Readers fetch it every hour, so it stays short. */
const feedLength = 20;

/** `/rss.xml` and `/atom.xml`. */
export async function loader({ context, pattern }: Route.LoaderArgs): Promise<Response> {
  const { site } = context.get(siteContext);
  if (site.closed.includes("/blog")) return new Response("Not found", { status: 404 });
  const newest = await listPosts(context.get(clientContext), 0, feedLength);
  const posts = newest.filter((post) => isTime(post.published_date) && isTime(post.updated_at));
  const { siteUrl } = context.get(pageSettingsContext);
  const entries = entriesOf(siteUrl, site, posts);
  return pattern.endsWith("rss.xml")
    ? xmlResponse(writeRss(siteUrl, site, entries), "application/rss+xml")
    : xmlResponse(writeAtom(siteUrl, site, entries), "application/atom+xml");
}

function writeRss(siteUrl: string, { firm }: Site, posts: Entries): string {
  const items = posts.map(
    (entry) => `<item>
<title>${entry.title}</title>
<link>${entry.url}</link>
<guid isPermaLink="false">${entry.id}</guid>
<pubDate>${entry.published.toUTCString()}</pubDate>
<dc:creator>${entry.author}</dc:creator>
<category domain="${x(siteUrl)}${entry.categoryPath}">${entry.category}</category>
<description>${entry.summary}</description>
<content:encoded>${entry.html}</content:encoded>
</item>`,
  );
  return `<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom" xmlns:content="http://purl.org/rss/1.0/modules/content/" xmlns:dc="http://purl.org/dc/elements/1.1/">
<channel>
<title>${x(`${firm.name} Blog`)}</title>
<link>${x(siteUrl)}/blog</link>
<description>${x(firm.tagline || `Articles from ${firm.name}`)}</description>
<language>en-us</language>
<lastBuildDate>${newestChange(posts).toUTCString()}</lastBuildDate>
<atom:link href="${x(siteUrl)}/rss.xml" rel="self" type="application/rss+xml"/>
${items.join("\n")}
</channel>
</rss>`;
}

function writeAtom(siteUrl: string, { firm, adviser }: Site, posts: Entries): string {
  const entries = posts.map(
    (entry) => `<entry>
<id>${entry.id}</id>
<title>${entry.title}</title>
<link rel="alternate" type="text/html" href="${entry.url}"/>
<published>${entry.published.toISOString()}</published>
<updated>${entry.updated.toISOString()}</updated>
<author><name>${entry.author}</name></author>
<category term="${entry.category}" scheme="${x(siteUrl)}${entry.categoryPath}" label="${entry.category}"/>
<summary>${entry.summary}</summary>
<content type="html">${entry.html}</content>
</entry>`,
  );
  return `<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="en-US">
<id>${x(siteUrl)}/blog</id>
<title>${x(`${firm.name} Blog`)}</title>
${firm.tagline && `<subtitle>${x(firm.tagline)}</subtitle>\n`}<updated>${newestChange(posts).toISOString()}</updated>
<link rel="alternate" type="text/html" href="${x(siteUrl)}/blog"/>
<link rel="self" type="application/atom+xml" href="${x(siteUrl)}/atom.xml"/>
<author><name>${x(adviser.name)}</name></author>
${entries.join("\n")}
</feed>`;
}

type Entries = ReturnType<typeof entriesOf>;

/** What both formats say about a post, escaped. */
function entriesOf(siteUrl: string, { disclosures }: Site, posts: readonly Post[]) {
  return posts.map((post) => ({
    id: `urn:uuid:${post.id}`,
    title: x(post.title),
    url: x(`${siteUrl}/blog/${post.slug}`),
    published: new Date(post.published_date),
    updated: new Date(post.updated_at),
    author: x(post.author),
    category: x(post.category),
    categoryPath: categoryPath(post.category),
    summary: x(excerptOf(post)),
    html: x(
      imageHtml(siteUrl, post) +
        blocksToHtml(siteUrl, parseBlocks(post.content)) +
        postDisclosures(disclosures.posts, post.category)
          .map((text) => `\n<p><small>${x(text).replaceAll("\n", "<br>")}</small></p>`)
          .join(""),
    ),
  }));
}

function isTime(text: string): boolean {
  return !Number.isNaN(Date.parse(text));
}

function newestChange(posts: Entries): Date {
  return new Date(Math.max(0, ...posts.map(({ updated }) => updated.getTime())));
}

function imageHtml(siteUrl: string, { image_url, alt }: Post): string {
  const url = publicImageAddress(image_url, siteUrl);
  return url ? `<p><img src="${x(url)}" alt="${x(alt)}"></p>\n` : "";
}
