// A published post keeps its image, even if the page closes or the connection fails at that moment.
import { setTimeout } from "node:timers/promises";
import type { Page } from "@playwright/test";
import { navigate, toast } from "../test.ts";
import { discardDraft, draftPost, expect, imageExists, test } from "./owner.ts";

const leaveActions: Record<string, (page: Page) => Promise<unknown>> = {
  closing: (page) => page.close({ runBeforeUnload: true }),
  reloading: (page) => page.reload(),
  "going to another site from": (page) => page.goto("about:blank"),
  "following a link on": (page) => navigate(page, "/contact"),
};

for (const [way, leave] of Object.entries(leaveActions)) {
  test(`${way} the page while the list still loads keeps the published image`, async ({
    page,
    owner,
  }) => {
    const { title, image } = await draftPost(page, "Published");
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    await page.route("**/rest/v1/posts?*order=*", async (route) => {
      await released;
      await route.continue().catch(() => {}); // The page may already be closed.
    });
    await page.getByRole("button", { name: "Publish Post" }).click();
    await expect(toast(page, "Success! 🚀")).toBeVisible();
    await leave(page);

    const { data: post } = await owner
      .from("posts")
      .select("image_url")
      .eq("title", title)
      .single();
    expect(post?.image_url).toBe(image);
    await expect(imageStaysFor(image, 1_500)).resolves.toBe(true);
    release();
    await owner.from("posts").delete().eq("title", title).throwOnError();
  });
}

test.describe("when the response to a successful insert is lost", () => {
  test.use({ expectedErrors: /status of 406|net::ERR|Creating the post failed|Removing an image/ });

  test("discarding the draft keeps the image of the published post", async ({ page, owner }) => {
    const { title, image } = await draftPost(page, "Lost answer");
    await publishWithoutResponse(page);
    await discardDraft(page);
    expect(await imageExists(image)).toBe(true);
    await owner.from("posts").delete().eq("title", title).throwOnError();
  });
});

/** The connection is lost with the response. */
async function publishWithoutResponse(page: Page): Promise<void> {
  let lost = false;
  await page.route("**/rest/v1/posts?*", async (route) => {
    if (route.request().method() === "POST") {
      lost = true;
      await route.fetch();
    }
    return lost ? route.abort("connectionreset") : route.fallback();
  });
  await page.getByRole("button", { name: "Publish Post" }).click();
  await expect(toast(page, "Error! 😢")).toBeVisible();
}

/** Polls for the whole period: a deletion that a closing page requested arrives late. */
async function imageStaysFor(url: string, milliseconds: number): Promise<boolean> {
  const end = Date.now() + milliseconds;
  while (Date.now() < end) {
    if (!(await imageExists(url))) return false;
    await setTimeout(100);
  }
  return imageExists(url);
}
