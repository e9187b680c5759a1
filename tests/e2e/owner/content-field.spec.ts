import type { Page } from "@playwright/test";
import { findingsOf } from "../access/axe.ts";
import { openPage } from "../test.ts";
import { editNewPost, expect, imageFile, logIn, test } from "./owner.ts";

const field = (page: Page) => page.getByLabel("Content");
const preview = (page: Page) => page.getByRole("region", { name: "Preview", exact: true });

/** Pastes like a program that puts HTML and plain text on the clipboard. */
async function paste(page: Page, text: string, html = ""): Promise<void> {
  await field(page).evaluate(
    (element, data) => {
      const clipboardData = new DataTransfer();
      clipboardData.setData("text/plain", data.text);
      if (data.html) clipboardData.setData("text/html", data.html);
      const event = new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true });
      element.dispatchEvent(event);
    },
    { text, html },
  );
}

async function select(page: Page, words: string): Promise<void> {
  await field(page).evaluate((element, wanted) => {
    if (!(element instanceof HTMLTextAreaElement)) return;
    const start = element.value.indexOf(wanted);
    element.focus();
    element.setSelectionRange(start, start + wanted.length);
  }, words);
}

test("a post is formatted by keyboard alone, previewed, and each step can be undone", async ({
  page,
  rows,
  owner,
}) => {
  const { slug } = await editNewPost(page, rows, "Keyboard");
  await field(page).fill("");
  await field(page).focus();
  await page.keyboard.type("- Ask early");
  await page.keyboard.press("Enter");
  await expect(field(page)).toHaveValue("- Ask early\n- ");
  await page.keyboard.press("Control+z");
  await expect(field(page)).toHaveValue("- Ask early");
  await page.keyboard.press("Control+Shift+z");
  await page.keyboard.press("Control+End");
  const bold = page.getByRole("button", { name: "Bold" });
  await page.keyboard.press("Control+b");
  await expect(bold).toHaveAttribute("aria-pressed", "true");
  await page.keyboard.type("often ");
  await page.keyboard.press("Control+b");
  await expect(bold).toHaveAttribute("aria-pressed", "false");
  await page.keyboard.press("Enter");
  await page.keyboard.press("Enter");
  await page.keyboard.type("See www.a.example/b_(c).");
  // Switched on, but nothing is typed.
  await bold.click();
  await expect(bold).toHaveAttribute("aria-pressed", "true");
  await page.keyboard.press("Home");
  await expect(field(page)).toHaveValue(
    /^- Ask early\n- \*\*often\*\* ?\n\nSee www\.a\.example\/b_\(c\)\.$/,
  );
  await expect(preview(page).getByRole("link", { name: "www.a.example/b_(c)" })).toBeVisible();
  // Bold and italic, then italic alone, then nothing: leaving the field removes the rest, and keeps the place.
  await field(page).fill("One two");
  await select(page, "One");
  await page.keyboard.press("ArrowRight");
  for (const key of ["b", "i", "b"]) await page.keyboard.press(`Control+${key}`);
  await expect(field(page)).toHaveValue("One** two");
  await page.keyboard.press("Shift+Tab");
  await expect(field(page)).toHaveValue("One two");
  await page.keyboard.press("Tab");
  await page.keyboard.type("!");
  await expect(field(page)).toHaveValue("One! two");
  await field(page).fill("- One");
  await page.keyboard.press("Shift+Enter");
  await page.keyboard.type("more");
  await expect(field(page)).toHaveValue("- One\n  more");

  await field(page).fill("First\nSecond\n\nSee the guide");
  await select(page, "First\nSecond");
  // The toolbar is one tab stop before the field.
  await page.keyboard.press("Shift+Tab");
  await expect(page.getByRole("button", { name: "Heading" })).toBeFocused();
  await page.keyboard.press("ArrowRight");
  await expect(page.getByRole("button", { name: "List", exact: true })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(field(page)).toHaveValue("- First\n- Second\n\nSee the guide");
  await expect(preview(page).getByRole("listitem")).toHaveText(["First", "Second"]);

  await select(page, "the guide");
  await page.keyboard.press("Control+k");
  await page.keyboard.type("https://a.example/guide");
  await expect(field(page)).toHaveValue(/\[the guide\]\(https:\/\/a\.example\/guide\)$/);
  await expect(preview(page).getByRole("link", { name: "the guide" })).toBeVisible();
  await expect(page.getByText("5 words · 1 min read")).toBeVisible();
  expect(await findingsOf(page)).toEqual([]);

  await page.getByRole("button", { name: "Save Changes" }).click();
  await expect(page).toHaveURL("/blog");
  const { data } = await owner.from("posts").select("content").eq("slug", slug).single();
  expect(data?.content).toEqual([
    { type: "list", items: ["First", "Second"] },
    {
      type: "paragraph",
      text: "See the guide",
      marks: [{ type: "link", start: 4, end: 13, href: "https://a.example/guide" }],
    },
  ]);
});

test("the preview follows the cursor, and on a phone it is one tap away", async ({ page }) => {
  await logIn(page, "/blog/new");
  const paragraphs = Array.from({ length: 40 }, (_, index) => `Paragraph ${index + 1}.`);
  await field(page).fill(paragraphs.join("\n\n"));
  await select(page, "Paragraph 30.");
  await page.keyboard.press("ArrowRight");
  await page.keyboard.type(" More");
  await expect(preview(page).getByText("Paragraph 30. More")).toBeInViewport();
  await expect(field(page)).toBeFocused();

  await page.setViewportSize({ width: 390, height: 780 });
  await expect(preview(page)).toBeHidden();
  await page.getByRole("button", { name: "Preview", exact: true }).click();
  await expect(field(page)).toBeHidden();
  await expect(preview(page).getByText("Paragraph 30. More")).toBeInViewport();
  await page.getByRole("button", { name: "Write", exact: true }).click();
  await expect(field(page)).toBeFocused();
  await page.keyboard.type("!");
  await expect(field(page)).toHaveValue(/Paragraph 30\. More!\n/);
  expect(await findingsOf(page)).toEqual([]);
});

test("pasted text keeps its structure and none of its styles", async ({ page }) => {
  await logIn(page, "/blog/new");
  await paste(
    page,
    "A guide",
    `<meta charset="utf-8"><style>p { color: red }</style>
    <h1 style="color:red"><span style="font-family:Arial">A guide</span></h1>
    <p class="MsoNormal"><span style="font-weight:700">Bold</span> and <i>italic</i>,
    <a href="https://a.example">a link</a>, <a href="javascript:alert(1)">no link</a>.</p>
    <ul><li><p>One</p></li><li>Two<ul><li>Inner</li></ul></li></ul>
    <p class="MsoListParagraph">1.&nbsp;&nbsp; First</p><p class="MsoListParagraph">2.&nbsp; Second</p>
    <blockquote><p>Quoted</p></blockquote><script>alert(1)</script>`,
  );
  await expect(field(page)).toHaveValue(
    [
      "## A guide",
      "**Bold** and *italic*, [a link](https://a.example), no link.",
      "- One\n- Two\n- Inner",
      "1. First\n2. Second",
      "> Quoted",
    ].join("\n\n"),
  );
  await select(page, "Quoted");
  await paste(page, "https://a.example/quote");
  await expect(field(page)).toHaveValue(/> \[Quoted\]\(https:\/\/a\.example\/quote\)$/);
});

test("an image in the text needs alternative text, and visitors see it", async ({ page, rows }) => {
  const { slug } = await editNewPost(page, rows, "Illustrated");
  await page.getByRole("button", { name: "Image", exact: true }).click();
  const dialog = page.getByRole("dialog", { name: "Insert an image" });
  await dialog.getByLabel("Image file").setInputFiles(imageFile());
  await dialog.getByRole("button", { name: "Insert" }).click();
  await expect(dialog.getByRole("alert")).toContainText("Describe the image");
  await dialog.getByLabel("Alternative text").fill("A lighthouse");
  await dialog.getByRole("button", { name: "Insert" }).click();
  await expect(dialog).toHaveCount(0);
  await expect(preview(page).getByRole("img", { name: "A lighthouse" })).toBeVisible();
  await page.getByRole("button", { name: "Save Changes" }).click();
  await expect(page).toHaveURL("/blog");
  await openPage(page, `/blog/${slug}`);
  const image = page.getByRole("img", { name: "A lighthouse" });
  await image.scrollIntoViewIfNeeded();
  // The promise rejects for an image that is missing or damaged.
  await image.evaluate((element: HTMLImageElement) => element.decode());
});
