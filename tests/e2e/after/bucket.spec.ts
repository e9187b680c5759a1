// Runs after all other end-to-end tests: none of them may have left a picture behind.
import { expect, test } from "../test.ts";

test("the bucket holds exactly the files that posts refer to", async ({ owner }) => {
  const { data: files } = await owner.storage.from("images").list("public", { limit: 1000 });
  const { data: posts } = await owner
    .from("posts")
    .select("image_url")
    .not("image_url", "is", null);
  const referred = (posts ?? [])
    .filter((post) => post.image_url?.includes("/object/public/images/"))
    .map((post) => post.image_url?.split("/").at(-1));
  expect((files ?? []).map(({ name }) => name).toSorted()).toEqual(referred.toSorted());
});
