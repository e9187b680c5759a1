import { join } from "node:path";
import type { SupabaseClient } from "@supabase/supabase-js";
import { zipSync } from "fflate";
import { z } from "zod";
import { findingsOf } from "../access/axe.ts";
import { openPage, toast } from "../test.ts";
import { expect, imageFile, logIn, test } from "./owner.ts";

const folder = join(import.meta.dirname, "../../fixtures/exports");

test("posts of another site become drafts once, and their former addresses lead to them", {
  tag: "@long",
}, async ({ page, owner, siteUrl }) => {
  const read = (path: string) => fetch(siteUrl + path, { redirect: "manual" });
  async function importFile(name: string) {
    await page.getByLabel("Export file").setInputFiles(join(folder, name));
    await page.getByRole("button", { name: "Import posts" }).click();
  }
  const summary = page.getByRole("heading", { name: /drafts? added$/ });
  const ids: string[] = [];

  await test.step("a file of another kind says so", async () => {
    await logIn(page, "/manage/posts");
    await page.getByRole("button", { name: "More actions for posts" }).click();
    await page.getByRole("menuitem", { name: "Import posts" }).click();
    await page.getByRole("button", { name: "Import posts" }).click();
    await expect(page.getByRole("alert")).toHaveText("Choose a file first.");
    await importFile("../word-clipboard.html.txt");
    await expect(page.getByRole("alert")).toContainText("This is not an export");
  });

  await test.step("each file adds its posts, and lists what is different", async () => {
    for (const [name, added] of [
      ["squarespace.xml", "2 drafts added"],
      ["feed.rss", "2 drafts added"],
      ["feed.atom", "2 drafts added"],
      ["wordpress.xml", "3 drafts added"],
    ] as const) {
      await importFile(name);
      await expect(summary).toHaveText(added);
    }
    await expect(page.getByText("Not posts, and not imported:")).toContainText("1 × attachment");
    await expect(page.getByRole("listitem").filter({ hasText: "Notes for" })).toContainText(
      "It was not public: draft.",
    );
    await expect(page.getByText("3 images of these posts are on another site.")).toBeVisible();
    expect(await findingsOf(page)).toEqual([]);
  });

  await test.step("images come from a site that was confirmed, and from files", async () => {
    const oak = imageFile();
    const asked: unknown[] = [];
    await page.route("**/functions/v1/import-images", async (route) => {
      const request = route.request().postDataJSON();
      asked.push(request);
      if (request.address.includes("oak.jpg")) {
        return route.fulfill({ contentType: "application/octet-stream", body: oak.buffer });
      }
      return route.fulfill({ json: { reason: "It is not there any more (404)." } });
    });
    await page.getByRole("checkbox", { name: "cdn.example, 1 image" }).uncheck();
    await page.getByRole("button", { name: "Add images to the drafts" }).click();
    await expect(page.getByRole("heading", { name: "1 image added" })).toBeVisible();
    const failures = page.getByRole("listitem").filter({ hasText: "any more (404)" });
    await expect(failures.getByRole("link")).toHaveText([
      "Term & whole life: which fits?",
      "https://www.hartwell.example/wp-content/uploads/2023/05/family.jpg",
    ]);
    await expect(page.getByText("and its site is not chosen.")).toBeVisible();
    expect(asked).toHaveLength(2);
    expect(asked[0]).toMatchObject({ hosts: ["hartwell.example"], http: false });
    expect(await findingsOf(page)).toEqual([]);

    const zip = zipSync({ "uploads/2023/05/family.jpg": oak.buffer });
    await page.getByLabel("Or image files, or a .zip file").setInputFiles({
      name: "uploads.zip",
      mimeType: "application/zip",
      buffer: Buffer.from(zip),
    });
    await page.getByRole("checkbox", { name: "hartwell.example" }).uncheck();
    await page.getByRole("button", { name: "Add images to the drafts" }).click();
    await expect(page.getByRole("heading", { name: "1 image added" })).toBeVisible();
    const post = (await readDrafts(owner)).find(({ title }) => title.startsWith("Term"));
    expect(post?.image_url).toMatch(/^images\/public\//);
    expect(post?.content).toContainEqual(expect.objectContaining({ type: "image", alt: "An oak" }));
  });

  await test.step("the same file adds nothing", async () => {
    await importFile("wordpress.xml");
    await expect(summary).toHaveText("0 drafts added");
    await expect(page.getByText("not added again: 3")).toBeVisible();
  });

  await test.step("nothing is public, and no address redirects", async () => {
    const answer = await read("/2023/05/term-or-whole-life/");
    expect(answer.status).toBe(404);
    const drafts = await readDrafts(owner);
    ids.push(...drafts.map(({ id }) => id));
    const titles = drafts.map(({ title, category }) => `${title} | ${category}`);
    for (const title of [
      "Wills & Trusts & More—Basics | Estate planning",
      "Café talk | Retirement",
      "Saving & spending | Money",
      "Term & whole life: which fits? | Life & Insurance",
    ]) {
      expect(titles).toContain(title);
    }
  });

  await test.step("a draft is published with its date, and its former address leads to it", async () => {
    await openPage(page, "/manage/posts?filter=draft&q=Term");
    await page.getByRole("link", { name: "Edit Term & whole life" }).click();
    await page.getByRole("button", { name: "Publish Post" }).click();
    await expect(toast(page, "Success! 🚀")).toBeVisible();
    const post = owner.from("posts").select("id, published_date").eq("slug", "term-or-whole-life");
    const { data } = await post.single().throwOnError();
    expect(data.published_date).toBe("2023-05-10T14:00:00+00:00");
    for (const address of ["/2023/05/Term-or-whole-life/?utm=1", "/2023/05/term-or-whole-life"]) {
      const answer = await read(address);
      expect(answer.status).toBe(301);
      expect(answer.headers.get("location")).toBe("/blog/term-or-whole-life");
    }
  });

  await test.step("so do the addresses of a blog and of a number", async () => {
    const row = { category: "Family", author: "Ada", image_url: "/images/posts/old-oak.svg" };
    for (const [title, slug, address] of [
      ["Wills & Trusts & More—Basics", "wills", "/blog/2022/6/7/wills.html"],
      ["Café talk", "cafe-talk", "/?p=12"],
      ["Only a summary", "only-a-summary", "/Only-a-summary/"],
    ] as const) {
      const draft = (await readDrafts(owner)).find((each) => each.title === title);
      if (!draft) throw new Error(`No draft of ${title}`);
      const { id, savedAt, content } = draft;
      const post = { ...row, id, title, slug, content, draft_version: savedAt };
      await owner.from("posts").insert(post).throwOnError();
      const answer = await read(address);
      expect(answer.headers.get("location")).toBe(`/blog/${slug}`);
    }
    expect((await fetch(`${siteUrl}/?p=13`)).url).toContain("/?p=13");
  });

  await owner.from("posts").delete().in("id", ids).throwOnError();
  for (const thing of ids) {
    await owner.rpc("discard_draft", { kind: "post", thing, replaced: null });
  }
});

test.describe("without a connection", () => {
  test.use({ expectedErrors: /import stopped|ERR_INTERNET_DISCONNECTED/ });

  test("an import continues with the same file", { tag: "@long" }, async ({ page, owner }) => {
    const titles: string[] = [crypto.randomUUID(), crypto.randomUUID()];
    const items = titles.map((title) => `<item><title>${title}</title></item>`).join("");
    const buffer = Buffer.from(`<rss version="2.0"><channel>${items}</channel></rss>`);
    let calls = 0;
    await page.route("**/rpc/import_post", (route) =>
      ++calls === 2 ? route.abort("internetdisconnected") : route.continue(),
    );
    await logIn(page, "/manage/posts/import");
    const file = { name: "feed.xml", mimeType: "text/xml", buffer };
    await page.getByLabel("Export file").setInputFiles(file);
    await page.getByRole("button", { name: "Import posts" }).click();
    await expect(page.getByRole("alert")).toContainText(
      "The import stopped: there is no connection.",
    );
    await expect(page.getByText("Stopped after 1 of 2 posts.")).toBeVisible();
    await page.getByRole("button", { name: "Import posts" }).click();
    await expect(page.getByText("not added again: 1")).toBeVisible();
    await expect(page.getByRole("heading", { name: "1 draft added" })).toBeVisible();
    const added = (await readDrafts(owner)).filter(({ title }) => titles.includes(title));
    expect(added.map(({ title }) => title)).toEqual(titles);
    for (const { id } of added) {
      await owner.rpc("discard_draft", { kind: "post", thing: id, replaced: null });
    }
  });
});

const draftSchema = z.object({
  title: z.string(),
  category: z.string().catch(""),
  image_url: z.nullable(z.string()).catch(null),
  content: z.json(),
});

/** The drafts of posts, in the order in which they were saved. */
async function readDrafts(owner: SupabaseClient) {
  const drafts = owner.from("drafts").select("thing, document, saved_at").eq("kind", "post");
  const { data } = await drafts.order("saved_at").throwOnError();
  return data.map(({ thing, document, saved_at }) => {
    return { id: String(thing), savedAt: String(saved_at), ...draftSchema.parse(document) };
  });
}
