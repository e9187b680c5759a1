import { expect, test } from "vitest";
import type { Client } from "../../supabase/client-context.ts";
import type { Json } from "../../supabase/database.ts";
import { textToBlocks } from "../content/marked-blocks.ts";
import {
  createImageFetcher,
  hostsOf,
  type ImageRun,
  importImages,
  type PostImages,
  StoppedRun,
} from "./import-images.ts";

const oak = { address: "https://a.example/oak.jpg", alt: "An oak" };
const elm = { address: "https://www.a.example/elm.jpg", alt: "" };
const top = { address: "http://b.example/top.jpg", alt: "At the top" };
const linkTo = ({ address, alt }: typeof oak) => `[${alt || "Image"}](${address})`;

function postOf(id: string, changes: Partial<PostImages> = {}): PostImages {
  return { id, title: id, isPage: false, featured: null, images: [], ...changes };
}

interface Draft {
  content: Json;
  image_url: string | null;
  alt: string;
  updated_at: string;
}

/** The drafts of a database, of which this code uses only these queries. */
function createDrafts(contents: Record<string, string>) {
  const drafts = new Map<string, Draft>();
  for (const [id, text] of Object.entries(contents)) {
    drafts.set(id, { content: textToBlocks(text), image_url: null, alt: "", updated_at: "1" });
  }
  const hooks = { beforeUpdate: () => {} };
  const read = (id: string) => {
    const { updated_at, ...document } = drafts.get(id) ?? {};
    return updated_at ? { document, base: null, saved_at: updated_at, saved_by: null } : null;
  };
  const save = ({ thing, document, replaced }: Record<string, string>) => {
    hooks.beforeUpdate();
    const draft = drafts.get(thing ?? "");
    if (!draft || draft.updated_at !== replaced) return null;
    const updated_at = `${Number(draft.updated_at) + 1}`;
    Object.assign(draft, JSON.parse(document ?? ""), { updated_at });
    return updated_at;
  };
  const query = (id: string) => ({
    eq: (column: string, value: string) => query(column === "thing" ? value : id),
    maybeSingle: () => ({ throwOnError: async () => ({ data: read(id) }) }),
  });
  const client = {
    from: () => ({ select: () => query("") }),
    rpc: async (_name: string, args: Record<string, string>) => ({ data: save(args), error: null }),
  };
  return { drafts, hooks, client: client as unknown as Client };
}

async function run(posts: PostImages[], contents: Record<string, string>, missing: string[] = []) {
  const database = createDrafts(contents);
  const calls: string[] = [];
  const again = async () => {
    let last: ImageRun | null = null;
    await importImages(posts, {
      client: database.client,
      signal: new AbortController().signal,
      onProgress(now) {
        last = now;
      },
      async getImage(address) {
        calls.push(address);
        if (missing.includes(address)) throw new Error("It is not there any more (404).");
        return new Blob([address]);
      },
      upload: async (file) => ({
        src: `images/public/${(await file.text()).replace(/^.*\//, "")}`,
        width: 4,
        height: 3,
      }),
    });
    return last as ImageRun | null;
  };
  return { ...database, calls, again, last: await again() };
}

test("images take the place of their links, and the featured image its place", async () => {
  const posts = [postOf("one", { featured: top, images: [oak] })];
  const { drafts, last } = await run(posts, { one: `Hi.\n\n${linkTo(oak)}` });
  expect(drafts.get("one")).toMatchObject({
    image_url: "images/public/top.jpg",
    alt: "At the top",
    content: [
      { text: "Hi." },
      { type: "image", src: "images/public/oak.jpg", alt: "An oak", width: 4 },
    ],
  });
  expect(last).toMatchObject({ done: 1, added: 2, failures: [], withoutDraft: [] });
});

test("a post without a featured image shows its first image at the top, a page does not", async () => {
  const posts = [
    postOf("one", { images: [oak, elm] }),
    postOf("page", { isPage: true, images: [oak] }),
  ];
  const { drafts, calls } = await run(posts, {
    one: `${linkTo(oak)} ${linkTo(elm)}`,
    page: linkTo(oak),
  });
  expect(drafts.get("one")).toMatchObject({ image_url: "images/public/oak.jpg", alt: "An oak" });
  expect(drafts.get("page")).toMatchObject({ image_url: null, content: [{ type: "image" }] });
  // The image of both is fetched once.
  expect(calls).toEqual([oak.address, elm.address]);
});

test("what cannot be had is named once, stays a link, and is all that a second run asks for", async () => {
  const missing = [elm.address];
  const posts = [
    postOf("one", { featured: top, images: [oak, elm] }),
    postOf("two", { images: [elm] }),
  ];
  const text = `${linkTo(oak)}\n\n${linkTo(elm)}`;
  const { drafts, calls, last, again } = await run(posts, { one: text, two: linkTo(elm) }, missing);
  expect(last?.failures).toEqual([
    { address: elm.address, post: posts[0], reason: "It is not there any more (404)." },
  ]);
  expect(drafts.get("one")?.content).toEqual([
    expect.objectContaining({ type: "image" }),
    ...textToBlocks(linkTo(elm)),
  ]);
  calls.length = 0;
  missing.length = 0;
  expect(await again()).toMatchObject({ added: 1, failures: [] });
  expect(calls).toEqual([elm.address]);
  expect(drafts.get("two")?.content).toMatchObject([{ type: "image" }]);
  calls.length = 0;
  const before = structuredClone([...drafts]);
  expect(await again()).toMatchObject({ done: 2, added: 0 });
  expect(calls).toEqual([]);
  expect([...drafts]).toEqual(before);
});

test("an image that the author chose or removed meanwhile stays so, and so does what was published", async () => {
  const posts = [
    postOf("one", { featured: top, images: [oak] }),
    postOf("published", { images: [oak] }),
  ];
  const database = createDrafts({ one: "Only words now." });
  Object.assign(database.drafts.get("one") ?? {}, {
    image_url: "images/public/own.jpg",
    alt: "Mine",
  });
  let last: ImageRun | null = null;
  await importImages(posts, {
    client: database.client,
    signal: new AbortController().signal,
    onProgress: (now) => {
      last = now;
    },
    getImage: () => Promise.reject(new Error("Not asked for")),
  });
  expect(last).toMatchObject({ added: 0, failures: [], withoutDraft: [{ id: "published" }] });
  expect(database.drafts.get("one")).toMatchObject({
    image_url: "images/public/own.jpg",
    updated_at: "1",
  });
});

test("what another window saves meanwhile stays", async () => {
  const { client, drafts, hooks } = createDrafts({ one: linkTo(oak) });
  hooks.beforeUpdate = () => {
    hooks.beforeUpdate = () => {};
    const content = textToBlocks(`New words.\n\n${linkTo(oak)}`);
    Object.assign(drafts.get("one") ?? {}, { content, updated_at: "7" });
  };
  await importImages([postOf("one", { images: [oak] })], {
    ...{ client, signal: new AbortController().signal, onProgress: () => {} },
    getImage: async () => new Blob(["x"]),
    upload: async () => ({ src: "images/public/oak.jpg", width: 4, height: 3 }),
  });
  expect(drafts.get("one")?.content).toMatchObject([{ text: "New words." }, { type: "image" }]);
});

test("a run ends when it is stopped, and before it gets too large", async () => {
  const posts = [postOf("one", { images: [oak, elm] })];
  const { client, drafts } = createDrafts({ one: `${linkTo(oak)} ${linkTo(elm)}` });
  const stop = new AbortController();
  const stopped = importImages(posts, {
    ...{ client, signal: stop.signal, onProgress: () => {} },
    async getImage() {
      stop.abort();
      return new Blob(["x"]);
    },
    upload: async () => ({ src: "images/public/oak.jpg", width: 4, height: 3 }),
  });
  await expect(stopped).rejects.toThrow(/aborted/);
  // The image that was there keeps its place.
  expect(drafts.get("one")?.content).toMatchObject([{ type: "image" }, { text: "Image" }]);
  const large = { size: 3_000_000_001 } as Blob;
  const options = { client, signal: new AbortController().signal, onProgress: () => {} };
  await expect(importImages(posts, { ...options, getImage: async () => large })).rejects.toThrow(
    "enough for one run",
  );
});

test.each<[number, string, boolean, string]>([
  [504, "{}", false, "It took too long."],
  [
    429,
    '{"error":"Many images were imported just now."}',
    true,
    "Many images were imported just now.",
  ],
  [403, '{"error":"This account may not import images."}', true, "This account may not"],
  [404, "not json", true, "cannot fetch images now"],
])(
  "the function's response %i is a reason for one image, or ends the run",
  async (status, body, ends, message) => {
    const context = new Response(body, { status });
    const invoke = async () => ({ data: null, error: { context } });
    const fetchImage = createImageFetcher(
      { functions: { invoke } } as unknown as Client,
      [],
      false,
    );
    const error: unknown = await fetchImage("https://a.example/x").catch((reason) => reason);
    expect(error).toMatchObject({ message: expect.stringContaining(message) });
    expect(error instanceof StoppedRun).toBe(ends);
  },
);

test("the function responds with an image, or with the reason why there is none", async () => {
  const image = new Blob(["x"]);
  for (const data of [image, { reason: "It is larger than 50 MB." }]) {
    const invoke = async () => ({ data, error: null });
    const client = { functions: { invoke } } as unknown as Client;
    const result: unknown = await createImageFetcher(
      client,
      [],
      false,
    )("x").catch((error) => error);
    if (data === image) expect(result).toBe(image);
    else expect(result).toEqual(new Error("It is larger than 50 MB."));
  }
});

test("hosts are named once with how many images they have", () => {
  const posts = [
    postOf("one", { featured: top, images: [oak, elm] }),
    postOf("two", { images: [oak] }),
  ];
  expect(hostsOf(posts)).toEqual([
    { host: "a.example", count: 2, isPlain: false },
    { host: "b.example", count: 1, isPlain: true },
  ]);
});
