import { defaultSite } from "../../default-site.ts";
import { storeDraft } from "../../post-calls.ts";
import { findingsOf } from "../access/axe.ts";
import { toast } from "../test.ts";
import {
  addPost,
  choose,
  discardDraft,
  draftPost,
  editNewPost,
  expect,
  fillPost,
  imageExists,
  logIn,
  referenceOf,
  savedState,
  test,
  uniqueTitle,
  uploadImage,
} from "./owner.ts";

const rich = [
  { type: "heading", text: "A heading" },
  { type: "paragraph", text: "A paragraph." },
  { type: "list", items: ["one", "two"] },
  { type: "quote", text: "A quote." },
];

test("a complete post is created with its slug, tagline, alt text, author, dates and services, and deleted", {
  tag: "@translated",
}, async ({ page, owner, rows }) => {
  const title = uniqueTitle("What Is Term Life?");
  const taken = `what-is-term-life-${title.slice(-8)}`;
  await rows.addPost({ slug: taken, title: "Another", category: "Testing" });
  // A plain-http address other than loopback is not a secure context, so it is missing there.
  await page.addInitScript(() => Reflect.deleteProperty(Crypto.prototype, "randomUUID"));
  await logIn(page, "/blog/new");
  await fillPost(page, title);
  await page.getByLabel("Infinite Banking Concept (IBC)").check();
  await page.getByLabel("Estate Planning").check();
  const publish = page.getByRole("button", { name: "Publish Post" });
  await expect(publish).toBeDisabled();
  const image = await uploadImage(page);
  await test.step("without one of its texts it is not published", async () => {
    for (const [label, wanted] of [
      ["Title", "Add a title."],
      ["Category", "Add a category."],
      ["Content", "Write the text."],
    ] as const) {
      const field = page.getByLabel(label, { exact: true });
      const kept = label === "Content" ? "The first paragraph." : await field.inputValue();
      await field.fill("   ");
      await publish.click();
      await expect(toast(page, "Uh oh! Something is missing.")).toContainText(
        "Please fill out all fields and upload an image.",
      );
      await expect(field).toBeFocused();
      await expect(field).toHaveAccessibleDescription(new RegExp(wanted));
      await field.fill(kept);
      await expect(page.getByText(wanted)).toHaveCount(0);
      await expect(page.getByRole("alert")).toHaveCount(0);
    }
  });

  const before = Date.now();
  await publish.click();
  await expect(toast(page, "Success! 🚀")).toContainText("Your new blog post has been published.");
  await expect(page).toHaveURL("/blog");
  const card = page.getByRole("article").filter({ hasText: title });
  await expect(card).toContainText(`By ${defaultSite.adviser.name}`);
  const { data: post } = await owner.from("posts").select("*").eq("slug", `${taken}-1`).single();
  expect(post).toMatchObject({
    title,
    tagline: `An insightful article about ${title}`,
    alt: `Blog post image for ${title}`,
    author: defaultSite.adviser.name,
    category: "Testing",
    image_url: referenceOf(image),
    related_services: [{ slug: "infinite-banking" }, { slug: "estate-planning" }],
    content: [{ type: "paragraph", text: "The first paragraph." }],
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

test("a new title regenerates slug and tagline, an own alternative text is published, and unchanged text keeps its blocks", {
  tag: "@long",
}, async ({ page, owner, rows }) => {
  const title = uniqueTitle("Before");
  const slug = title.toLowerCase().replace(" ", "-");
  const changed = title.replace("Before", "After");
  const movedSlug = slug.replace("before", "after");
  const tagline = `An insightful article about ${title}`;
  const image_url = "/images/posts/old-oak.svg";
  await rows.addPost({ slug, title, category: "Testing", content: rich, tagline, image_url });
  await logIn(page, "/blog/no-such-post/edit");
  await expect(page).toHaveURL("/blog");
  await page.goto(`/blog/${slug}/edit`);
  await page.getByRole("button", { name: "Cancel" }).click();
  await expect(page).toHaveURL(`/blog/${slug}`);
  await page.goBack();
  const field = page.getByLabel("Content", { exact: true });
  await expect(field.getByRole("heading")).toHaveText("A heading");
  await expect(field.getByRole("listitem")).toHaveText(["one", "two"]);
  await page.getByLabel("Title").fill(changed);
  await expect(page.getByLabel("Address")).toHaveAttribute("placeholder", movedSlug);
  await page.getByLabel("Alternative text").fill("An old oak.");
  await page.getByRole("button", { name: "Save Changes" }).click();

  await expect(toast(page, "Success! 🚀")).toContainText("Your blog post has been updated.");
  await expect(page).toHaveURL("/blog");
  const { data } = await owner.from("posts").select("*").eq("title", changed).single();
  expect(data).toMatchObject({
    slug: movedSlug,
    tagline: `An insightful article about ${changed}`,
    alt: "An old oak.",
    content: rich,
    image_url,
  });
  await owner.from("posts").delete().eq("title", changed).throwOnError();
});

test.describe("a save that fails", () => {
  test.use({ expectedErrors: /status of 500|Updating the post failed/ });

  test("loses nothing and can be repeated, with the fields disabled while it runs", {
    tag: "@translated",
  }, async ({ page, rows }) => {
    const { title } = await editNewPost(page, rows, "Keep", { content: rich });
    const save = page.getByRole("button", { name: "Save Changes" });
    const down = { status: 500, json: { code: "XX000", message: "down" } };
    await test.step("without a title, it is rejected", async () => {
      await page.getByLabel("Title").fill(" ");
      await save.click();
      await expect(page.getByText("Please fill out all required fields.").first()).toBeVisible();
      await expect(page.getByLabel("Content")).toContainText("A paragraph");
      expect(await findingsOf(page)).toEqual([]);
    });

    await test.step("during the slug check, it is aborted and the form stays", async () => {
      const slugChecks = "**/rest/v1/posts?select=slug*";
      await page.route(slugChecks, (route) => route.fulfill(down));
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
      if (isDown) return route.fulfill(down);
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
      await expect(page.getByLabel("Content")).not.toBeEditable();
      resolve();
      await expect(page).toHaveURL("/blog");
    });
  });
});

test.describe("a post whose connection is lost", () => {
  test.use({ expectedErrors: /net::ERR|status of 406|Creating the post failed/ });

  test("is kept before its insert, and reported as published after it", { tag: "@long" }, async ({
    page,
    owner,
  }) => {
    const { title, image } = await draftPost(page, "Sent twice");
    let isInserted = false;
    await page.route("**/rest/v1/posts?*", async (route) => {
      if (route.request().method() !== "POST") return route.fallback();
      if (isInserted) await route.fetch();
      await route.abort("connectionreset");
    });
    const publish = page.getByRole("button", { name: "Publish Post" });
    await publish.click();
    await expect(toast(page, "Error! 😢")).toContainText(
      "There was a problem creating your post. Please try again.",
    );
    isInserted = true;
    await publish.click();
    await expect(toast(page, "Success! 🚀")).toBeVisible();
    const { data } = await owner.from("posts").select("image_url").eq("title", title);
    expect(data).toEqual([{ image_url: referenceOf(image) }]);
    expect(await imageExists(image)).toBe(true);
    await owner.from("posts").delete().eq("title", title).throwOnError();
  });
});

test.describe("the deletion of a post", () => {
  test.use({ expectedErrors: /Deletion Failed/ });

  test("is confirmed in a dialog, reported when no row was deleted, and leads to the blog once", async ({
    page,
    rows,
  }) => {
    const { slug, title } = await addPost(rows, "Doomed", { content: rich });
    await logIn(page, `/blog/${slug}`);
    const remove = page.getByRole("button", { name: "Delete Post" });
    await remove.click();
    const dialog = page.getByRole("alertdialog", { name: "Are you absolutely sure?" });
    await expect(dialog).toHaveText(
      "Are you absolutely sure?This action cannot be undone. This will permanently delete this post.CancelContinue",
    );
    expect(await findingsOf(page)).toEqual([]);
    await dialog.getByRole("button", { name: "Cancel" }).click();
    await expect(page.getByRole("heading", { name: title })).toBeVisible();

    await page.route("**/rest/v1/posts?*", (route) =>
      route.request().method() === "DELETE" ? route.fulfill({ json: [] }) : route.fallback(),
    );
    await remove.click();
    await dialog.getByRole("button", { name: "Continue" }).click();
    await expect(toast(page, "Deletion Failed")).toContainText(
      "Could not delete the post. Please try again.",
    );
    await expect(page.getByRole("heading", { name: title })).toBeVisible();
    await page.unroute("**/rest/v1/posts?*");

    await remove.click();
    const entries = await page.evaluate(() => history.length);
    await dialog.getByRole("button", { name: "Continue" }).click();
    await expect(page).toHaveURL("/blog");
    await expect(toast(page, "Post Deleted")).toBeVisible();
    expect(await page.evaluate(() => history.length)).toBe(entries + 1);
  });
});

test("saving over a newer version warns instead of overwriting it", async ({
  page,
  owner,
  rows,
}) => {
  // The page would hear of the other change at once.
  await page.routeWebSocket(/realtime/, (socket) => socket.close());
  const { slug } = await editNewPost(page, rows, "Contested", { content: rich });
  const category = page.getByLabel("Category");
  await category.fill("Mine");
  await expect(savedState(page)).toBeVisible();
  const theirs = { category: "Theirs", tagline: "Also theirs." };
  await owner.from("posts").update(theirs).eq("slug", slug).throwOnError();

  const save = page.getByRole("button", { name: "Save Changes" });
  await save.click();
  await expect(toast(page, "Error! 😢")).toContainText(
    "This post was changed somewhere else after you opened it.",
  );
  const stored = async () =>
    (await owner.from("posts").select("category, tagline").eq("slug", slug).single()).data;
  expect(await stored()).toEqual(theirs);
  await expect(category).toHaveValue("Mine");
  await expect(save).toBeDisabled();
  expect(await findingsOf(page)).toEqual([]);
  await page.getByRole("button", { name: "Keep mine Category" }).click();
  // What was changed elsewhere alone stays, and is named.
  await save.click();
  const dialog = page.getByRole("dialog", { name: "Changed on another device as well" });
  await expect(dialog.getByRole("listitem")).toHaveText(["Tagline: set to “Also theirs.”"]);
  await dialog.getByRole("button", { name: "Save Changes" }).click();
  await expect(page).toHaveURL("/blog");
  expect(await stored()).toEqual({ ...theirs, category: "Mine" });
});

test("an open editor takes over what another window stores, names it before it is published, and asks where both changed a field", {
  tag: "@long",
}, async ({ page, owner, rows }) => {
  const { slug } = await editNewPost(page, rows, "Followed", { content: rich });
  const category = page.getByLabel("Category");
  async function publish(name: string): Promise<string> {
    const changes = { category: name, updated_at: new Date().toISOString() };
    const update = owner.from("posts").update(changes).eq("slug", slug).select("id").single();
    return (await update.throwOnError()).data.id;
  }
  await expect(category).toBeVisible();
  const id = await publish("Published elsewhere");
  await expect(category).toHaveValue("Published elsewhere");
  const news = page.getByRole("status").filter({ hasText: "Changed in another window" });
  await expect(news).toContainText("became “Published elsewhere”");
  await test.step("publishing it names what the other window or device stored", async () => {
    await page.getByRole("button", { name: "Save Changes" }).click();
    const dialog = page.getByRole("dialog", { name: "Changed on another device as well" });
    await expect(dialog).toContainText("became “Published elsewhere”");
    expect(await findingsOf(page)).toEqual([]);
    await dialog.getByRole("button", { name: "Keep editing" }).click();
  });
  await news.getByRole("button", { name: "OK" }).click();
  await expect(news).toHaveCount(0);
  const columns =
    "title, category, author, content, tagline, alt, slug, image_url, related_services";
  const row = owner.from("posts").select(columns).eq("id", id).single();
  const { data } = await row.throwOnError();
  await storeDraft(owner, { ...data, id, category: "Drafted elsewhere" });
  await expect(category).toHaveValue("Drafted elsewhere");
  // The draft is not what was published since.
  await publish("Published again");
  const conflict = page.getByRole("region", { name: "Another window changed this as well" });
  await expect(conflict.getByRole("region", { name: "Yours" })).toHaveText("Drafted elsewhere");
  await expect(category).toHaveValue("Drafted elsewhere");
  await conflict.getByRole("button", { name: "Use the other version" }).click();
  await expect(category).toHaveValue("Published again");
});

test("what is typed is saved, and two windows never overwrite each other", {
  tag: "@translated",
}, async ({ page, owner }) => {
  // The page would hear of the other window's change and show it.
  await page.routeWebSocket(/realtime/, (socket) => socket.close());
  await logIn(page, "/blog/new");
  await fillPost(page, "Unfinished");
  await expect(savedState(page)).toHaveText(/^Draft, saved \d+:\d\d [AP]M$/);
  await expect(page).toHaveURL(/\/blog\/new\?draft=/);
  const id = new URL(page.url()).searchParams.get("draft") ?? "";
  const content = [{ type: "paragraph", text: "The first paragraph, continued." }];
  const draft = owner.from("drafts").select("document").eq("thing", id).single();
  const { document } = (await draft.throwOnError()).data;
  await storeDraft(owner, { ...Object(document), id, content });

  await page.getByLabel("Content").fill("The first paragraph, changed here.");
  const conflict = page.getByRole("region", { name: "Another window changed this as well" });
  await expect(conflict).toBeVisible();
  await expect(page.getByRole("region", { name: "Yours" })).toContainText("changed here");
  await expect(page.getByRole("region", { name: "The other version" })).toContainText("continued");
  await expect(page.getByRole("button", { name: "Publish Post" })).toBeDisabled();
  expect(await findingsOf(page)).toEqual([]);
  await page.getByRole("button", { name: "Use the other version Content" }).click();
  await expect(page.getByLabel("Content")).toHaveText("The first paragraph, continued.");
  await choose(page.getByRole("main"), "Save draft");
  await expect(toast(page, "Draft saved")).toBeVisible();

  // Leaving needs no confirmation when the changes are saved.
  await page.getByRole("link", { name: "Contact" }).first().click();
  await expect(page).toHaveURL("/contact");
  await owner.rpc("discard_draft", { kind: "post", thing: id, replaced: null }).throwOnError();
});

test.describe("while the connection is lost", () => {
  test.use({ expectedErrors: /net::ERR|status of 406|Failed to fetch/ });

  test("typed text stays in the browser, leaving asks first, and it is saved afterwards", {
    tag: "@long",
  }, async ({ page, context }) => {
    await logIn(page, "/blog/new");
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Create New Blog Post");
    await context.setOffline(true);
    await page.getByLabel("Title").fill("Offline");
    await expect(
      page.getByText("Not saved: offline. It is kept in this browser and tried again."),
    ).toBeVisible();
    await page.getByRole("link", { name: "Contact" }).first().click();
    const dialog = page.getByRole("alertdialog", { name: "Leave before this is saved?" });
    await dialog.getByRole("button", { name: "Keep editing" }).click();

    await test.step("nothing says that the draft was not saved once it was", async () => {
      await choose(page.getByRole("main"), "Save draft");
      await expect(page.getByRole("alert")).toHaveText(/^Not saved: offline/);
      await context.setOffline(false);
      await expect(savedState(page)).toBeVisible();
      await expect(page.getByRole("alert")).toHaveCount(0);
    });
    await expect(page).toHaveURL(/\/blog\/new\?draft=/);
    await page.reload();
    await expect(page.getByLabel("Title")).toHaveValue("Offline");
    await discardDraft(page);
    await expect(page).toHaveURL("/blog");
  });
});

test("a complete post is scheduled by keyboard, in the site's time zone, and unscheduled", {
  tag: "@long",
}, async ({ page, owner, visitor }) => {
  const { title } = await draftPost(page, "Later");
  await page.getByLabel("Category").fill("");
  await choose(page.getByRole("main"), "Schedule…");
  await expect(toast(page, "Uh oh! Something is missing.")).toContainText(
    "To schedule the post, add a category.",
  );
  await page.getByLabel("Category").fill("Testing");
  await choose(page.getByRole("main"), "Schedule…");
  const dialog = page.getByRole("dialog", { name: "Schedule the post" });
  await expect(dialog).toContainText("Pacific Time");
  await dialog.getByLabel("Date").fill("2027-11-07");
  await dialog.getByLabel("Time").fill("01:30");
  await expect(dialog.getByLabel("The first time (UTC−07:00)")).toBeChecked();
  expect(await findingsOf(page)).toEqual([]);
  await dialog.getByLabel("Date").focus();
  await page.keyboard.type("03142020");
  await page.keyboard.press("Enter");
  await expect(dialog.getByText("This time is in the past.")).toBeVisible();
  await expect(dialog.getByLabel("Date")).toBeFocused();
  // From the year back to the month.
  await page.keyboard.press("Shift+Tab");
  await page.keyboard.press("Shift+Tab");
  await page.keyboard.type("03142027");
  await dialog.getByLabel("Time").focus();
  await page.keyboard.type("0230AM");
  await expect(dialog.getByText("There is no such time")).toBeVisible();
  await page.keyboard.press("Shift+Tab");
  await page.keyboard.press("Shift+Tab");
  await page.keyboard.type("0330AM");
  await expect(
    dialog.getByText("To be published on Mar 14, 2027, 3:30 AM (Pacific Time)."),
  ).toBeVisible();
  await page.keyboard.press("Enter");

  await expect(toast(page, "Post scheduled")).toBeVisible();
  await expect(page.getByText("Scheduled for Mar 14, 2027, 3:30 AM")).toBeVisible();
  await expect(page.getByRole("heading", { level: 1 })).toBeFocused();
  const id = new URL(page.url()).searchParams.get("draft") ?? "";
  const stored = await owner.from("schedules").select("at").eq("thing", id).single();
  expect(Date.parse(stored.data?.at ?? "")).toBe(Date.parse("2027-03-14T10:30:00Z"));
  expect((await visitor.from("posts").select("id").eq("title", title)).data).toEqual([]);

  await page.getByLabel("Category").fill("Changed");
  await page.getByRole("button", { name: "Save schedule" }).press("Enter");
  await expect(toast(page, "Schedule saved")).toBeVisible();
  await choose(page.getByRole("main"), "Unschedule");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Create New Blog Post");
  await expect(page.getByLabel("Category")).toHaveValue("Changed");
  await discardDraft(page);
});
