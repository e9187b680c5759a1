import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createQueue, runForVisitor } from "embedded-supabase/rate-limits/shared-work.ts";
import sharp from "sharp";
import { afterAll, expect, test } from "vitest";
import { imageWidths, wideHeight } from "../../app/config/image-address.ts";
import { createImageVariants } from "./image-variants.ts";

const folder = mkdtempSync(join(tmpdir(), "image-variants-"));
afterAll(() => rmSync(folder, { recursive: true }));

const sizes = imageWidths.flatMap((width) => [`${width}`, `${width}x${wideHeight(width)}`]);
const formats = ["image/avif", "image/webp", "*/*"];
const pixels = { create: { width: 40, height: 30, channels: 3, background: "tan" } } as const;
const bytes = new Uint8Array(await sharp(pixels).png().toBuffer());

/** With the slots of the site, and a project that has an image under each name. */
function createVariants() {
  const cacheFolder = join(folder, crypto.randomUUID());
  const limit = { total: 3, perVisitor: 1, waitingPerVisitor: 100, waiting: 400, timeout: 30_000 };
  let store = (_reference: string) => {};
  const send = createImageVariants({
    ...{ siteFolder: folder, projectUrl: "http://project.example", cacheFolder },
    fetchProject: async () => new Response(bytes, { headers: { etag: "1" } }),
    acquire: createQueue("in fair turns", limit),
    onUploadsChanged: (listener) => {
      store = listener;
    },
  });
  return {
    ask(visitor: string, path: string, accept = "image/avif", signal?: AbortSignal) {
      const init = { headers: { accept }, ...(signal && { signal }) };
      const request = new Request(`http://site.example/images/${path}`, init);
      return runForVisitor(visitor, () => send(request));
    },
    store: (reference: string) => runForVisitor("192.0.2.1", () => store(reference)),
    stored: () => readdirSync(cacheFolder).filter((name) => !name.endsWith(".part")),
  };
}

test("a visitor who asks for many variants does not delay the new image of another", async () => {
  const { ask } = createVariants();
  let served = 0;
  const flood = ["a", "b", "c"].flatMap((name) =>
    sizes.flatMap((size) =>
      formats.map(async (accept) => {
        const { status } = await ask("192.0.2.66", `${size}/uploads/${name}.png`, accept);
        if (status === 200) served += 1;
        return status;
      }),
    ),
  );
  expect((await ask("192.0.2.7", "800/uploads/new.png")).status).toBe(200);
  expect(served).toBeLessThan(10);
  const statuses = await Promise.all(flood);
  // One runs, a hundred wait.
  expect(statuses.filter((status) => status === 200)).toHaveLength(101);
  expect(statuses.filter((status) => status === 503)).toHaveLength(25);
});

test("a variant is dropped before it starts when nobody waits for it any more", async () => {
  const { ask, stored } = createVariants();
  const gone = new AbortController();
  const dropped = sizes.map((size) =>
    ask("192.0.2.66", `${size}/uploads/a.png`, "image/webp", gone.signal),
  );
  const [shared = ""] = sizes.slice(-1);
  const other = ask("192.0.2.66", `${shared}/uploads/a.png`, "image/webp");
  gone.abort();
  expect((await other).status).toBe(200);
  await Promise.all(dropped);
  expect(stored().length).toBeLessThanOrEqual(2);
});

test("the sizes of the site are made after an upload, for which no visitor waits", async () => {
  const { ask, store, stored } = createVariants();
  store("images/public/new.png");
  await expect.poll(() => stored().length).toBe(sizes.length);
  for (const size of sizes) {
    expect((await ask("192.0.2.7", `${size}/uploads/new.png`)).status).toBe(200);
  }
  expect(stored()).toHaveLength(sizes.length);
});

test("a file of another bucket gets no variants", async () => {
  const { ask, store, stored } = createVariants();
  store("files/form-crs-1.pdf");
  await ask("192.0.2.7", "320/uploads/new.png");
  expect(stored()).toHaveLength(1);
});
