// Helpers for the owner's tests: sign-in, images, the bucket.
import type { Locator, Page } from "@playwright/test";
import type { SupabaseClient } from "@supabase/supabase-js";
import { sessionStorageKey } from "../../../app/supabase/browser-client.ts";
import { ownerAccount } from "../../prepared-data-dir.ts";
import { test as base, connect, expect, openPage, type Rows } from "../test.ts";

/** The slug check requests a single row and gets 406 when the slug is free. */
const slugIsFree = /status of 406/;

export const test = base.extend({
  expectedErrors: slugIsFree,
});
export { expect };

export const account = ownerAccount;

/** One stored session per site and worker, as its text in localStorage. */
const sessions = new Map<string, string>();

/** Opens a page as the owner, with a session that this worker's other tests use as well. */
export async function logIn(page: Page, path = "/blog"): Promise<void> {
  await openWithSession(page, path, async (origin) => {
    const session = sessions.get(origin) ?? (await createSession(origin));
    sessions.set(origin, session);
    return session;
  });
}

/** Opens a page with a session, which is given as its text in localStorage. */
export async function openWithSession(
  page: Page,
  path: string,
  sessionOf: (origin: string) => Promise<string>,
): Promise<void> {
  // Loads the smallest response with the site's origin.
  await page.goto("/robots.txt");
  const session = await sessionOf(new URL(page.url()).origin);
  await page.evaluate(([key, value]) => localStorage.setItem(key, value), [
    sessionStorageKey,
    session,
  ] as const);
  await openPage(page, path);
}

async function createSession(origin: string): Promise<string> {
  const { auth } = await connect(origin);
  const { data, error } = await auth.signInWithPassword(account);
  if (error) throw error;
  return JSON.stringify(data.session);
}

/** Signs in on the login page, with a session that the test may end. */
export async function logInByForm(page: Page): Promise<void> {
  await page.goto("/login");
  await fillLogin(page);
  await page.waitForURL("/blog");
}

/** Fills in the visible login form and submits it. */
export async function fillLogin(page: Page, { email, password } = ownerAccount): Promise<void> {
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password").fill(password);
  await page.getByRole("button", { name: "Log In" }).click();
}

const png = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==",
  "base64",
);

/** An image of one pixel, padded with the given number of bytes. */
export function imageFile(name = "picture.png", bytes = png.length) {
  const buffer = Buffer.concat([png, Buffer.alloc(Math.max(0, bytes - png.length))]);
  return { name, mimeType: "image/png", buffer };
}

/** Chooses a file in the post form. */
export async function chooseImage(page: Page, file = imageFile()): Promise<void> {
  await page.getByLabel("Featured image file").setInputFiles(file);
}

/** Chooses a file in the create form and waits for its upload. @returns its public address. */
export async function uploadImage(page: Page, file = imageFile()): Promise<string> {
  const response = page.waitForResponse(
    (response) =>
      response.request().method() === "POST" &&
      response.url().includes("/storage/v1/object/images/"),
  );
  await chooseImage(page, file);
  const url = (await response).url().replace("/object/", "/object/public/");
  await expect(page.locator("form").getByText("Image Uploaded")).toBeVisible();
  return url;
}

/** Drops a file at the start of an element; by default in the zone of the featured image, empty or not. */
export async function dropImage(
  page: Page,
  file: ReturnType<typeof imageFile>,
  target = page.getByLabel("Featured Image file"),
): Promise<void> {
  const { name, mimeType, buffer } = file;
  const transfer = await page.evaluateHandle(
    ({ name, type, bytes }) => {
      const transfer = new DataTransfer();
      transfer.items.add(new File([new Uint8Array(bytes)], name, { type }));
      return transfer;
    },
    { name, type: mimeType, bytes: [...buffer] },
  );
  const { x = 0, y = 0 } = (await target.boundingBox()) ?? {};
  for (const type of ["dragenter", "dragover", "drop"]) {
    const place = { clientX: x + 1, clientY: y + 1 };
    await target.dispatchEvent(type, { dataTransfer: transfer, ...place });
  }
}

/** Stores an image as the post form does. @returns the public address of the image */
export async function storeImage(owner: SupabaseClient): Promise<string> {
  const name = `public/${crypto.randomUUID()}.png`;
  const { buffer, mimeType } = imageFile();
  const images = owner.storage.from("images");
  const { error } = await images.upload(name, buffer, { contentType: mimeType });
  if (error) throw error;
  return images.getPublicUrl(name).data.publicUrl;
}

/** What rows store of an image with this public address. */
export function referenceOf(url: string): string {
  return url.replace(/^.*\/object\/public\//, "");
}

/** Whether a file of the bucket is readable. */
export async function imageExists(url: string): Promise<boolean> {
  return (await fetch(url, { method: "HEAD" })).ok;
}

/** Fills in the create form except the image. */
export async function fillPost(page: Page, title: string): Promise<void> {
  await page.getByLabel("Title").fill(title);
  await page.getByLabel("Category").fill("Testing");
  await page.getByLabel("Content").fill("The first paragraph.\n\nThe second.");
}

/** The state of the open post once what was typed is stored. */
export function savedState(page: Page) {
  return page.getByText(/^(Draft|Changes not yet \w+), saved /);
}

/** Discards the open draft, of a new post or of changes. */
export async function discardDraft(page: Page, what = "draft"): Promise<void> {
  await choose(page.getByRole("main"), `Discard ${what}`);
  await page
    .getByRole("alertdialog")
    .getByRole("button", { name: `Discard ${what}` })
    .click();
  await expect(page.getByText(`${what} discarded`).first()).toBeVisible();
}

/** Removes drafts of the settings after a test. An open form would save its draft after that, and the next test would find it. */
export async function closeAndRemoveDrafts(
  page: Page,
  owner: SupabaseClient,
  sections: readonly string[],
): Promise<void> {
  for (const each of page.context().pages()) await each.close();
  for (const thing of sections) {
    await owner.rpc("discard_draft", { kind: "section", thing, replaced: null }).throwOnError();
  }
}

/** Chooses from the menu '⋯' of a row, by keyboard: toasts cover the buttons. */
export async function choose(row: Locator, action: string, menu = /^More actions/): Promise<void> {
  await row.getByRole("button", { name: menu }).press("Enter");
  const items = row.page().getByRole("menu");
  // A menu focuses its first item when it is painted: a press before that would be one on the first item.
  await expect(items.locator(":focus")).toBeAttached();
  const item = { name: action, exact: true };
  await items.getByRole("menuitem", item).or(items.getByRole("menuitemradio", item)).press("Enter");
}

/** A title that is unique among all tests. */
export function uniqueTitle(words: string): string {
  return `${words} ${crypto.randomUUID().slice(0, 8)}`;
}

/** Stores a post whose title starts with `words`, and deletes it after the test. */
export async function addPost(
  rows: Rows,
  words: string,
  values: Partial<Parameters<Rows["addPost"]>[0]> = {},
): Promise<{ slug: string; title: string }> {
  const title = uniqueTitle(words);
  const slug = title.toLowerCase().replaceAll(" ", "-");
  const content = [{ type: "paragraph", text: "Text." }];
  await rows.addPost({ slug, title, category: "Testing", content, ...values });
  return { slug, title };
}

/** Stores a post and opens it in the editor as the owner. */
export async function editNewPost(
  page: Page,
  rows: Rows,
  words: string,
  values: Parameters<typeof addPost>[2] = {},
): Promise<{ slug: string; title: string }> {
  const post = await addPost(rows, words, values);
  await logIn(page, `/blog/${post.slug}/edit`);
  return post;
}

/** Opens the create form, fills it in and uploads an image. */
export async function draftPost(
  page: Page,
  words: string,
): Promise<{ title: string; image: string }> {
  const title = uniqueTitle(words);
  await logIn(page, "/blog/new");
  await fillPost(page, title);
  return { title, image: await uploadImage(page) };
}
