// The image variants that visitors download: from a site with the embedded backend, and from one
// whose images are in a hosted project. The embedded backend stands in for the project.
import { randomUUID } from "node:crypto";
import { mkdtemp } from "node:fs/promises";
import { join } from "node:path";
import { crc32 } from "node:zlib";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { createImageVariants } from "../../server/images/image-variants.ts";
import { cameraPhoto } from "../camera-photo.ts";
import { freePort } from "../free-port.ts";
import { startHttpServer } from "../http-server.ts";
import { publishSettings } from "../other-firm.ts";
import { setUpFolder } from "../set-up.ts";
import { setUpProject } from "../start-project.ts";
import { type NewSite, startNewSite } from "../start-site.ts";

const chrome = "image/avif,image/webp,image/apng,image/svg+xml,image/*,*/*;q=0.8";
const webpOnly = "image/webp,*/*;q=0.8";

const { project, owner } = await setUpProject();
const folder = await setUpFolder("images");
let photo: Buffer;
/** Names in the bucket's public folder. */
const uploaded: Record<string, string> = {};
/** Files that only a hosted project stores: it does not decode uploads. */
const undecodable = new Map<string, Buffer>();
let send: ReturnType<typeof createImageVariants>;
let asked: string[];

beforeAll(async () => {
  photo = await cameraPhoto();
  const half = (channels: 3 | 4, background: string) =>
    sharp({ create: { width: 600, height: 300, channels, background } });
  const frames = await Promise.all(["red", "blue"].map((color) => half(3, color).gif().toBuffer()));
  // The image is stored sideways, with an EXIF orientation that rotates it.
  const turned = half(3, "#1e4a40").jpeg().withMetadata({ orientation: 6 });
  await upload("photo", "image/jpeg", photo);
  await upload("turned", "image/jpeg", await turned.toBuffer());
  await upload("transparent", "image/png", await half(4, "#1e4a4080").png().toBuffer());
  await upload(
    "animated",
    "image/gif",
    await sharp(frames, { join: { animated: true } })
      .gif()
      .toBuffer(),
  );
  await upload("deep", "image/png", await deepPng());
  undecodable.set("torn.jpg", photo.subarray(0, 90_000));
  undecodable.set("false.png", (await tinyPng()).fill(0, 40));
  undecodable.set("bomb.png", await bomb());
  for (const name of undecodable.keys()) uploaded[name.replace(/\..*/, "")] = name;
});

describe("a variant", () => {
  beforeAll(async () => {
    asked = [];
    send = createVariants({
      siteFolder: join(import.meta.dirname, "../../public"),
      fetchProject: (input, init) => {
        asked.push(`${init?.method} ${input}`);
        const bytes = undecodable.get(String(input).split("/").at(-1) ?? "");
        if (bytes) return Promise.resolve(new Response(new Uint8Array(bytes)));
        return fetch(input, init);
      },
    });
  });

  test("is AVIF, WebP or JPEG by the Accept header, and has Vary for caches", async () => {
    for (const [accept, type, format] of [
      [chrome, "image/avif", "heif"],
      [webpOnly, "image/webp", "webp"],
      ["*/*", "image/jpeg", "jpeg"],
    ] as const) {
      const response = await get("/images/480/uploads/photo?t=1", { accept });
      expect(response.status).toBe(200);
      expect(response.headers.get("content-type")).toBe(type);
      expect(response.headers.get("vary")).toBe("Accept");
      expect(response.headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
      expect(await sharp(await bytesOf(response)).metadata()).toMatchObject({
        format,
        width: 480,
        height: 360,
      });
    }
  });

  test("costs a phone of 390 px at most 60 KB for an 8 MB photograph", {
    tags: "long",
  }, async () => {
    expect(photo.length).toBeGreaterThan(8_000_000);
    for (const accept of [chrome, webpOnly, "*/*"]) {
      const bytes = await bytesOf(await get("/images/1200x675/uploads/photo?t=1", { accept }));
      expect(await sharp(bytes).metadata()).toMatchObject({ width: 1200, height: 675 });
      expect(bytes.length, accept).toBeLessThanOrEqual(60_000);
    }
  });

  test("contains no EXIF data about location and owner", async () => {
    expect((await sharp(photo).metadata()).exif?.toString("latin1")).toContain("Secret Camera");
    for (const accept of [chrome, webpOnly, "*/*"]) {
      const bytes = await bytesOf(await get("/images/320/uploads/photo?t=1", { accept }));
      const { exif, xmp, iptc } = await sharp(bytes).metadata();
      expect({ exif, xmp, iptc }).toEqual({ exif: undefined, xmp: undefined, iptc: undefined });
      expect(bytes.toString("latin1")).not.toContain("Secret Camera");
    }
  });

  test.each([
    ["is rotated by its EXIF orientation", "320/uploads/turned", { width: 300, height: 600 }],
    [
      "is never larger than its source",
      "1600x900/uploads/transparent",
      { width: 533, height: 300 },
    ],
  ])("%s", async (_rule, path, size) => {
    const bytes = await bytesOf(await get(`/images/${path}`, { accept: chrome }));
    expect(await sharp(bytes).metadata()).toMatchObject(size);
  });

  test("keeps transparency, as PNG when the browser accepts nothing else", async () => {
    for (const [accept, type] of [
      [chrome, "image/avif"],
      [webpOnly, "image/webp"],
      ["*/*", "image/png"],
    ] as const) {
      const response = await get("/images/320/uploads/transparent", { accept });
      expect(response.headers.get("content-type")).toBe(type);
      expect((await sharp(await bytesOf(response)).stats()).isOpaque).toBe(false);
    }
  });

  test("of an animation is its first frame", async () => {
    const bytes = await bytesOf(await get("/images/320/uploads/animated", { accept: webpOnly }));
    const { pages = 1 } = await sharp(bytes).metadata();
    expect(pages).toBe(1);
    const { channels } = await sharp(bytes).stats();
    expect(channels.map(({ mean }) => Math.round(mean / 255))).toEqual([1, 0, 0]);
  });

  test("of an image with 16 bits per channel has the same colors", async () => {
    const bytes = await bytesOf(await get("/images/320/uploads/deep", { accept: webpOnly }));
    const { channels } = await sharp(bytes).stats();
    for (const [index, value] of [200, 100, 50].entries()) {
      expect(Math.abs((channels[index]?.mean ?? 0) - value)).toBeLessThan(6);
    }
  });

  test("is not sent again to a client that has it", async () => {
    const first = await get("/images/480/uploads/photo?t=1", { accept: chrome });
    const etag = first.headers.get("etag") ?? "";
    const again = await get("/images/480/uploads/photo?t=1", {
      accept: chrome,
      "if-none-match": etag,
    });
    expect(again.status).toBe(304);
    expect(await again.text()).toBe("");
    const other = await get("/images/480/uploads/photo?t=1", {
      accept: webpOnly,
      "if-none-match": etag,
    });
    expect(other.status).toBe(200);
  });

  test("is made once for concurrent requests and for every value of `t`", async () => {
    asked = [];
    const responses = await Promise.all(
      Array.from({ length: 8 }, () =>
        get("/images/640/uploads/transparent?t=2", { accept: chrome }),
      ),
    );
    expect(responses.map(({ status }) => status)).toEqual(Array(8).fill(200));
    await get("/images/640/uploads/transparent?t=3", { accept: chrome });
    await get("/images/640/uploads/transparent", { accept: chrome });
    expect(asked.filter((call) => call.startsWith("GET"))).toHaveLength(1);
  });

  test("without a version is cached for an hour", async () => {
    const response = await get("/images/480/uploads/photo", { accept: chrome });
    expect(response.headers.get("cache-control")).toBe("public, max-age=3600");
  });

  test("of a replaced image is the new one as soon as `t` changes", async () => {
    const name = `${randomUUID()}.png`;
    uploaded[name] = name;
    const images = owner.storage.from("images");
    const put = async (background: string) => {
      const bytes = await sharp({ create: { width: 40, height: 40, channels: 3, background } })
        .png()
        .toBuffer();
      const { error } = await images.upload(`public/${name}`, bytes, {
        contentType: "image/png",
        upsert: true,
      });
      expect(error).toBeNull();
    };
    const redness = async (version: number) => {
      const bytes = await bytesOf(await send(request(`/images/320/uploads/${name}?t=${version}`)));
      return Math.round(((await sharp(bytes).stats()).channels[0]?.mean ?? 0) / 255);
    };
    await put("red");
    expect(await redness(1)).toBe(1);
    await put("blue");
    expect(await redness(2)).toBe(0);
  });
});

describe("an invalid image request", () => {
  test("responds with 404 when the address is invalid, or leads to no file or to one that is not scaled", async () => {
    for (const path of [
      `/images/321/uploads/${uploaded.photo}`,
      "/images/320/uploads/nothing.jpg",
      "/images/320/site/images/neutral/hero.svg",
      "/images/320/site/images",
    ]) {
      const response = await send(request(path));
      expect(response.status, path).toBe(404);
      expect(response.headers.get("cache-control")).not.toContain("immutable");
    }
  });

  test("responds with 422 when the file is broken or decodes to too many pixels", async () => {
    for (const name of ["false", "bomb"]) {
      expect((await get(`/images/320/uploads/${name}`)).status, name).toBe(422);
    }
  });

  test("is not one for an incomplete image, of which browsers show a part", async () => {
    for (const width of [320, 1600]) {
      expect((await get(`/images/${width}/uploads/torn`)).status).toBe(200);
    }
  });

  test("responds with 503 and Retry-After while the backend is unreachable", async () => {
    const away = createVariants({ projectUrl: `http://127.0.0.1:${await freePort()}` });
    const response = await away(request("/images/320/uploads/a.jpg?t=1"));
    expect(response.status).toBe(503);
    expect(response.headers.get("retry-after")).toBe("5");
    expect(response.headers.get("cache-control")).toBe("no-store");
  });

  test("redirects of the project are not followed", async () => {
    let followed = false;
    const server = await startHttpServer((incoming, response) => {
      if (incoming.url?.startsWith("/secret")) followed = true;
      response.writeHead(302, { location: "/secret" }).end();
    });
    onTestFinished(server.stop);
    const redirected = createVariants({ projectUrl: server.url });
    expect((await redirected(request("/images/320/uploads/a.jpg"))).status).toBe(503);
    expect(followed).toBe(false);
  });
});

test("the site's own photographs come in every format as well", async () => {
  const siteFolder = await mkdtemp(join(folder, "site-"));
  await sharp({ create: { width: 900, height: 600, channels: 3, background: "tan" } }).toFile(
    join(siteFolder, "team.jpg"),
  );
  const own = createVariants({ siteFolder });
  const response = await own(request("/images/320/site/team.jpg", { accept: chrome }));
  expect(response.headers.get("content-type")).toBe("image/avif");
  expect(await sharp(await bytesOf(response)).metadata()).toMatchObject({
    width: 320,
    height: 213,
  });
});

describe("a site that moved to another address and to a hosted project", { tags: "long" }, () => {
  let site: NewSite;
  const publicUrl = "https://www.moved.example";
  const slug = `pictured-${randomUUID()}`;
  const rows = async () => {
    const { data: post } = await owner.from("posts").select().eq("slug", slug).single();
    const { data: look } = await owner.from("site_settings").select().eq("section", "look");
    return { post, look };
  };

  beforeAll(async () => {
    // The address at which the backend that stores them serves the images.
    const image = {
      src: `${project.url}/storage/v1/object/public/images/public/${uploaded.photo}`,
      ...{ alt: "A picture", width: 1200, height: 630 },
    };
    const text = { type: "image", ...image, alt: "In the text" };
    const post = { title: "Pictured", category: "Testing", author: "Ada", alt: "A picture" };
    await owner
      .from("posts")
      .insert({ ...post, slug, image_url: image.src, content: [text] })
      .throwOnError();
    const document = { logo: image, icon: image, shareImage: image };
    await publishSettings(owner, { firm: { name: "Ash" }, look: document });
    const keys = { SUPABASE_URL: project.url, SUPABASE_ANON_KEY: project.anonKey };
    site = await startNewSite({ SITE_URL: publicUrl, ...keys }, { prepare: null });
  });

  afterAll(() => site.stop());

  test("serves the project's images under its own address", async () => {
    const response = await fetch(`${site.url}/images/480x270/uploads/${uploaded.photo}?t=1`, {
      headers: { accept: chrome },
    });
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toBe("image/avif");
    expect(response.headers.get("x-content-type-options")).toBe("nosniff");
    expect(await sharp(await bytesOf(response)).metadata()).toMatchObject({
      width: 480,
      height: 270,
    });
  });

  test("responds to HEAD without a body, and serves SVG files unchanged", async () => {
    const head = await fetch(`${site.url}/images/480x270/uploads/${uploaded.photo}?t=1`, {
      method: "HEAD",
      headers: { accept: chrome },
    });
    expect(head.status).toBe(200);
    expect(Number(head.headers.get("content-length"))).toBeGreaterThan(1000);
    const svg = await fetch(`${site.url}/images/neutral/hero.svg`);
    expect(svg.headers.get("content-type")).toContain("image/svg+xml");
  });

  test("gives every image an address of its own, from rows that name the files alone", async () => {
    const stored = JSON.stringify(await rows());
    expect(stored.match(/"images\/public\/[^"]+"/g)).toHaveLength(5);
    expect(stored).not.toContain("/storage/v1/");

    const address = `${publicUrl}/images/1200/uploads/${uploaded.photo}`;
    const version = /\?t=\d+/.source;
    const read = async (path: string) => (await fetch(site.url + path)).text();
    const home = await read("/");
    expect(home).toContain(`<meta property="og:image" content="${address}"`);
    expect(home).toContain(`"logo":"${address}"`);
    expect(home).toContain(`<link rel="icon" href="/images/320/uploads/${uploaded.photo}"`);
    const page = await read(`/blog/${slug}`);
    expect(page).toMatch(new RegExp(`"image":\\["${address}${version}"`));
    expect(page).toMatch(/<img[^>]*srcSet="\/images\/320\/uploads\/[^>]*alt="In the text"/);
    const feeds = await Promise.all(["/rss.xml", "/atom.xml"].map(read));
    for (const feed of feeds) {
      expect(feed).toMatch(new RegExp(`src=&quot;${address}${version}&quot;`));
      expect(feed).toContain(`src=&quot;${address}&quot;`);
    }
    for (const text of [home, page, ...feeds]) expect(text.includes("/storage/v1/")).toBe(false);
    const icon = await fetch(`${site.url}/favicon.svg`);
    expect(icon.headers.get("content-type")).toBe("image/jpeg");
    expect(JSON.stringify(await rows())).toBe(stored);
  });

  test("offers a post's image in several widths, loaded with priority on its own page", async () => {
    const html = await (await fetch(`${site.url}/blog/${slug}`)).text();

    const image = html.match(/<img[^>]*alt="A picture"[^>]*>/)?.[0] ?? "";
    expect(image).toMatch(/srcSet="\/images\/320x180\/uploads\/[^ ]+\?t=\d+ 320w, /);
    expect(image).toContain('fetchPriority="high"');
    expect(image).toMatch(/sizes="[^"]+"/);
    expect(image).toMatch(/width="\d+"/);
    expect(image).toMatch(/height="\d+"/);
    expect(html).toMatch(/<link rel="preload" as="image"[^>]*imageSrcSet="\/images\/320x180/);
    const [address] = image.match(/\/images\/1200x675\/[^ "]+/) ?? [];
    expect((await fetch(site.url + address, { headers: { accept: chrome } })).status).toBe(200);
  });
});

/** Requests for images of another folder, project or cache. */
function createVariants(options: Partial<Parameters<typeof createImageVariants>[0]>) {
  return createImageVariants({
    siteFolder: folder,
    projectUrl: project.url,
    cacheFolder: join(folder, randomUUID()),
    fetchProject: fetch,
    acquire: async () => () => {},
    ...options,
  });
}

/** Requests `/images/{size}/uploads/{key of uploaded}`. */
function get(path: string, headers: Record<string, string> = {}): Promise<Response> {
  return send(
    request(
      path.replace(/uploads\/(\w+)/, (_, key: string) => `uploads/${uploaded[key]}`),
      headers,
    ),
  );
}

function request(path: string, headers: Record<string, string> = {}): Request {
  return new Request(`http://127.0.0.1${path}`, { headers });
}

async function bytesOf(response: Response): Promise<Buffer> {
  return Buffer.from(await response.arrayBuffer());
}

async function upload(key: string, contentType: string, bytes: Buffer): Promise<void> {
  const name = `${randomUUID()}.${contentType.split("/")[1]}`;
  const { error } = await owner.storage
    .from("images")
    .upload(`public/${name}`, bytes, { contentType });
  expect(error).toBeNull();
  uploaded[key] = name;
}

function tinyPng(): Promise<Buffer> {
  return sharp({ create: { width: 9, height: 9, channels: 3, background: "red" } })
    .png()
    .toBuffer();
}

/** An image with 16 bits per channel, whose color is 200, 100 and 50 of 255. */
function deepPng(): Promise<Buffer> {
  const pixels = new Uint16Array(400 * 300 * 3).map(
    (_, index) => ([200, 100, 50][index % 3] ?? 0) * 257,
  );
  return sharp(pixels, { raw: { width: 400, height: 300, channels: 3 } })
    .toColourspace("rgb16")
    .png()
    .toBuffer();
}

/** A file of a few bytes that declares 400 megapixels. */
async function bomb(): Promise<Buffer> {
  const bytes = await tinyPng();
  bytes.writeUInt32BE(20_000, 16);
  bytes.writeUInt32BE(20_000, 20);
  bytes.writeUInt32BE(crc32(bytes.subarray(12, 29)), 29);
  return bytes;
}
