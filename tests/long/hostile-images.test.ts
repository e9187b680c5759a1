// One address asks for all variants of large images while another waits for a new one, and the most expensive files that are
// accepted are uploaded at once. `npm run load:hostile` prints how long the other waited, and the memory.
import { readFileSync } from "node:fs";
import { request } from "node:http";
import sharp, { type Sharp } from "sharp";
import { beforeAll, expect, onTestFinished, test } from "vitest";
import { imageWidths, wideHeight } from "../../app/config/image-address.ts";
import { cameraPhoto } from "../camera-photo.ts";
import { signIn } from "../start-project.ts";
import { type NewSite, startNewSite } from "../start-site.ts";

const { LOAD_SECONDS } = process.env;
const flat = (width: number, height: number, channels: 3 | 4 = 3) =>
  sharp({
    create: { width, height, channels, background: channels === 4 ? "#1e4a4080" : "#1e4a40" },
    limitInputPixels: false,
  });
const whole = { progressive: true, chromaSubsampling: "4:4:4" };

let photo: Buffer;
beforeAll(async () => {
  photo = await cameraPhoto();
});

test.each([
  ["41 variants of one large image", 1, 41],
  ["98 variants of three large images", 3, 98],
])(
  "another visitor gets a new image while one address asks for %s",
  async (what, images, count) => {
    const site = await startNewSite({ RATE_LIMITS: "on" });
    onTestFinished(site.stop);
    const upload = await uploadsOf(site);
    const names = await Promise.all(Array.from({ length: images }, () => upload("jpg", photo)));
    const gone = new AbortController();
    let served = 0;
    for (const path of pathsOf(names).slice(0, count)) {
      get(site.port, "127.0.0.66", path, gone.signal).then(
        ({ status }) => {
          if (status === 200) served += 1;
        },
        () => {},
      );
    }
    const name = await upload("jpg", photo);
    const began = performance.now();
    const { status } = await get(site.port, "127.0.1.1", `/images/1200x675/uploads/${name}`);
    expect(status).toBe(200);
    // Before all that the address asked for earlier.
    expect(served).toBeLessThan(count);
    const waited = Math.round(performance.now() - began);
    if (LOAD_SECONDS) console.log(`new image during ${what}: waited ${waited} ms`);
    gone.abort();
    // What the address no longer waits for is not made.
    const other = await upload("jpg", photo);
    expect((await get(site.port, "127.0.0.66", `/images/320/uploads/${other}`)).status).toBe(200);
  },
);

test("the process stays below its memory limit with the most expensive files that are accepted", {
  timeout: 600_000,
}, async () => {
  const files: [string, Sharp][] = [
    ["jpg", flat(9000, 6000).jpeg(whole)],
    ["jpg", flat(6100, 6100).toColourspace("cmyk").jpeg(whole)],
    ["jpg", flat(12_000, 8_300).jpeg().withMetadata({ orientation: 6 })],
    ["png", flat(6600, 5000, 4).toColourspace("rgb16").png({ progressive: true })],
    ["png", flat(21_000, 4700, 4).toColourspace("rgb16").png()],
    ["gif", flat(4300, 14_000).gif({ effort: 1 })],
    ["webp", flat(4300, 14_000).webp({ lossless: true, effort: 0 })],
  ];
  const encoded: [string, Buffer][] = [["gif", gifOfManyFrames()]];
  for (const [extension, file] of files) encoded.push([extension, await file.toBuffer()]);
  const refused = await flat(10_000, 9_900).webp({ effort: 0 }).toBuffer();
  const site = await startNewSite({ RATE_LIMITS: "on" });
  onTestFinished(site.stop);
  const upload = await uploadsOf(site);
  await expect(upload("webp", refused)).rejects.toThrow("a WebP image may have at most 60");
  await Promise.all(
    encoded.map(async ([extension, bytes], visitor) => {
      const name = await upload(extension, bytes);
      const path = `/images/800/uploads/${name}`;
      expect((await get(site.port, `127.0.2.${visitor + 1}`, path)).status).toBe(200);
    }),
  );
  const megabytes = peakMemory(site);
  if (LOAD_SECONDS) console.log(`memory with the most expensive images: ${megabytes} MB`);
  expect(megabytes).toBeLessThan(512);
});

/** Of one pixel: 50 MB with 3.4 million frames. */
function gifOfManyFrames(): Buffer {
  const head = Buffer.from("47494638396101000100800000ff000000ff", "hex");
  const frame = Buffer.from("2c00000000010001000002024c0100", "hex");
  const frames = Buffer.alloc(3_400_000 * frame.length, frame);
  return Buffer.concat([head, Buffer.from([0]), frames, Buffer.from([0x3b])]);
}

async function uploadsOf(site: NewSite) {
  const owner = await signIn(site);
  return async (extension: string, bytes: Buffer): Promise<string> => {
    const name = `${crypto.randomUUID()}.${extension}`;
    const contentType = `image/${extension.replace("jpg", "jpeg")}`;
    const { error } = await owner.storage
      .from("images")
      .upload(`public/${name}`, bytes, { contentType });
    if (error) throw new Error(error.message);
    return name;
  };
}

function pathsOf(names: string[]): string[] {
  return imageWidths
    .toReversed()
    .flatMap((width) => [`${width}`, `${width}x${wideHeight(width)}`])
    .flatMap((size) => names.map((name) => `/images/${size}/uploads/${name}`))
    .flatMap((path) => ["image/avif", "image/webp", "*/*"].map((accept) => `${path}#${accept}`));
}

/** @param path with the formats after `#` */
function get(port: number, localAddress: string, path: string, signal?: AbortSignal) {
  const [address, accept = "image/avif"] = path.split("#");
  return new Promise<{ status: number }>((resolve, reject) => {
    const sent = request({
      ...{ host: "127.0.0.1", port, path: address, localAddress, agent: false },
      ...{ headers: { accept }, signal },
    });
    sent.on("response", (response) => {
      response.on("error", reject);
      response.resume().on("end", () => resolve({ status: response.statusCode ?? 0 }));
    });
    sent.on("error", reject).end();
  });
}

/** Megabytes of resident memory at the highest. */
function peakMemory({ process: { pid } }: NewSite): number {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  return Math.round(Number(/^VmHWM:\s+(\d+)/m.exec(status)?.[1]) / 1024);
}
