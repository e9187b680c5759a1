// The marks of the content field, from typing to what visitors see.
import { openPage } from "../test.ts";
import { editNewPost, expect, fillPost, logIn, test, uniqueTitle, uploadImage } from "./owner.ts";

const marked = `A paragraph with **bold**, *italic* and [a link](https://example.com/a_(b)).

## What it costs

- Low, see https://www.irs.gov
- **High**

1. Ask [me](tel:+1-555-0100)
2. Read [the blog](SITE/blog)

> Said *once*

!! Sign **nothing** today.

![A quiet lane](/images/posts/old-oak.svg "1600x900")

<script>alert(1)</script> and [a](javascript:alert(1)) and **unclosed`;

test("marked text is published as headings, lists, quotes, boxes, images and links", async ({
  page,
  owner,
}) => {
  const title = uniqueTitle("Marked");
  await logIn(page, "/blog/new");
  await fillPost(page, title);
  await page.getByLabel("Content").fill(marked.replace("SITE", new URL(page.url()).origin));
  await uploadImage(page);
  await page.getByRole("button", { name: "Publish Post" }).click();
  await expect(page).toHaveURL("/blog");
  const { data: post } = await owner.from("posts").select("slug").eq("title", title).single();

  await openPage(page, `/blog/${post?.slug}`);
  const body = page.getByRole("article");
  await expect(body.getByRole("heading", { name: "What it costs", level: 2 })).toBeVisible();
  await expect(body.locator("strong")).toHaveText(["bold", "High", "nothing"]);
  await expect(body.locator("em")).toHaveText(["italic", "once"]);
  await expect(body.locator("ul > li")).toHaveText([/^Low, see https/, "High"]);
  await expect(body.locator("ol > li")).toHaveText(["Ask me", "Read the blog"]);
  await expect(body.getByRole("blockquote")).toHaveText("Said once");
  await expect(body.getByRole("note", { name: "Remember this" })).toContainText("Sign nothing");
  const image = body.getByRole("img", { name: "A quiet lane" });
  await expect(image).toHaveAttribute("loading", "lazy");
  await expect(image).toHaveAttribute("width", "1600");
  await expect(body.getByRole("link", { name: "a link (opens in a new tab)" })).toHaveAttribute(
    "href",
    "https://example.com/a_(b)",
  );
  await expect(body.getByRole("link", { name: "https://www.irs.gov" })).toHaveCount(1);
  const call = body.getByRole("link", { name: "me", exact: true });
  await expect(call).toHaveAttribute("href", "tel:+1-555-0100");
  await expect(call).not.toHaveAttribute("target");
  await expect(
    body.getByText("<script>alert(1)</script> and [a](javascript:alert(1)) and **unclosed"),
  ).toBeVisible();
  await body.getByRole("link", { name: "the blog", exact: true }).click();
  await expect(page).toHaveURL("/blog");
  await owner.from("posts").delete().eq("title", title).throwOnError();
});

test("correcting one letter leaves all other blocks as they are stored", async ({
  page,
  owner,
  rows,
}) => {
  const content = [
    { type: "heading", text: "A heading", id: 1 },
    { type: "paragraph", text: "A typpo." },
    { type: "video", src: "/unknown.mp4" },
    { type: "list", items: ["one", " two "], style: "wide" },
    { type: "paragraph", text: "Old **stars** stay.", marks: [{ type: "color" }] },
    { type: "quote", text: "A quote." },
  ];
  const { slug } = await editNewPost(page, rows, "Typo", { content });
  const field = page.getByLabel("Content");
  await field.fill((await field.inputValue()).replace("typpo", "typo"));
  await page.getByRole("button", { name: "Save Changes" }).click();
  await expect(page).toHaveURL("/blog");
  const { data } = await owner.from("posts").select("content").eq("slug", slug).single();
  expect(data?.content).toEqual(
    content.map((block, index) => (index === 1 ? { type: "paragraph", text: "A typo." } : block)),
  );
});

test("a text that is too long is not sent, and stays in the field", async ({ page, rows }) => {
  await editNewPost(page, rows, "Long");
  const long = "words ".repeat(90_000);
  await page.getByLabel("Content").fill(long);
  await page.getByRole("button", { name: "Save Changes" }).click();
  await expect(page.getByRole("alert").getByText("The text is too long")).toBeVisible();
  await expect(page.getByLabel("Content")).toHaveValue(long);
});
