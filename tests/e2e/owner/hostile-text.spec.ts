// Text from visitors and the owner is never executed: in every field, on every page and in feeds.
import type { Page } from "@playwright/test";
import { toOneLine } from "../../../supabase/functions/_shared/one-line.ts";
import { navigate, openPage } from "../test.ts";
import { test as base, expect, logIn } from "./owner.ts";

const hostile = [
  "<script>ran()</script>",
  "</script><script>ran()</script>",
  '"><img src=x onerror=ran()>',
  "' onmouseover='ran()' x='",
  "<svg/onload=ran()>",
  "</title><svg/onload=ran()>",
  "javascript:ran()",
  "]]><script>ran()</script>",
  "<!--<script>ran()</script>",
  "&lt;script&gt;ran()&lt;/script&gt;",
  "data:text/html,<script>ran()</script>",
  "\u2028ran()\u2029</textarea><script>ran()</script>",
  "\u0001",
];
/** All payloads in one text, for fields that are long enough. */
const long = hostile.join("\n");
const line = toOneLine(hostile.join(" "));
/** An allowed link target that contains every character that could end its attribute. */
const link = `https://x.example/"onmouseover="ran()"'><script>ran()</script>`;

interface Fixtures {
  /** A post with the payloads in all of its fields. */
  post: { slug: string; title: string };
}

const test = base.extend<Fixtures>({
  page: async ({ page }, use) => {
    // A console error fails the test (../test.ts).
    await page.addInitScript(() => {
      Object.assign(window, { ran: () => console.error("A stored text ran as a script") });
    });
    page.on("dialog", (dialog) => {
      console.error("A dialog opened");
      dialog.dismiss();
      throw new Error(`A dialog opened: ${dialog.message()}`);
    });
    await use(page);
  },

  post: async ({ rows, visitor, owner }, use) => {
    const slug = `hostile-${crypto.randomUUID()}`;
    const title = `${slug} ${hostile.slice(0, 8).join(" ")}`;
    await rows.addPost({
      slug,
      title,
      category: "</a><script>ran()</script>\"'",
      author: '"><svg/onload=ran()>',
      tagline: line.slice(0, 600),
      alt: `"onerror="ran()" ${line}`.slice(0, 600),
      image_url: "/images/posts/old-oak.svg",
      related_services: hostile.map((text) => ({ slug: text, title: text, href: text })),
      content: [
        { type: "heading", text: long },
        { type: "paragraph", text: `${long} ${link} javascript:ran() data:text/html,ran()` },
        { type: "list", items: [...hostile, link] },
        { type: "quote", text: long },
        { type: "<script>ran()</script>", text: long },
        {
          type: "table",
          rows: [[long, link]],
          rowMarks: [
            [[], [{ type: "link", start: 0, end: 3, href: "javascript:ran()" }]],
            { 0: 7 },
          ],
          header: true,
        },
        { type: "paragraph", text: { toString: "ran()" }, href: "javascript:ran()" },
      ],
    });
    for (const payload of hostile) {
      const text = toOneLine(payload);
      const name = `${text} ${crypto.randomUUID()}`;
      await rows.addTestimonial({ name, role: text, content: `${payload}\n${link}`, rating: 5 });
    }
    const name = `${hostile[2]} ${slug}`;
    const { error } = await visitor.functions.invoke("send-email", {
      body: JSON.stringify({ name, email: "a'b@example.com", phone: hostile[4], message: long }),
    });
    if (error) throw error;
    await use({ slug, title });
    await owner.from("contact_messages").delete().eq("name", name).throwOnError();
  },
});

test("stored text is text in HTML and feeds, on pages that are loaded or navigated to, and for the owner", async ({
  page,
  post,
}) => {
  const paths = ["/", "/blog", "/testimonials", "/contact", "/services/life-insurance"];
  await page.goto("/contact");
  for (const path of [...paths, `/blog/${post.slug}`, "/rss.xml", "/atom.xml", "/sitemap.xml"]) {
    const text = await page.evaluate(async (address) => (await fetch(address)).text(), path);
    const type = path.endsWith(".xml") ? "application/xml" : "text/html";
    expect([path, await problemsIn(page, text, type)]).toEqual([path, []]);
  }
  await openPage(page, `/blog/${post.slug}`);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(post.title);
  await expect(page).toHaveTitle(`${post.title} | Blog`);
  await expectText(page);
  for (const path of [...paths, `/blog/${post.slug}`]) {
    await navigate(page, path);
    await expect(page).toHaveURL(path);
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    await expectText(page);
  }
  await logIn(page, "/messages");
  await expect(page.getByRole("link").filter({ hasText: post.slug })).toBeVisible();
  await expectText(page);
  await navigate(page, `/blog/${post.slug}/edit`);
  await expect(page.getByLabel("Title")).toHaveValue(post.title);
  await expectText(page);
});

test.describe("the check itself", () => {
  // The page's Content-Security-Policy reports the inline handlers that the test injects.
  test.use({ expectedErrors: /inline event handler/ });

  test("reports executable markup", { tag: "@long" }, async ({ page }) => {
    await page.goto("/contact");
    for (const [html, problem] of [
      ["<img src=/x onerror=ran()>", "img onerror=ran()"],
      ["<a href=' JavaScript:ran()'>x</a>", "a href= JavaScript:ran()"],
      ["<img src='data:image/svg+xml,x'>", "img src=data:image/svg+xml,x"],
      ["<iframe></iframe>", "iframe"],
      ["<script>ran()</script>", "a script with stored text: ran()"],
    ] as const) {
      expect(await problemsIn(page, html, "text/html")).toEqual([problem]);
    }
    const feed = "<rss><content>&lt;b onclick=ran()&gt;</content></rss>";
    expect(await problemsIn(page, feed, "application/xml")).toEqual(["b onclick=ran()"]);
  });
});

test.describe("a script injected into a page", () => {
  test.use({ expectedErrors: /Content Security Policy/ });

  test("does not run", async ({ page }) => {
    await openPage(page, "/");
    const ran = await page.evaluate(async () => {
      const smuggled = document.createElement("script");
      smuggled.textContent = "window.smuggled = true";
      const handler = document.createElement("img");
      handler.setAttribute("onerror", "window.smuggled = true");
      const failed = new Promise((resolve) => handler.addEventListener("error", resolve));
      handler.src = "data:,";
      document.body.append(smuggled, handler);
      await failed;
      return "smuggled" in window;
    });
    expect(ran).toBe(false);
  });
});

async function expectText(page: Page): Promise<void> {
  const html = await page.evaluate(() => document.documentElement.outerHTML);
  expect(await problemsIn(page, html, "text/html")).toEqual([]);
}

/** Returns the elements, attributes and addresses that a browser would execute. */
function problemsIn(page: Page, text: string, type: DOMParserSupportedType): Promise<string[]> {
  return page.evaluate(
    ({ text, type }) => {
      const problems: string[] = [];
      inspect(new DOMParser().parseFromString(text, type));
      return problems;

      function inspect(root: Document): void {
        if (root.querySelector("parsererror")) problems.push("not well-formed");
        for (const element of root.querySelectorAll("*")) {
          const name = element.localName;
          if (/^(iframe|frame|object|embed|base|applet)$/.test(name)) problems.push(name);
          if (name === "script") inspectScript(element);
          for (const attribute of element.attributes) {
            const { name: key, value } = attribute;
            if (/^on/i.test(key)) problems.push(`${name} ${key}=${value}`);
            if (/^(srcdoc|http-equiv)$/i.test(key)) problems.push(`${name} ${key}`);
            if (/^(href|src|srcset|action|formaction|poster|data|xlink:href|url)$/i.test(key)) {
              if (!/^(https?:|mailto:|tel:|\/(?!\/)|#|blob:)/.test(value)) {
                problems.push(`${name} ${key}=${value}`);
              }
            }
          }
          // Feeds contain HTML as text.
          if (type === "application/xml" && /^(encoded|content)$/.test(name)) {
            inspect(new DOMParser().parseFromString(element.textContent ?? "", "text/html"));
          }
        }
      }

      // Stored text occurs in JSON-LD and in the data of the loaders, each of which is one JSON value.
      function inspectScript(script: Element): void {
        const body = script.textContent ?? "";
        const [, data] =
          body.match(
            /^window\.__reactRouterContext\.streamController\.enqueue\((.*)\);[\w.]+\.close\(\);$/s,
          ) ?? [];
        const json = script.getAttribute("type") === "application/ld+json" ? body : data;
        if (json) JSON.parse(json);
        else if (body.includes("ran()")) problems.push(`a script with stored text: ${body}`);
        if (/<\/?script|<!--/i.test(body)) problems.push("a script that could end early");
      }
    },
    { text, type },
  );
}
