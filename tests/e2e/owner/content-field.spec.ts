import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "@playwright/test";
import { findingsOf } from "../access/axe.ts";
import { openPage, toast } from "../test.ts";
import {
  choose,
  dropImage,
  editNewPost,
  expect,
  imageFile,
  logIn,
  savedState,
  test,
} from "./owner.ts";

const field = (page: Page) => page.getByLabel("Content", { exact: true });
const tool = (page: Page, name: string) =>
  page.getByRole("toolbar", { name: "Formatting" }).getByRole("button", { name, exact: true });

/** Pastes or drops like a program that puts HTML and plain text, or a file, on the clipboard. */
async function paste(
  page: Page,
  data: { text?: string; html?: string; file?: ReturnType<typeof imageFile> },
): Promise<void> {
  const bytes = [...(data.file?.buffer ?? [])];
  await field(page).evaluate(
    (element, { text, html, file, bytes }) => {
      const clipboardData = new DataTransfer();
      if (text) clipboardData.setData("text/plain", text);
      if (html) clipboardData.setData("text/html", html);
      if (file) {
        const { name, mimeType: type } = file;
        clipboardData.items.add(new File([new Uint8Array(bytes)], name, { type }));
      }
      const event = new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true });
      element.dispatchEvent(event);
    },
    { ...data, bytes },
  );
}

const word = readFileSync(
  join(import.meta.dirname, "../../fixtures/word-clipboard.html.txt"),
  "utf8",
);

test("a post is formatted by keyboard alone, each step can be undone, and no mark is seen", {
  tag: ["@long", "@translated"],
}, async ({ page, rows, owner }) => {
  const { slug } = await editNewPost(page, rows, "Keyboard");
  await field(page).fill("");
  await field(page).focus();
  await page.keyboard.type("## Before you sign");
  await page.keyboard.press("Enter");
  await page.keyboard.type("- Ask early");
  await expect(field(page).getByRole("listitem")).toHaveText("Ask early");
  await expect(tool(page, "List")).toHaveAttribute("aria-pressed", "true");
  await page.keyboard.press("Enter");
  await page.keyboard.press("Control+b");
  await expect(tool(page, "Bold")).toHaveAttribute("aria-pressed", "true");
  await page.keyboard.type("Often");
  await page.keyboard.press("Control+b");
  await expect(tool(page, "Bold")).toHaveAttribute("aria-pressed", "false");
  await page.keyboard.type(" enough");
  await page.keyboard.press("Control+z");
  await expect(field(page)).not.toContainText("enough");
  await page.keyboard.press("Control+Shift+z");
  await expect(field(page)).toContainText("Often enough");
  // An empty item ends the list.
  await page.keyboard.press("Enter");
  await page.keyboard.press("Enter");
  await page.keyboard.type("1. First");
  await page.keyboard.press("Enter");
  await page.keyboard.press("Enter");
  await page.keyboard.type("> Quoted");
  await page.keyboard.press("Shift+Enter");
  await page.keyboard.type("in two lines");
  await page.keyboard.press("Enter");
  await page.keyboard.type("See the guide");
  for (const _letter of "the guide") await page.keyboard.press("Shift+ArrowLeft");
  await page.keyboard.press("Control+k");
  const dialog = page.getByRole("dialog", { name: "Add a link" });
  const address = dialog.getByLabel("Address, or the name of a page or post");
  await expect(address).toBeFocused();
  await page.keyboard.type("https://exam");
  await page.keyboard.press("Enter");
  await expect(dialog).toContainText("Choose a page, or paste an address");
  await address.fill("contact");
  await page.keyboard.press("Enter");
  await expect(field(page).getByRole("link", { name: "the guide" })).toHaveAttribute(
    "href",
    "/contact",
  );
  await page.keyboard.press("End");
  await page.keyboard.press("Enter");
  await page.keyboard.type("!! Read it twice");
  // The toolbar is one tab stop before the field.
  await page.keyboard.press("Shift+Tab");
  await expect(tool(page, "Heading")).toBeFocused();
  await page.keyboard.press("ArrowLeft");
  await expect(tool(page, "Redo")).toBeFocused();
  await test.step("a table is inserted, filled and changed", async () => {
    await page.keyboard.press("ArrowLeft");
    await page.keyboard.press("ArrowLeft");
    await expect(tool(page, "Table")).toBeFocused();
    await page.keyboard.press("Enter");
    await expect(field(page).getByRole("columnheader")).toHaveCount(3);
    await expect(field(page)).toBeFocused();
    for (const words of ["Plan", "Price", "Note", "Term", "$25"]) {
      await page.keyboard.type(words);
      await page.keyboard.press("Tab");
    }
    await page.keyboard.press("Control+b");
    await page.keyboard.type("Ends");
    await expect(tool(page, "Heading")).toBeDisabled();
    // In the last row, which was empty.
    await page.keyboard.press("Tab");
    const cells = "<tr><td>Whole</td><td>$310</td></tr><tr><td>Both</td><td>$335</td></tr>";
    await paste(page, { html: `<table>${cells}</table>`, text: "Whole" });
    await page.keyboard.press("Alt+F10");
    await page.keyboard.press("Tab");
    const actions = page.getByRole("toolbar", { name: "Table" });
    await expect(actions.getByRole("button", { name: "Row above" })).toBeFocused();
    for (let at = 0; at < 3; at++) await page.keyboard.press("ArrowRight");
    await page.keyboard.press("Enter");
    await expect(field(page).getByRole("columnheader")).toHaveCount(4);
    await actions.getByRole("button", { name: "Header" }).click();
    await expect(field(page).getByRole("columnheader")).toHaveCount(0);
    await page.keyboard.press("Control+z");
    await expect(actions.getByRole("button", { name: "Header" })).toHaveAttribute(
      "aria-pressed",
      "true",
    );
    await field(page).getByRole("columnheader").nth(2).click();
    await page.keyboard.type("Since");
  });
  await expect(page.getByText("29 words · 1 min read")).toBeVisible();
  // The cursor scrolls a wide table in the field.
  const isElsewhere = (finding: string) => !finding.includes("scrollable-region-focusable");
  expect((await findingsOf(page)).filter(isElsewhere)).toEqual([]);

  await page.getByRole("button", { name: "Save Changes" }).click();
  await expect(page).toHaveURL("/blog");
  const { data } = await owner.from("posts").select("content").eq("slug", slug).single();
  expect(data?.content).toEqual([
    { type: "heading", text: "Before you sign" },
    {
      type: "list",
      items: ["Ask early", "Often enough"],
      itemMarks: [[], [{ type: "bold", start: 0, end: 5 }]],
    },
    { type: "numbered-list", items: ["First"] },
    { type: "quote", text: "Quoted\nin two lines" },
    {
      type: "paragraph",
      text: "See the guide",
      marks: [{ type: "link", start: 4, end: 13, href: "/contact" }],
    },
    { type: "note", text: "Read it twice" },
    {
      type: "table",
      rows: [
        ["Plan", "Price", "Since", "Note"],
        ["Term", "$25", "", "Ends"],
        ["Whole", "$310", "", ""],
        ["Both", "$335", "", ""],
      ],
      rowMarks: [
        [[], [], [], []],
        [[], [], [], [{ type: "bold", start: 0, end: 4 }]],
        [[], [], [], []],
        [[], [], [], []],
      ],
      header: true,
    },
  ]);
  await test.step("on a phone, the table scrolls within itself", async () => {
    for (const width of [320, 390]) {
      await page.setViewportSize({ width, height: 780 });
      await openPage(page, `/blog/${slug}`);
      const region = page.getByRole("region", { name: "Table: Plan, Price, Since, Note" });
      await region.focus();
      await page.keyboard.press("End");
      await page.keyboard.press("ArrowRight");
      await expect.poll(() => region.evaluate((element) => element.scrollLeft)).toBeGreaterThan(0);
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
      await expect(region.getByRole("columnheader", { name: "Price" })).toBeVisible();
      expect(await findingsOf(page)).toEqual([]);
    }
  });
});

test("a document of Word becomes a post: written, left, resumed, previewed, scheduled, published and corrected without a mark", async ({
  page,
  owner,
  browser,
  baseURL,
}) => {
  const title = "How Much Life Insurance Does a Young Family Need?";
  const marks = /##|\*\*|!\[|\]\(|!!/;
  await logIn(page, "/blog/new");
  await field(page).focus();
  // The post has no draft yet.
  await expect(page.getByRole("button", { name: "Create preview link" })).toBeHidden();
  await paste(page, { html: word, text: "How Much" });
  await test.step("written: the title is in its field, and what was not taken is said", async () => {
    await expect(page.getByLabel("Title")).toHaveValue(title);
    await expect(field(page).getByRole("columnheader")).toHaveText(["What", "Amount"]);
    await expect(page.getByText("An image could not be taken")).toBeVisible();
    await expect(field(page).getByRole("heading")).toHaveCount(5);
    await expect(field(page).getByRole("blockquote")).toContainText("Insurance is not about");
    await page.getByLabel("Category").fill("Life Insurance");
    await page.getByRole("button", { name: "An old oak" }).click();
    await expect(page.getByRole("img", { name: "Featured image" })).toBeVisible();
    await paste(page, { file: imageFile("oak.png") });
    await page.getByLabel("Describe the image").fill("An oak in autumn");
    await expect(field(page)).toContainText("1 × 1 pixels");
    await expect(savedState(page)).toBeVisible();
  });
  await test.step("left and resumed", async () => {
    await page.getByRole("link", { name: "Posts", exact: true }).click();
    await expect(page).toHaveURL("/manage/posts");
    await page.goBack();
    await expect(field(page).getByRole("heading")).toHaveCount(5);
    await expect(page.getByLabel("Describe the image")).toHaveValue("An oak in autumn");
    await expect(field(page)).not.toHaveText(marks);
  });
  await test.step("previewed", async () => {
    const opened = page.waitForEvent("popup");
    await page.getByRole("button", { name: "Preview (opens in a new tab)" }).click();
    const shown = await opened;
    await expect(shown.getByText("Preview of a draft, not published")).toBeVisible();
    await shown.close();
    const url = await page.getByLabel("Link", { exact: true }).inputValue();
    expect(await findingsOf(page)).toEqual([]);
    // Without an account.
    const reviewer = await browser.newPage({ baseURL });
    const response = await reviewer.goto(url);
    expect(response?.headers()).toMatchObject({
      "cache-control": "no-store",
      "x-robots-tag": "noindex, nofollow",
      "referrer-policy": "same-origin",
    });
    await expect(reviewer.getByText("Preview of a draft, not published")).toBeVisible();
    await expect(reviewer.getByRole("heading", { level: 1 })).toHaveText(title);
    await expect(reviewer.getByRole("heading", { name: "What to do this week" })).toBeVisible();
    await expect(reviewer.getByRole("main")).not.toHaveText(marks);
    expect(await findingsOf(reviewer)).toEqual([]);
    await page.getByRole("button", { name: "Revoke link" }).click();
    await expect(page.getByRole("button", { name: "Create preview link" })).toBeVisible();
    expect((await reviewer.reload())?.status()).toBe(404);
    await expect(reviewer.getByRole("heading", { level: 1 })).toHaveText("This preview has ended");
    await reviewer.close();
  });
  await test.step("scheduled", async () => {
    await choose(page.getByRole("main"), "Schedule…");
    await page.getByRole("dialog").getByLabel("Date").fill("2030-11-05");
    await page.getByRole("dialog").getByLabel("Time").fill("09:30");
    await page
      .getByRole("dialog")
      .getByRole("button", { name: /^Schedule/ })
      .click();
    await expect(toast(page, "Post scheduled")).toBeVisible();
    await expect(field(page).getByRole("heading")).toHaveCount(5);
  });
  await test.step("published", async () => {
    await choose(page.getByRole("main"), "Publish now");
    await expect(toast(page, "Success! 🚀")).toContainText(
      "Your new blog post has been published.",
    );
    await page.getByRole("button", { name: "View post" }).click();
    await expect(page.getByRole("heading", { level: 1 })).toHaveText(title);
    await expect(page.getByRole("img", { name: "An oak in autumn" })).toBeAttached();
    await expect(page.getByRole("main")).not.toHaveText(marks);
  });
  await test.step("corrected, with its differences", async () => {
    await page.getByRole("link", { name: "Edit Post" }).click();
    await field(page).getByText("Write the answers down.").click();
    await page.keyboard.press("End");
    await page.keyboard.type(" Keep them.");
    await page.getByRole("button", { name: "History" }).click();
    const newest = page.getByRole("listitem").filter({ hasText: "Published" }).first();
    await newest.getByRole("button", { name: "Compare" }).click();
    await expect(newest.locator("ins").first()).toContainText("Keep");
    await expect(newest).not.toHaveText(marks);
    await page.getByRole("button", { name: "Save Changes" }).click();
    await expect(page).toHaveURL("/blog");
  });
  const { data } = await owner.from("posts").select("content").eq("title", title).single();
  expect(JSON.stringify(data?.content)).toContain("Keep them.");
  await owner.from("posts").delete().eq("title", title).throwOnError();
});

test.describe("a link", () => {
  test.use({ expectedErrors: /status of 40[46]/ });

  test("that leads nowhere is named, an own address loses its host, and pasted words become a link", {
    tag: "@long",
  }, async ({ page }) => {
    await logIn(page, "/blog/new");
    await field(page).fill("Us");
    await page.keyboard.press("ControlOrMeta+a");
    await paste(page, { text: new URL("/no-such-page", page.url()).href });
    const link = field(page).getByRole("link", { name: "Us" });
    await expect(link).toHaveAttribute("href", "/no-such-page");
    await expect(page.getByText("The link “Us” leads nowhere")).toBeVisible();
    await tool(page, "Link").click();
    const dialog = page.getByRole("dialog", { name: "Change the link" });
    await dialog.getByLabel("Address, or the name").fill("/contact");
    await dialog.getByRole("button", { name: "Change" }).click();
    await expect(link).toHaveAttribute("href", "/contact");
    await expect(page.getByText("leads nowhere")).toHaveCount(0);
  });
});

test.describe("an image", () => {
  test.use({ expectedErrors: /status of 406|Uploading the image failed/ });

  test("is uploaded where the cursor is, needs a description, and is offered again", {
    tag: "@long",
  }, async ({ page, rows, owner }) => {
    const id = crypto.randomUUID();
    const { slug } = await editNewPost(page, rows, "Illustrated", { id });
    await field(page).getByText("Text.").click();
    await tool(page, "Image").click();
    await page.getByLabel("A file from this device").setInputFiles(imageFile());
    await expect(field(page)).toContainText("1 × 1 pixels");
    const save = page.getByRole("button", { name: "Save Changes" });
    await save.click();
    await expect(page.getByText("Describe each image of the text").first()).toBeVisible();
    await page.getByLabel("Describe the image").fill("A lighthouse");
    // A file that is no image says so, and is removed.
    await paste(page, { file: { ...imageFile("words.png"), buffer: Buffer.from("words") } });
    await expect(field(page).getByRole("alert")).toContainText("not a JPEG, PNG, GIF or WebP");
    await expect(save).toBeDisabled();
    await page.getByRole("button", { name: "Remove image" }).last().click();
    await expect
      .poll(async () => (await owner.from("drafts").select("document").eq("thing", id)).data)
      .toMatchObject([
        {
          document: {
            content: [expect.anything(), expect.objectContaining({ alt: "A lighthouse" })],
          },
        },
      ]);
    await tool(page, "Image").click();
    await page
      .getByRole("dialog")
      .getByRole("button", { name: "A lighthouse", exact: true })
      .click();
    await expect(field(page).getByLabel("Describe the image")).toHaveCount(2);
    await save.click();
    await expect(page).toHaveURL("/blog");
    await openPage(page, `/blog/${slug}`);
    const image = page.getByRole("img", { name: "A lighthouse" }).first();
    await image.scrollIntoViewIfNeeded();
    // The promise rejects for an image that is missing or damaged.
    await image.evaluate((element: HTMLImageElement) => element.decode());
  });

  test("that is dropped into the text stands where it was dropped", { tag: "@long" }, async ({
    page,
    rows,
  }) => {
    const content = ["Above.", "Below."].map((text) => ({ type: "paragraph", text }));
    await editNewPost(page, rows, "Dropped", { content });
    await dropImage(page, imageFile(), field(page).getByText("Below."));
    await page.getByLabel("Describe the image").fill("An oak");
    const order = 'p:text-is("Above.") ~ :has(img[alt="An oak"]) ~ p:text-is("Below.")';
    await expect(field(page).locator(order)).toBeVisible();
  });
});

test("where the owner prefers it, the content is text, and a part that it cannot show stays", {
  tag: "@long",
}, async ({ page, rows, owner }) => {
  const video = { type: "video", id: 7 };
  const content = [{ type: "list", items: ["One", "Two"] }, video];
  const { slug } = await editNewPost(page, rows, "As text", { content });
  await expect(field(page)).toContainText("A part that this editor cannot show (video)");
  await page.getByLabel("Edit as plain text").check();
  await expect(field(page)).toHaveValue("- One\n- Two");
  await field(page).fill("- One\n- Two\n\nThree");
  await page.reload();
  await expect(field(page)).toHaveValue("- One\n- Two\n\nThree");
  await page.getByLabel("Edit as plain text").uncheck();
  await expect(field(page).getByText("Three")).toBeVisible();
  await page.getByRole("button", { name: "Save Changes" }).click();
  await expect(page).toHaveURL("/blog");
  const { data } = await owner.from("posts").select("content").eq("slug", slug).single();
  expect(data?.content).toEqual([...content, { type: "paragraph", text: "Three" }]);
});

test("on a phone the title and the text are on the first screen, and the menu opens over them", {
  tag: "@long",
}, async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 780 });
  await logIn(page, "/blog/new");
  await expect(page.getByLabel("Title")).toBeInViewport();
  await expect(field(page)).toBeInViewport({ ratio: 0.3 });
  const box = await field(page).boundingBox();
  expect(box?.width).toBeGreaterThanOrEqual(385);
  const menu = page.getByRole("banner").locator("summary", { hasText: "Menu" });
  await menu.click();
  await expect(page.getByRole("navigation", { name: "Main" })).toBeInViewport({ ratio: 0.9 });
  await menu.click();
  await field(page).fill("Words");
  await field(page).evaluate((element) => {
    for (let at = 0; at < 60; at++) element.append(document.createElement("p"));
  });
  await page.mouse.wheel(0, 900);
  await expect(tool(page, "Bold")).toBeInViewport();
  for (const name of ["Publish Post", "Cancel"]) {
    await expect(page.getByRole("button", { name })).toBeInViewport({ ratio: 1 });
  }
});
