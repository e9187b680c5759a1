import { truncate, writeFile } from "node:fs/promises";
import { crc32 } from "node:zlib";
import type { Page } from "@playwright/test";
import { toast } from "../test.ts";
import {
  chooseImage,
  discardDraft,
  dropImage,
  editNewPost,
  expect,
  fillPost,
  imageExists,
  imageFile,
  logIn,
  savedState,
  test,
  uploadImage,
} from "./owner.ts";

const oak = { image_url: "/images/posts/old-oak.svg" };
const uploads = "**/storage/v1/object/images/**";

function shownImage(page: Page) {
  return page.getByRole("img", { name: /Featured/ });
}

test.describe("the image of a new post", () => {
  test.use({ expectedErrors: /status of 40[46]/ });

  test("survives a reload, is deleted when it is replaced or removed, and reported when it is missing", async ({
    page,
  }) => {
    await logIn(page, "/blog/new");
    const publish = page.getByRole("button", { name: "Publish Post" });
    const reason = page.getByText("To publish the post, add a featured image.");
    await expect(publish).toBeDisabled();
    await expect(reason).toBeVisible();
    await fillPost(page, "Illustrated");
    const first = await uploadImage(page);
    expect(first).toMatch(/\/object\/public\/images\/public\/[0-9a-f-]{36}\.png$/);
    expect(await imageExists(first)).toBe(true);
    await expect(publish).toBeEnabled();
    await expect(reason).toHaveCount(0);

    await dropImage(page, imageFile("other.png", 500));
    const shown = shownImage(page);
    const name = (address: string | null) => address?.split("/").at(-1) ?? "";
    await expect(shown).toHaveAttribute("src", new RegExp(`/uploads/(?!${name(first)})`));
    const src = (await shown.getAttribute("src")) ?? "";
    const second = first.replace(name(first), name(src));
    await expect.poll(() => imageExists(first)).toBe(false);
    expect(await imageExists(second)).toBe(true);

    await expect(savedState(page)).toBeVisible();
    await expect(page).toHaveURL(/\?draft=/);
    await page.reload();
    await expect(page.getByLabel("Title")).toHaveValue("Illustrated");
    await expect(shown).toHaveAttribute("src", src);
    await page.getByRole("button", { name: "Remove image" }).click();
    await expect.poll(() => imageExists(second)).toBe(false);
    await expect(reason).toBeVisible();

    const third = await uploadImage(page);
    await expect(savedState(page)).toBeVisible();
    await page.route(third, (route) => route.fulfill({ status: 404 }));
    await page.reload();
    await expect(page.getByRole("alert")).toHaveText(
      "The image that you had uploaded is no longer stored. Please upload it again.",
    );
    await expect(page.getByText("Drop an image here")).toBeVisible();
    await expect(page.getByLabel("Title")).toHaveValue("Illustrated");
    await discardDraft(page);
    await expect(page).toHaveURL("/blog");
  });
});

test("the image of a stored post is added, replaced and removed, and each old file is deleted", async ({
  page,
  owner,
  rows,
  siteUrl,
}) => {
  const { slug } = await editNewPost(page, rows, "Pictures", oak);
  const shown = shownImage(page);
  const stored = async () =>
    (await owner.from("posts").select("image_url").eq("slug", slug).single()).data?.image_url;
  const save = page.getByRole("button", { name: "Save Changes" });

  await test.step("by drop and by keyboard", async () => {
    await dropImage(page, imageFile());
    await expect(shown).toHaveAttribute("src", /^blob:/);
    const dropped = await shown.getAttribute("src");
    const chooser = page.waitForEvent("filechooser");
    await page.getByRole("button", { name: "Replace image" }).focus();
    await page.keyboard.press("Enter");
    await (await chooser).setFiles(imageFile("other.png", 500));
    await expect(shown).not.toHaveAttribute("src", dropped ?? "");
  });

  await test.step("its upload is confirmed before the post is saved", async () => {
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    await page.route("**/rest/v1/posts?*", async (route) => {
      if (route.request().method() === "PATCH") await released;
      await route.fallback();
    });
    await save.click();
    await expect(toast(page, "Image Uploaded")).toBeVisible();
    await expect(page.locator("form").getByText("Image Uploaded")).toBeVisible();
    release();
    await expect(toast(page, "Success! 🚀")).toBeVisible();
    await expect(page).toHaveURL("/blog");
  });
  const reference = await stored();
  expect(reference).toMatch(/^images\/public\/[^/?]+\.png$/);
  const first = `${siteUrl}/storage/v1/object/public/${reference}`;
  expect(await imageExists(first)).toBe(true);

  await test.step("a removed image stays removed when another one is chosen and removed", async () => {
    await page.goto(`/blog/${slug}/edit`);
    await page.getByRole("button", { name: "Remove image" }).click();
    await chooseImage(page, imageFile("third.png", 500));
    await expect(shown).toHaveAttribute("src", /^blob:/);
    await page.getByRole("button", { name: "Remove image" }).click();
    await expect(page.getByText("Drop an image here")).toBeVisible();
    await save.click();
    await expect(page).toHaveURL("/blog");
    expect(await stored()).toBeNull();
    await expect.poll(() => imageExists(first)).toBe(false);
  });
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
  await expect(page.getByText("Drop an image here")).toBeVisible();
});

test.describe("an image that cannot be uploaded", () => {
  // Playwright's trace fetches the failed preview, which the page's Content-Security-Policy
  // forbids.
  test.use({
    expectedErrors:
      /net::ERR|status of [45]\d\d|(Uploading|Updating) the (image|post) failed|Connecting to 'blob:|ERR_FILE_NOT_FOUND/,
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

  test("is rejected by its extension, its content, or with the server's reason", async ({
    page,
  }) => {
    await logIn(page, "/blog/new");
    const notice = toast(page, "Image upload failed");
    const expectRejection = async (file: ReturnType<typeof png>, reason: string | RegExp) => {
      // An earlier toast with the same reason may still be closing.
      await expect(notice.filter({ hasText: reason })).toHaveCount(0);
      await chooseImage(page, file);
      await expect(notice.filter({ hasText: reason })).toBeVisible();
      await expect(page.getByText("Drop an image here")).toBeVisible();
    };
    await test.step("before the upload", async () => {
      let sent = 0;
      await page.route(uploads, (route) => {
        sent += 1;
        return route.fallback();
      });
      await expect(page.getByText("PNG, JPG, GIF up to 10MB")).toBeVisible();
      await chooseImage(page, { ...imageFile("notes.txt"), mimeType: "text/plain" });
      await expect(page.getByText(/^File type must be/)).toBeVisible();
      await chooseImage(page, { ...imageFile("IMG_0001.HEIC"), mimeType: "image/heic" });
      await expect(page.getByText(/This photo has the format of iPhones/)).toBeVisible();
      await chooseImage(page, png("empty.png", Buffer.alloc(0)));
      await expect(page.getByText("File is smaller than 1 bytes")).toBeVisible();

      const large = test.info().outputPath("large.png");
      await writeFile(large, "");
      await truncate(large, 50 * 1024 * 1024 + 1);
      await page.getByLabel("Featured image file").setInputFiles(large);
      await expect(page.getByText("File is larger than 52428800 bytes.")).toBeVisible();

      // It declares 30,000 x 30,000 pixels, for which no memory may be allocated.
      const { buffer: bomb } = imageFile();
      bomb.writeUInt32BE(30_000, 16);
      bomb.writeUInt32BE(30_000, 20);
      bomb.writeUInt32BE(crc32(bomb.subarray(12, 29)), 29);
      await expectRejection(png("bomb.png", bomb), /at most 100 megapixels|damaged or incomplete/);
      await expectRejection(
        png("evil.png", Buffer.from("<script>alert(1)</script>")),
        "This file is not a JPEG, PNG, GIF or WebP image.",
      );
      expect(sent).toBe(0);
      await page.unroute(uploads);
    });

    await test.step("by the server, a proxy, or a lost connection", async () => {
      const tooLarge = "The image is too large: at most 50 MB.";
      const json = { statusCode: "413", error: "Payload too large", message: "too large" };
      await page.route(uploads, (route) => route.fulfill({ status: 400, json }));
      await expectRejection(imageFile(), tooLarge);
      await page.unroute(uploads);
      await page.route(uploads, (route) => route.abort("connectionreset"));
      await expectRejection(imageFile(), "The connection was lost.");
      await page.unroute(uploads);
      await page.route(uploads, (route) => route.fulfill({ status: 413, body: "nginx" }));
      await expectRejection(imageFile(), tooLarge);
    });
  });

  test("leaves an edited post its image and its text, and a failed save no file", {
    tag: "@long",
  }, async ({ page, rows }) => {
    const { title } = await editNewPost(page, rows, "Lost", oak);
    const shown = shownImage(page);
    const notice = toast(page, "Image upload failed");
    const save = page.getByRole("button", { name: "Save Changes" });
    await test.step("a damaged file is rejected at once", async () => {
      await chooseImage(page, damaged);
      await expect(notice).toBeVisible();
      await expect(page.getByText("This image is damaged or incomplete.")).toBeVisible();
      await expect(shown).toHaveAttribute("src", /old-oak\.svg/);
    });

    await test.step("when the upload fails, the stored image is shown again", async () => {
      await notice.hover();
      await notice.getByLabel("Close").click();
      await expect(notice).toHaveCount(0);
      await page.getByRole("button", { name: "Remove image" }).click();
      await chooseImage(page);
      await expect(shown).toHaveAttribute("src", /^blob:/);
      await page.route(uploads, (route) => route.abort("connectionreset"));
      await save.click();
      await expect(notice).toBeVisible();
      await expect(notice).not.toContainText("connection");
      await expect(shown).toHaveAttribute("src", /old-oak\.svg/);
      await expect(page.getByLabel("Title")).toHaveValue(title);
      await page.unroute(uploads);
    });

    await test.step("when the save fails, the new file is deleted", async () => {
      await page.route("**/rest/v1/posts?*", (route) =>
        route.request().method() === "PATCH"
          ? route.fulfill({ status: 500, json: { code: "XX000", message: "down" } })
          : route.fallback(),
      );
      const response = page.waitForResponse(
        (response) => response.url().includes("/storage/v1/object/images/public/") && response.ok(),
      );
      await chooseImage(page);
      await save.click();
      const image = (await response).url().replace("/object/", "/object/public/");
      await expect(toast(page, "Error! 😢")).toBeVisible();
      await expect.poll(() => imageExists(image)).toBe(false);
    });
  });
});
