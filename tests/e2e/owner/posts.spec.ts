import { defaultSite } from "../../default-site.ts";
import { toast } from "../test.ts";
import {
  addPost,
  editNewPost,
  expect,
  fillPost,
  imageExists,
  logIn,
  removeFile,
  test,
  uniqueTitle,
  uploadImage,
} from "./owner.ts";

test("a post is created with its slug, tagline, alt text, author, dates and services", async ({
  page,
  owner,
}) => {
  const title = uniqueTitle("What Is Term Life?");
  await logIn(page, "/blog/new");
  await fillPost(page, title);
  await page.getByLabel("Infinite Banking Concept (IBC)").check();
  await page.getByLabel("Estate Planning").check();
  const publish = page.getByRole("button", { name: "Publish Post" });
  await expect(publish).toBeDisabled();
  const image = await uploadImage(page);
  const before = Date.now();
  await publish.click();

  await expect(toast(page, "Success! 🚀")).toContainText("Your new blog post has been published.");
  await expect(page).toHaveURL("/blog");
  const card = page.getByRole("article").filter({ hasText: title });
  await expect(card).toContainText(`By ${defaultSite.adviser.name}`);
  const slug = `what-is-term-life-${title.slice(-8)}`;
  const { data: post } = await owner.from("posts").select("*").eq("slug", slug).single();
  expect(post).toMatchObject({
    title,
    tagline: `An insightful article about ${title}`,
    alt: `Blog post image for ${title}`,
    author: defaultSite.adviser.name,
    category: "Testing",
    image_url: image,
    related_services: [{ slug: "infinite-banking" }, { slug: "estate-planning" }],
    content: [
      { type: "paragraph", text: "The first paragraph." },
      { type: "paragraph", text: "The second." },
    ],
  });
  expect(Date.parse(post?.published_date ?? "")).toBeGreaterThanOrEqual(before - 1000);

  await card.getByRole("button", { name: "Delete" }).click();
  await page.getByRole("button", { name: "Continue" }).click();
  await expect(toast(page, "Post Deleted")).toContainText(
    "The blog post has been successfully removed.",
  );
  await expect(card).toHaveCount(0);
  expect(await imageExists(image)).toBe(false);
});

test("an incomplete post is not published, and the form says what is missing", async ({ page }) => {
  await logIn(page, "/blog/new");
  await fillPost(page, uniqueTitle("Incomplete"));
  await uploadImage(page);
  for (const field of ["Title", "Category", "Content"]) {
    const kept = await page.getByLabel(field, { exact: true }).inputValue();
    await page.getByLabel(field, { exact: true }).fill("   ");
    await page.getByRole("button", { name: "Publish Post" }).click();
    await expect(toast(page, "Uh oh! Something is missing.")).toContainText(
      "Please fill out all fields and upload an image.",
    );
    await page.getByLabel(field, { exact: true }).fill(kept);
  }
  await page.getByRole("button", { name: "Cancel" }).click();
  await page.getByRole("button", { name: "Discard and leave" }).click();
  await expect(page).toHaveURL("/blog");
});

test("a second post with the same title gets a numeric suffix", async ({ page, owner, rows }) => {
  const { slug, title } = await addPost(rows, "Twice");
  await logIn(page, "/blog/new");
  await fillPost(page, title);
  await uploadImage(page);
  await page.getByRole("button", { name: "Publish Post" }).click();
  await expect(page).toHaveURL("/blog");
  const { data } = await owner
    .from("posts")
    .select("id, slug, image_url")
    .eq("slug", `${slug}-1`)
    .single();
  expect(data?.slug).toBe(`${slug}-1`);
  await owner.from("posts").delete().eq("slug", `${slug}-1`).throwOnError();
  await removeFile(owner, data?.image_url ?? "");
});

const rich = [
  { type: "heading", text: "A heading" },
  { type: "paragraph", text: "A paragraph." },
  { type: "list", items: ["one", "two"] },
  { type: "quote", text: "A quote." },
];

test("a new title regenerates slug, tagline and alt text, and unchanged text keeps its blocks", async ({
  page,
  owner,
  rows,
}) => {
  const title = uniqueTitle("Before");
  const slug = title.toLowerCase().replace(" ", "-");
  const changed = title.replace("Before", "After");
  await rows.addPost({ slug, title, category: "Testing", content: rich, tagline: "x", alt: "y" });
  await logIn(page, `/blog/${slug}/edit`);
  await expect(page.getByLabel("Content")).toHaveValue(
    "## A heading\n\nA paragraph.\n\n- one\n- two\n\n> A quote.",
  );
  await page.getByLabel("Title").fill(changed);
  await page.getByRole("button", { name: "Save Changes" }).click();

  await expect(toast(page, "Success! 🚀")).toContainText("Your blog post has been updated.");
  await expect(page).toHaveURL("/blog");
  const { data } = await owner.from("posts").select("*").eq("title", changed).single();
  expect(data).toMatchObject({
    slug: slug.replace("before", "after"),
    tagline: `An insightful article about ${changed}`,
    alt: `Blog post image for ${changed}`,
    content: rich,
    image_url: null,
  });
  await owner.from("posts").delete().eq("title", changed).throwOnError();
});

test("without its marks, text becomes paragraphs", async ({ page, owner, rows }) => {
  const { slug } = await editNewPost(page, rows, "Flatten", { content: rich });
  await page.getByLabel("Content").fill("A heading\n\none\ntwo\n\nNew.");
  await page.getByRole("button", { name: "Save Changes" }).click();
  await expect(page).toHaveURL("/blog");

  const { data } = await owner.from("posts").select("slug, content").eq("slug", slug).single();
  expect(data?.content).toEqual([
    { type: "paragraph", text: "A heading" },
    { type: "paragraph", text: "one\ntwo" },
    { type: "paragraph", text: "New." },
  ]);
});

test("an unknown slug redirects to the blog, and Cancel returns to the post", async ({
  page,
  rows,
}) => {
  const { slug } = await addPost(rows, "Cancel", { content: rich });
  await logIn(page, "/blog/no-such-post/edit");
  await expect(page).toHaveURL("/blog");
  await page.goto(`/blog/${slug}/edit`);
  await page.getByRole("button", { name: "Cancel" }).click();
  await expect(page).toHaveURL(`/blog/${slug}`);
});

test.describe("a save that fails", () => {
  test.use({ expectedErrors: /status of 500|Updating the post failed/ });

  test("loses nothing and can be repeated, with the fields disabled while it runs", async ({
    page,
    rows,
  }) => {
    const { title } = await editNewPost(page, rows, "Keep", { content: rich });
    const save = page.getByRole("button", { name: "Save Changes" });
    await test.step("without a title, it is rejected", async () => {
      await page.getByLabel("Title").fill(" ");
      await save.click();
      await expect(page.getByText("Please fill out all required fields.").first()).toBeVisible();
      await expect(page.getByLabel("Content")).toHaveValue(/A paragraph/);
    });

    await test.step("during the slug check, it is aborted and the form stays", async () => {
      const slugChecks = "**/rest/v1/posts?select=slug*";
      await page.route(slugChecks, (route) =>
        route.fulfill({
          status: 500,
          json: { code: "XX000", message: "down", details: null, hint: null },
        }),
      );
      await page.getByLabel("Title").fill(`${title} changed`);
      await save.click();
      await expect(
        toast(page, "Error! 😢").filter({ hasText: "Error checking slug uniqueness." }),
      ).toBeVisible();
      await expect(page.getByLabel("Title")).toHaveValue(`${title} changed`);
      await page.unroute(slugChecks);
      await page.getByLabel("Title").fill(title);
    });

    await page.getByLabel("Category").fill("Changed");
    let isDown = true;
    const { promise, resolve } = Promise.withResolvers<void>();
    await page.route("**/rest/v1/posts?*", async (route) => {
      if (route.request().method() !== "PATCH") return route.fallback();
      if (isDown) return route.fulfill({ status: 500, json: { code: "XX000", message: "down" } });
      await promise;
      await route.fallback();
    });
    await test.step("while the database is down, the error is shown", async () => {
      await save.click();
      await expect(
        toast(page, "Error! 😢").filter({
          hasText: "There was a problem updating your post. Please try again.",
        }),
      ).toBeVisible();
      await expect(page.getByLabel("Category")).toHaveValue("Changed");
      await expect(save).toBeEnabled();
    });

    await test.step("while it runs, the fields are disabled and the button says so", async () => {
      isDown = false;
      await save.click();
      await expect(page.getByRole("button", { name: "Saving..." })).toBeDisabled();
      await expect(page.getByLabel("Title")).toBeDisabled();
      resolve();
      await expect(page).toHaveURL("/blog");
    });
  });
});

test("a dialog confirms the deletion of a post; from its page the owner is sent to the blog once", async ({
  page,
  rows,
}) => {
  const { title } = await addPost(rows, "Doomed", { content: rich });
  await logIn(page);
  await page
    .getByRole("article")
    .filter({ hasText: title })
    .getByRole("link", { name: "Read More" })
    .click();
  await page.getByRole("button", { name: "Delete Post" }).click();
  const dialog = page.getByRole("alertdialog", { name: "Are you absolutely sure?" });
  await expect(dialog).toContainText(
    "This action cannot be undone. This will permanently delete this post.",
  );
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await expect(page.getByRole("heading", { name: title })).toBeVisible();

  await page.getByRole("button", { name: "Delete Post" }).click();
  const entries = await page.evaluate(() => history.length);
  await dialog.getByRole("button", { name: "Continue" }).click();
  await expect(page).toHaveURL("/blog");
  await expect(toast(page, "Post Deleted")).toBeVisible();
  expect(await page.evaluate(() => history.length)).toBe(entries + 1);
});

test.describe("a delete that affected no row", () => {
  test.use({ expectedErrors: /Deleting the post failed/ });

  test("is reported as a failure", async ({ page, rows }) => {
    const title = uniqueTitle("Stays");
    await rows.addPost({ slug: title.toLowerCase().replace(" ", "-"), title, category: "Testing" });
    await logIn(page);
    await page.route("**/rest/v1/posts?*", (route) =>
      route.request().method() === "DELETE" ? route.fulfill({ json: [] }) : route.fallback(),
    );
    const card = page.getByRole("article").filter({ hasText: title });
    await card.getByRole("button", { name: "Delete" }).click();
    await page.getByRole("button", { name: "Continue" }).click();
    await expect(toast(page, "Deletion Failed")).toContainText(
      "Could not delete the post. Please try again.",
    );
    await expect(card).toBeVisible();
  });
});

test("a post with an empty block can be saved while its text is unchanged", async ({
  page,
  owner,
  rows,
}) => {
  const content = [{ type: "paragraph", text: "" }];
  const { slug } = await editNewPost(page, rows, "Blank", { content });
  await page.getByLabel("Category").fill("Changed");
  await page.getByRole("button", { name: "Save Changes" }).click();
  await expect(page).toHaveURL("/blog");
  const { data } = await owner.from("posts").select("category, content").eq("slug", slug).single();
  expect(data).toEqual({ category: "Changed", content });
});

test("saving over a newer version warns instead of overwriting it", async ({
  page,
  owner,
  rows,
}) => {
  const { slug } = await editNewPost(page, rows, "Contested", { content: rich });
  await page.getByLabel("Category").fill("Mine");
  await owner
    .from("posts")
    .update({ category: "Theirs", updated_at: new Date().toISOString() })
    .eq("slug", slug);

  await page.getByRole("button", { name: "Save Changes" }).click();
  await expect(toast(page, "Error! 😢")).toContainText(
    "This post was changed somewhere else after you opened it.",
  );
  await expect(
    page.getByText("Nothing was saved, and what you typed is still here."),
  ).toBeVisible();
  const category = async () =>
    (await owner.from("posts").select("category").eq("slug", slug).single()).data?.category;
  expect(await category()).toBe("Theirs");
  await expect(page.getByLabel("Category")).toHaveValue("Mine");

  // An incomplete save leaves the choice open.
  const title = page.getByLabel("Title");
  const kept = await title.inputValue();
  await title.fill(" ");
  await page.getByRole("button", { name: "Save Changes" }).click();
  await expect(toast(page, "Uh oh! Something is missing.")).toBeVisible();
  await title.fill(kept);

  await page.getByRole("button", { name: "Overwrite it with mine" }).click();
  await expect(page).toHaveURL("/blog");
  expect(await category()).toBe("Mine");
});

test("typed text survives a reload; leaving with unsaved changes asks first", async ({ page }) => {
  await logIn(page, "/blog/new");
  await fillPost(page, "Unsaved");
  page.once("dialog", (dialog) => dialog.accept());
  await page.reload();
  await expect(page.getByLabel("Title")).toHaveValue("Unsaved");
  await expect(page.getByText("What you had typed before is here again.")).toBeVisible();

  await page.getByRole("link", { name: "Contact" }).first().click();
  const dialog = page.getByRole("alertdialog", { name: "Leave without saving?" });
  await dialog.getByRole("button", { name: "Keep editing" }).click();
  await expect(page.getByLabel("Title")).toHaveValue("Unsaved");
  await page.getByRole("link", { name: "Contact" }).first().click();
  await dialog.getByRole("button", { name: "Discard and leave" }).click();
  await expect(page).toHaveURL("/contact");
  await page.goto("/blog/new");
  await expect(page.getByLabel("Title")).toHaveValue("");
});
