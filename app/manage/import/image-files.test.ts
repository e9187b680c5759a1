import { strToU8, zipSync } from "fflate";
import { expect, test } from "vitest";
import { createImageFinder, createNameTest, openImageFiles } from "./image-files.ts";
import { unzipImages } from "./unzip-images.ts";

const address = "https://old.example/wp-content/uploads/2019/05/Family%20Tree-1024x683.jpg?w=900";
const fileOf = (path: string, content = path) => ({ path, file: new Blob([content]) });

async function find(wanted: string, ...paths: string[]) {
  return (await createImageFinder(paths.map((path) => fileOf(path)))(wanted)?.text()) ?? null;
}

test.each([
  ["Family Tree-1024x683.jpg"],
  ["family tree.JPG"],
  ["uploads/2019/05/Family%20Tree.jpg"],
  ["C:\\site\\Family Tree-scaled.jpg"],
  ["Family Tree-300x200.webp"],
  ["Family Tree-rotated.jpg.webp"],
  ["family-tree.jpeg"],
])("a file named %s serves the image in any of its sizes", async (path) => {
  expect(await find(address, path)).toBe(path);
});

test("of several files, the one with the exact name is taken, then the one in the same folders", async () => {
  expect(await find(address, "Family Tree.jpg", "Family Tree-1024x683.jpg")).toBe(
    "Family Tree-1024x683.jpg",
  );
  const folders = [
    "a/2018/05/family tree.jpg",
    "a/2019/05/family tree.jpg",
    "a/2019/06/family tree.jpg",
  ];
  expect(await find(address, ...folders)).toBe("a/2019/05/family tree.jpg");
  await expect(find(address, "a/family tree.jpg", "b/family tree.jpg")).rejects.toThrow(
    "Several files have its name",
  );
});

test.each(["family.jpg", "tree.jpg", "family tree 2.jpg"])("%s is another image", async (path) => {
  expect(await find(address, path)).toBeNull();
});

const zipOf = (files: Record<string, Uint8Array>, level: 0 | 6 = 6) =>
  new File([new Uint8Array(zipSync(files, { level }))], "Images.ZIP");
const open = (files: File[], addresses = [address], maxBytes = 1000) =>
  openImageFiles(files, createNameTest(addresses), maxBytes);

test.each([0, 6] as const)(
  "a zip file, packed at level %i, gives the images that are named",
  async (level) => {
    const zip = zipOf(
      {
        "site/2019/family tree.jpg": strToU8("oak"),
        "__MACOSX/site/2019/._family tree.jpg": strToU8("x"),
        "site/other.jpg": strToU8("other"),
        "site/family tree.txt.exe": strToU8("x"),
      },
      level,
    );
    const found = await open([
      zip,
      new File(["plain"], "Family Tree.jpg"),
      new File(["x"], "x.jpg"),
    ]);
    expect(found.map(({ path }) => path)).toEqual(["site/2019/family tree.jpg", "Family Tree.jpg"]);
    expect(await Promise.all(found.map(({ file }) => file?.text()))).toEqual(["oak", "plain"]);
  },
);

test("a zip file that unpacks to more than the limit is not unpacked", async () => {
  const zip = zipOf({ "family tree.jpg": new Uint8Array(5_000_000) });
  expect(zip.size).toBeLessThan(10_000);
  const found = await open([zip]);
  expect(found).toEqual([{ path: "family tree.jpg", file: null }]);
  expect(() => createImageFinder(found)(address)).toThrow("too large");
});

test("all images of a zip file together have a limit", async () => {
  const zip = zipOf({ "a.jpg": new Uint8Array(600), "b.jpg": new Uint8Array(600) });
  const unzip = (maxBytes: number) =>
    unzipImages(zip, () => true, { maxFileBytes: 1000, maxBytes });
  expect(await unzip(1200)).toHaveLength(2);
  await expect(unzip(1199)).rejects.toThrow("too many images");
});

test.each([
  ["no zip file", new File(["hello"], "a.zip"), "not a zip file"],
  [
    "half a zip file",
    (() => {
      const whole = zipOf({ "family tree.jpg": crypto.getRandomValues(new Uint8Array(900)) });
      return new File([whole.slice(0, 500)], "a.zip");
    })(),
    "damaged or incomplete",
  ],
])("%s says so", async (_, file, reason) => {
  await expect(open([file])).rejects.toThrow(reason);
});
