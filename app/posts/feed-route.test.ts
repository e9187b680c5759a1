import { expect, test } from "vitest";
import { pageSettingsContext, siteContext } from "../config/request-context.ts";
import { clientContext } from "../supabase/client-context.ts";
import { loader } from "./feed-route.ts";

test.each(["/rss.xml", "/atom.xml"])(
  "%s has the disclosure of a post's category, and leaves out a post whose times cannot be read",
  async (pattern) => {
    const time = "2026-01-02T03:04:05Z";
    const post = {
      id: "1",
      slug: "kept",
      title: "",
      tagline: "",
      author: "",
      category: "Annuities",
      content: [],
    };
    const posts = [
      { ...post, published_date: time, updated_at: time },
      { ...post, slug: "dropped", published_date: time, updated_at: "infinity" },
      { ...post, slug: "dropped", published_date: "-infinity", updated_at: time },
    ];
    const query = {
      select: () => query,
      order: () => query,
      range: () => query,
      throwOnError: async () => ({ data: posts }),
    };
    const context = new Map<unknown, unknown>([
      [clientContext, { from: () => query }],
      [pageSettingsContext, { siteUrl: "https://site.example" }],
      [
        siteContext,
        {
          site: {
            closed: [],
            firm: { name: "", tagline: "" },
            adviser: { name: "" },
            disclosures: {
              posts: [
                { category: "annuities", text: "Fees <apply>.\nAsk." },
                { category: "Other", text: "Elsewhere." },
              ],
            },
          },
        },
      ],
    ]);
    // Only what the loader uses.
    const xml = await (await loader({ context, pattern } as never)).text();
    expect(xml).toContain("https://site.example/blog/kept");
    expect(xml).toContain(
      "&lt;p&gt;&lt;small&gt;Fees &amp;lt;apply&amp;gt;.&lt;br&gt;Ask.&lt;/small&gt;",
    );
    expect(xml).not.toMatch(/dropped|Invalid|Elsewhere/);
  },
);
