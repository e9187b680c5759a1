// The spellings of images: the database and the browser accept the same, on every path by which one becomes public.
import { randomUUID } from "node:crypto";
import type { SupabaseClient } from "@supabase/supabase-js";
import { expect, test } from "vitest";
import { isReference } from "../../app/config/image-address.ts";
import { imageRefused } from "../../app/manage/images/image-reference.ts";
import { newPost, saving, scheduling, storeDraft, submitting } from "../post-calls.ts";
import { setUpProject } from "../start-project.ts";

const { sql, owner } = await setUpProject<SupabaseClient>();

const accepted = [
  "images/public/a.png",
  "images/public/2026/a%20b%2B(c)%C3%A4,%25.png",
  "/images/posts/old-oak.svg",
  "/images/800.png",
  "/images/a.svg?w=2",
  "https://elsewhere.example/a.png",
  "https://elsewhere.example",
  "http://elsewhere.example:8080/uploads/a%20b.png?w=2&u=/storage/v1/a.png#top",
  "https://elsewhere.example/o/images%2Fa.png",
  "https://elsewhere.example/images/2026/a.png",
  "https://elsewhere.example/storage/v2/a.png",
];

const name = "public/a.png";
const refused = [
  // Own files, as the rendering, a proxy or Storage could find them.
  "/images/800/uploads/a.png",
  "/images/800x450/uploads/a.png",
  "/images/800/../800/uploads/a.png",
  "/images/x/../800/uploads/a.png",
  "/images//800/uploads/a.png",
  "/images/posts/uploads/a.png",
  "/images/./posts/a.png",
  "/images/%38%30%30/uploads/a.png",
  "/images/800/site/images/a.png",
  `/./storage/v1/object/public/images/${name}`,
  `/storage/v1/object/public/images/public/./a.png`,
  `/storage/v1/object/public/images/public//a.png`,
  `/storage/v1/object/sign/images/${name}`,
  `/Storage/v1/object/public/images/${name}`,
  `/%73torage/v1/object/public/images/${name}`,
  "images/public/./a.png",
  "images/public/../public/a.png",
  "images/public/%2e/a.png",
  "images/public/x%2F..%2Fa.png",
  "images/public/x%5ca.png",
  "images/public//a.png",
  "images/public/a.png?t=5",
  "images/public/a.png#a",
  "images/public/a b.png",
  "images/public/ä.png",
  "images/public/%FF.png",
  "images/public/%00.png",
  "images/public/%0a.png",
  "images/public/%.png",
  "images/public/",
  "images/other/a.png",
  "Images/public/a.png",
  "./images/public/a.png",
  // The same on a host, which may be the site's own.
  `https://site.example/storage/v1/object/public/other/${name}`,
  `https://site.example/./storage/v1/object/public/images/${name}`,
  `https://site.example//storage//v1/object/public/images/${name}`,
  `https://site.example/x/..;/%73torage/v1/object/public/images/${name}`,
  `https://site.example/STORAGE/V1/object/public/images/${name}`,
  `https://site.example/%2573torage/v1/object/public/images/${name}`,
  "https://site.example/images/800/uploads/a.png",
  "https://site.example/images/800x450/uploads/a.png?t=1",
  "https://site.example/images%2F800%2Fuploads%2Fa.png",
  "https://site.example/a/../images/posts/a.png",
  "https://site.example/a/%2e%2E/a.png",
  "https://site.example/a\\b.png",
  "https://site.example/a%5Cb.png",
  "https://site.example/a\tb.png",
  "https://site.example/a\nb.png",
  "https://site.example/a b.png",
  "https://site.example/a%zz.png",
  "https://user@site.example/a.png",
  "https://ｓite.example/a.png",
  "https:/site.example/a.png",
  "https:site.example/a.png",
  "https:///site.example/a.png",
  "https:\\\\site.example\\a.png",
  "HTTPS://site.example/a.png",
  "//site.example/a.png",
  "/\\site.example/a.png",
  "\t/images/a.png",
  " https://site.example/a.png",
  // No images.
  "javascript:alert(1)",
  "data:image/svg+xml,<svg/>",
  "blob:https://site.example/a",
  "/a.png",
  "a.png",
  "",
];

test("the browser and the database accept the same spellings of an image", async () => {
  const spellings = [...accepted, ...refused];
  const rows = await sql<{ spelling: string; is_image: boolean }[]>`
    select spelling, private.is_image(spelling) from unnest(${spellings}::text[]) as spelling`;
  for (const { spelling, is_image } of rows) {
    const isAccepted = accepted.includes(spelling);
    expect([spelling, is_image, isReference(spelling)]).toEqual([spelling, isAccepted, isAccepted]);
  }
});

test("every path by which an image becomes public or waits for it rejects another spelling", async () => {
  const stored = newPost();
  await owner.from("posts").insert(stored).throwOnError();
  const draft = { id: randomUUID(), title: "A" };
  const { saved_at } = await storeDraft(owner, draft);
  // The spellings are compared above.
  const spellings = ["/images/800/uploads/a.png", "images/public/../public/a.png"];
  for (const src of spellings) {
    const block = { src, alt: "", width: 1, height: 1 };
    for (const images of [
      { image_url: src },
      { content: [{ type: "image", ...block }] },
      { content: [{ type: [["image"]], ...block }] },
    ]) {
      const post = newPost(images);
      const results = await Promise.all([
        owner.from("posts").insert(post),
        owner.from("posts").upsert({ ...stored, ...images }),
        owner.from("posts").update(images).eq("id", stored.id),
        owner.rpc("save_draft", saving(post)),
        owner.rpc("save_draft", saving({ ...draft, ...images }, { replaced: saved_at })),
        owner.rpc("schedule", scheduling(post)),
        owner.rpc("submit", submitting(post)),
      ]);
      for (const [path, { error }] of results.entries()) {
        expect([src, path, error?.code, error?.message]).toEqual([
          src,
          path,
          "PT422",
          imageRefused,
        ]);
      }
    }
    for (const [section, document] of [
      ["look", { logo: block }],
      ["services", { items: [{ slug: "a", title: "A", image: block }] }],
    ] as const) {
      const args = saving({ ...document, id: section }, { kind: "section" });
      const { error } = await owner.rpc("save_draft", args);
      expect([src, error?.code, error?.message]).toEqual([src, "PT422", imageRefused]);
    }
  }
  const kept = owner.from("posts").select("image_url, content").eq("id", stored.id).single();
  expect((await kept).data).toEqual({ image_url: stored.image_url, content: stored.content });
  await owner.from("posts").delete().eq("id", stored.id).throwOnError();
});

test("an accepted image is stored as it was sent", async () => {
  for (const src of accepted) {
    const post = newPost({
      image_url: src,
      content: [{ type: "image", src, alt: "", width: 1, height: 1 }],
    });
    const insert = owner.from("posts").insert(post).select("image_url, content").single();
    expect((await insert.throwOnError()).data).toEqual({
      image_url: src,
      content: post.content,
    });
    await owner.from("posts").delete().eq("id", post.id).throwOnError();
  }
});
