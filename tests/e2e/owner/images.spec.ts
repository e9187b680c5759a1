import { crc32 } from "node:zlib";
import type { Page } from "@playwright/test";
import { toast } from "../test.ts";
import {
  addPost,
  chooseImage,
  discardDraft,
  draftPost,
  dropImage,
  editNewPost,
  expect,
  fillPost,
  imageExists,
  imageFile,
  logIn,
  removeFile,
  test,
  uploadImage,
} from "./owner.ts";

test("the file of a new post is deleted when its image is replaced or removed", async ({
  page,
}) => {
  await logIn(page, "/blog/new");
  const publish = page.getByRole("button", { name: "Publish Post" });
  const reason = page.getByText("To publish the post, upload a featured image.");
  await expect(publish).toBeDisabled();
  await expect(reason).toBeVisible();
  const first = await uploadImage(page);
  expect(first).toMatch(/\/object\/public\/images\/public\/[0-9a-f-]{36}\.png$/);
  expect(await imageExists(first)).toBe(true);
  await expect(publish).toBeEnabled();
  await expect(reason).toHaveCount(0);

  await dropImage(page, imageFile("other.png", 500));
  const shown = page.getByRole("img", { name: /Featured/ });
  await expect(shown).toHaveAttribute("src", /\/storage\/v1\/object\/public\/images\//);
  await expect(shown).not.toHaveAttribute("src", first);
  const second = (await shown.getAttribute("src")) ?? "";
  await expect.poll(() => imageExists(first)).toBe(false);
  expect(await imageExists(second)).toBe(true);
  await page.getByRole("button", { name: "Remove image" }).click();
  await expect.poll(() => imageExists(second)).toBe(false);
  await expect(reason).toBeVisible();
  await discardDraft(page);
});

test("a reload keeps the uploaded image and the text, and the post can be published", async ({
  page,
  owner,
}) => {
  const { title, image } = await draftPost(page, "Reloaded");
  await expect(page.getByText(/^Saved /)).toBeVisible();
  await page.reload();
  await expect(page.getByLabel("Title")).toHaveValue(title);
  await expect(page.getByRole("img", { name: /Featured/ })).toHaveAttribute("src", image);
  await page.getByRole("button", { name: "Publish Post" }).click();
  await expect(page).toHaveURL("/blog");
  const { data } = await owner.from("posts").select("image_url").eq("title", title).single();
  expect(data?.image_url).toBe(image);
  await owner.from("posts").delete().eq("title", title).throwOnError();
  await removeFile(owner, image);
});

test.describe("an image that was deleted elsewhere", () => {
  test.use({ expectedErrors: /status of 404/ });

  test("is reported as missing when its draft is opened again", async ({ page }) => {
    await logIn(page, "/blog/new");
    await fillPost(page, "Reloaded");
    const image = await uploadImage(page);
    await expect(page.getByText(/^Saved /)).toBeVisible();
    await page.route(image, (route) => route.fulfill({ status: 404 }));
    await page.reload();
    await expect(page.getByRole("alert")).toHaveText(
      "The image that you had uploaded is no longer stored. Please upload it again.",
    );
    await expect(page.getByText("Drop a picture here")).toBeVisible();
    await expect(page.getByLabel("Title")).toHaveValue("Reloaded");
    await discardDraft(page);
  });
});

test("the image of a stored post can be replaced by drop and by keyboard, and its upload is confirmed", async ({
  page,
  owner,
  rows,
}) => {
  const { slug } = await editNewPost(page, rows, "Replaced", {
    image_url: "/images/posts/old-oak.svg",
  });
  const shown = page.getByRole("img", { name: /Featured/ });
  await dropImage(page, imageFile());
  await expect(shown).toHaveAttribute("src", /^blob:/);
  const dropped = await shown.getAttribute("src");

  const chooser = page.waitForEvent("filechooser");
  await page.getByRole("button", { name: "Replace image" }).focus();
  await page.keyboard.press("Enter");
  await (await chooser).setFiles(imageFile("other.png", 500));
  await expect(shown).not.toHaveAttribute("src", dropped ?? "");

  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  await page.route("**/rest/v1/posts?*", async (route) => {
    if (route.request().method() === "PATCH") await released;
    await route.fallback();
  });
  await page.getByRole("button", { name: "Save Changes" }).click();
  await expect(toast(page, "Image Uploaded")).toBeVisible();
  await expect(page.locator("form").getByText("Image Uploaded")).toBeVisible();
  release();
  await expect(toast(page, "Success! 🚀")).toBeVisible();
  await expect(page).toHaveURL("/blog");
  const { data } = await owner.from("posts").select("image_url").eq("slug", slug).single();
  expect(data?.image_url).toMatch(/\/public\/images\/public\//);
});

test("a removed image stays removed when another one is chosen and removed", async ({
  page,
  owner,
  rows,
}) => {
  const { slug } = await editNewPost(page, rows, "Removed", {
    image_url: "/images/posts/old-oak.svg",
  });
  await page.getByRole("button", { name: "Remove image" }).click();
  await chooseImage(page);
  await expect(page.getByRole("img", { name: /Featured/ })).toBeVisible();
  await page.getByRole("button", { name: "Remove image" }).click();
  await expect(page.getByText("Drop a picture here")).toBeVisible();
  await page.getByRole("button", { name: "Save Changes" }).click();
  await expect(page).toHaveURL("/blog");
  const { data } = await owner.from("posts").select("image_url").eq("slug", slug).single();
  expect(data?.image_url).toBeNull();
});

test("the progress bar follows the uploaded bytes, and the remove button cancels", async ({
  page,
  context,
}) => {
  await logIn(page, "/blog/new");
  const network = await context.newCDPSession(page);
  await network.send("Network.enable");
  await network.send("Network.emulateNetworkConditions", {
    offline: false,
    latency: 0,
    downloadThroughput: -1,
    uploadThroughput: 400_000,
  });
  await chooseImage(page, imageFile("large.png", 2_000_000));
  const bar = page.getByRole("progressbar");
  const seen = new Set<number>();
  await expect
    .poll(async () => {
      seen.add(Number(await bar.getAttribute("value")));
      return [...seen].filter((value) => value > 0 && value < 100).length;
    })
    .toBeGreaterThan(2);
  await expect(page.getByRole("button", { name: "Publish Post" })).toBeDisabled();

  await page.getByRole("button", { name: "Cancel upload and remove image" }).click();
  await expect(bar).toHaveCount(0);
  await expect(page.getByText("Drop a picture here")).toBeVisible();
});

test.describe("an image that cannot be uploaded", () => {
  // Playwright's trace fetches the failed preview, which the page's Content-Security-Policy
  // forbids.
  test.use({
    expectedErrors:
      /net::ERR|status of 4\d\d|Uploading the image failed|Connecting to 'blob:|ERR_FILE_NOT_FOUND/,
  });

  const png = (name: string, buffer: Buffer<ArrayBuffer>) => ({
    name,
    mimeType: "image/png",
    buffer,
  });
  const damaged = png(
    "damaged.png",
    Buffer.concat([imageFile().buffer.subarray(0, 33), Buffer.alloc(500, 7)]),
  );

  test("is rejected before upload by extension and by content", async ({ page }) => {
    await logIn(page, "/blog/new");
    let uploads = 0;
    await page.route("**/storage/v1/object/**", (route) => {
      uploads += 1;
      return route.fallback();
    });
    await expect(page.getByText("PNG, JPG, GIF up to 10MB")).toBeVisible();
    await chooseImage(page, {
      name: "notes.txt",
      mimeType: "text/plain",
      buffer: Buffer.from("text"),
    });
    await expect(page.getByText(/^File type must be/)).toBeVisible();
    await chooseImage(page, png("empty.png", Buffer.alloc(0)));
    await expect(page.getByText("File is smaller than 1 bytes")).toBeVisible();

    // It declares 30,000 x 30,000 pixels, for which no memory may be allocated.
    const { buffer: bomb } = imageFile();
    bomb.writeUInt32BE(30_000, 16);
    bomb.writeUInt32BE(30_000, 20);
    bomb.writeUInt32BE(crc32(bomb.subarray(12, 29)), 29);
    await expectRejection(
      page,
      png("bomb.png", bomb),
      /at most 100 megapixels|damaged or incomplete/,
    );
    await expectRejection(
      page,
      png("evil.png", Buffer.from("<script>alert(1)</script>")),
      "This file is not a JPEG, PNG, GIF or WebP picture.",
    );
    await expectRejection(
      page,
      damaged,
      "This image is damaged or incomplete. Please choose another file.",
    );
    expect(uploads).toBe(0);
  });

  test("is rejected with the server's reason, or because the connection is lost", async ({
    page,
  }) => {
    await logIn(page, "/blog/new");
    const uploads = "**/storage/v1/object/images/**";
    const tooLarge = "The picture is too large: at most 50 MB.";
    const json = { statusCode: "413", error: "Payload too large", message: "too large" };
    await page.route(uploads, (route) => route.fulfill({ status: 400, json }));
    await expectRejection(page, imageFile(), tooLarge);
    await page.unroute(uploads);
    await page.route(uploads, (route) => route.abort("connectionreset"));
    await expectRejection(page, imageFile(), "The connection was lost.");
    await page.unroute(uploads);
    await page.route(uploads, (route) =>
      route.fulfill({ status: 413, body: "<html>nginx</html>" }),
    );
    await expectRejection(page, imageFile(), tooLarge);
  });

  test("is rejected at once in the edit form when it is damaged", async ({ page, rows }) => {
    await editNewPost(page, rows, "Damaged", { image_url: "/images/posts/old-oak.svg" });
    await chooseImage(page, damaged);
    await expect(toast(page, "Image upload failed")).toBeVisible();
    await expect(page.getByText("This image is damaged or incomplete.")).toBeVisible();
    await expect(page.getByRole("img", { name: /Featured/ })).toHaveAttribute(
      "src",
      /old-oak\.svg/,
    );
  });

  test("leaves an edited post its image and its text", async ({ page, rows }) => {
    const { title } = await editNewPost(page, rows, "Lost", {
      image_url: "/images/posts/old-oak.svg",
    });
    const shown = page.getByRole("img", { name: /Featured/ });
    const notice = toast(page, "Image upload failed");
    await page.getByRole("button", { name: "Remove image" }).click();
    await chooseImage(page);
    await expect(shown).toHaveAttribute("src", /^blob:/);
    await page.route("**/storage/v1/object/images/**", (route) => route.abort("connectionreset"));
    await page.getByRole("button", { name: "Save Changes" }).click();
    await expect(notice).toBeVisible();
    await expect(notice).not.toContainText("connection");
    await expect(shown).toHaveAttribute("src", /old-oak\.svg/);
    await expect(page.getByLabel("Title")).toHaveValue(title);
  });
});

test("an edit adds, replaces and removes the image, and deletes each old file", async ({
  page,
  owner,
  rows,
}) => {
  const { slug } = await addPost(rows, "Pictures");
  const stored = async () =>
    (await owner.from("posts").select("image_url").eq("slug", slug).single()).data?.image_url ??
    null;
  const save = async () => {
    await page.getByRole("button", { name: "Save Changes" }).click();
    await expect(page).toHaveURL("/blog");
  };

  await logIn(page, `/blog/${slug}/edit`);
  await chooseImage(page);
  await save();
  const first = (await stored()) ?? "";
  expect(await imageExists(first)).toBe(true);

  await page.goto(`/blog/${slug}/edit`);
  await page.getByRole("button", { name: "Remove image" }).click();
  await chooseImage(page, imageFile("other.png", 500));
  await save();
  const second = (await stored()) ?? "";
  expect(second).not.toBe(first);
  expect(second).not.toContain("?t=");
  await expect.poll(() => imageExists(first)).toBe(false);
  expect(await imageExists(second)).toBe(true);

  await page.goto(`/blog/${slug}/edit`);
  await page.getByRole("button", { name: "Remove image" }).click();
  await save();
  expect(await stored()).toBeNull();
  await expect.poll(() => imageExists(second)).toBe(false);
});

test("the scaled image of a deleted post goes with the original, and comes back with it", async ({
  owner,
  request,
}) => {
  const name = `public/${crypto.randomUUID()}.png`;
  const images = owner.storage.from("images");
  const { buffer, mimeType } = imageFile();
  await images.upload(name, buffer, { contentType: mimeType });
  const scaled = async () =>
    (await request.get(`/images/320/uploads/${name.replace("public/", "")}?t=1`)).status();
  expect(await scaled()).toBe(200);
  await images.move(name, name, { destinationBucket: "deleted-images" });
  expect(await scaled()).toBe(404);
  await owner.storage.from("deleted-images").move(name, name, { destinationBucket: "images" });
  expect(await scaled()).toBe(200);
  await images.remove([name]);
  expect(await scaled()).toBe(404);
});

test.describe("a failed save", () => {
  test.use({ expectedErrors: /status of 500|Updating the post failed/ });

  test("deletes the new image", async ({ page, rows }) => {
    await editNewPost(page, rows, "Failing");
    await page.route("**/rest/v1/posts?*", (route) =>
      route.request().method() === "PATCH"
        ? route.fulfill({ status: 500, json: { code: "XX000", message: "down" } })
        : route.fallback(),
    );
    const response = page.waitForResponse(
      (response) => response.url().includes("/storage/v1/object/images/public/") && response.ok(),
    );
    await chooseImage(page);
    await page.getByRole("button", { name: "Save Changes" }).click();
    const image = (await response).url().replace("/object/", "/object/public/");
    await expect(toast(page, "Error! 😢")).toBeVisible();
    await expect.poll(() => imageExists(image)).toBe(false);
  });
});

/** Chooses a file for a new post. */
async function expectRejection(
  page: Page,
  file: ReturnType<typeof imageFile>,
  reason: string | RegExp,
): Promise<void> {
  const notice = toast(page, "Image upload failed").filter({ hasText: reason });
  // An earlier toast with the same reason may still be closing.
  await expect(notice).toHaveCount(0);
  await chooseImage(page, file);
  await expect(notice).toBeVisible();
  await expect(page.getByText("Drop a picture here")).toBeVisible();
}
