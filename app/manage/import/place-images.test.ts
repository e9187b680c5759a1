// @vitest-environment happy-dom
import { expect, test } from "vitest";
import { textToBlocks } from "../content/marked-blocks.ts";
import { linkedImages, placeImages } from "./place-images.ts";

const oak = { address: "https://a.example/oak.jpg", alt: "An oak" };
const elm = { address: "https://a.example/elm.jpg", alt: "" };
const images = [oak, elm];
const uploaded = (name: string) => ({ src: `images/public/${name}.jpg`, width: 640, height: 480 });
const uploads = new Map([
  [oak.address, uploaded("oak")],
  [elm.address, uploaded("elm")],
]);
const oakBlock = { type: "image", ...uploaded("oak"), alt: "An oak" };
const elmBlock = { type: "image", ...uploaded("elm"), alt: "" };

const place = (text: string) => placeImages(textToBlocks(text), images, uploads);

test("an image takes the place of its link", () => {
  expect(place("One.\n\n[An oak](https://a.example/oak.jpg)\n\nTwo.")).toEqual([
    { type: "paragraph", text: "One." },
    oakBlock,
    { type: "paragraph", text: "Two." },
  ]);
});

test("a paragraph is divided by its images, and keeps its formats", () => {
  const text =
    "**Under** [An oak](https://a.example/oak.jpg) or [Image](https://a.example/elm.jpg) stands [he](https://a.example/).";
  expect(place(text)).toEqual([
    ...textToBlocks("**Under**"),
    oakBlock,
    ...textToBlocks("or"),
    elmBlock,
    ...textToBlocks("stands [he](https://a.example/)."),
  ]);
});

test("images in lists, quotes and cells follow them", () => {
  expect(
    place(
      "- One [An oak](https://a.example/oak.jpg) **tree**\n- [Image](https://a.example/elm.jpg)\n- Two",
    ),
  ).toEqual([
    {
      ...textToBlocks("- One **tree**\n- Two")[0],
      items: ["One tree", "Two"],
      itemMarks: expect.anything(),
    },
    oakBlock,
    elmBlock,
  ]);
  expect(place("- [An oak](https://a.example/oak.jpg)")).toEqual([oakBlock]);
  expect(place("> So [An oak](https://a.example/oak.jpg)")).toEqual([
    ...textToBlocks("> So"),
    oakBlock,
  ]);
  const link = "[An oak](https://a.example/oak.jpg)";
  expect(place(`| Tree | **Age** |\n| --- | --- |\n| ${link} | old ${link} |`)).toEqual([
    {
      ...textToBlocks("| Tree | **Age** |\n| --- | --- |\n|  | old |")[0],
      rowMarks: [[[], [{ type: "bold", start: 0, end: 3 }]], expect.anything()],
    },
    oakBlock,
    oakBlock,
  ]);
  expect(place(`| ${link} |`)).toEqual([oakBlock]);
  const marks = [{ type: "link", href: oak.address, start: 0, end: 6 }];
  const unknown = { type: "grid", rows: [{ cells: [{ text: "An oak", marks }, { text: "B" }] }] };
  expect(placeImages([unknown], images, uploads)).toEqual([
    { type: "grid", rows: [{ cells: [{ text: "" }, { text: "B" }] }] },
    oakBlock,
  ]);
});

test("what is no link of the import stays, also blocks of unknown types", () => {
  const blocks = [
    ...textToBlocks(
      "See [the oak](https://a.example/oak.jpg), [An oak](https://b.example/oak.jpg).",
    ),
    { type: "future", data: [1, { text: 5 }] },
    null,
  ];
  expect(placeImages(blocks, images, uploads)).toEqual(blocks);
  expect(linkedImages(blocks, images)).toEqual([]);
  expect(linkedImages(null, images)).toEqual([]);
});

test("an image that could not be had keeps its link, and is the only one that is still missing", () => {
  const text = "[An oak](https://a.example/oak.jpg)\n\n[Image](https://a.example/elm.jpg)";
  const some = placeImages(textToBlocks(text), images, new Map([[oak.address, uploaded("oak")]]));
  expect(some).toEqual([oakBlock, ...textToBlocks("[Image](https://a.example/elm.jpg)")]);
  expect(linkedImages(some, images)).toEqual([elm]);
  expect(placeImages(some, images, uploads)).toEqual([oakBlock, elmBlock]);
});
