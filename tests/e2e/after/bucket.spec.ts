// Runs after all other end-to-end tests: none of their posts may have lost its image.
import { expect, test } from "../test.ts";

// The bucket may hold unreferenced files: a closed form leaves its upload to the scheduled job
// (tests/contract/unused-images.test.ts).
test("every image that a post references is in the bucket", async ({ owner }) => {
  const { data: posts } = await owner
    .from("posts")
    .select("title, image_url")
    .not("image_url", "is", null);
  const missing = [];
  for (const { title, image_url } of posts ?? []) {
    if (!image_url?.includes("/object/public/images/")) continue;
    if (!(await fetch(image_url, { method: "HEAD" })).ok) missing.push(title);
  }
  expect(missing).toEqual([]);
});
