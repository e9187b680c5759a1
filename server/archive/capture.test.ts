import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { type CaptureStep, createCapture } from "./capture.ts";

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "setInterval", "clearInterval", "Date"] });
});
afterEach(() => {
  vi.useRealTimers();
});

/** A site of some pages, and what the archive was told. */
function start(options: { isHeld?: boolean } = {}) {
  const pages = new Map([
    ["/", "<title>Home</title>"],
    ["/blog/a", "<title>A</title>"],
  ]);
  const site = { ...options, pages, day: "2026-11-25", isDown: false, broken: "" };
  const current: Record<string, string> = {};
  const stored: string[] = [];
  const ends: string[] = [];
  const logged: string[] = [];
  const step: CaptureStep = async (name, value) => {
    if (name === "begin") return site.isHeld ? null : { ...current };
    const { path, title, digest } = value as Record<"path" | "title", string> & {
      digest: string | null;
    };
    if (name !== "page") return [];
    stored.push(`${path}: ${digest ? "copy" : "end"}`);
    if (!digest) ends.push(title);
    if (digest) current[path] = digest;
    else delete current[path];
    return [];
  };
  const capture = createCapture({
    ...{ siteUrl: () => "http://site.example", port: 1, interval: 60_000, release: "1", step },
    day: () => site.day,
    menu: () => ["/"],
    thanksPaths: ["/blog/a?sent", "/gone?sent"],
    postedForms: ["/blog/a?words=true", "/gone?words=true"],
    async renderPage(request) {
      const { pathname, search } = new URL(request.url);
      const path = pathname + (search === "?sent" ? search : "");
      const form = await request.text();
      const listed = [...pages.keys()].filter((path) => !/[.?]/.test(path));
      const locations = listed.map((path) => `<loc>http://site.example${path}</loc>`);
      const html = path === "/sitemap.xml" ? locations.join("") : pages.get(path + form);
      const type = path.endsWith(".xml") ? "application/xml" : "text/html";
      const left: HeadersInit = html ? {} : { location: "/blog/new" };
      const init = { status: html ? 200 : 302, headers: { "content-type": type, ...left } };
      const use = { tables: new Set<string>(), failed: site.isDown || site.broken === path };
      return { response: new Response(html ?? null, init), use };
    },
    fetchFile: async () => new Response(null, { status: 404 }),
    log: (line) => logged.push(line),
  });
  /** @returns what was stored in the next seconds */
  async function wait(seconds: number) {
    for (let second = 0; second < seconds; second++) {
      await vi.advanceTimersByTimeAsync(1000);
      // Responses are read outside of the timers.
      await new Promise((resume) => setImmediate(resume));
    }
    return stored.splice(0);
  }
  return { site, capture, wait, logged, ends };
}

test("after the start every page is captured, after a change what differs, and what has left the site ends", async () => {
  const { site, capture, wait, ends } = start();
  expect(await wait(30)).toEqual(["/: copy", "/blog/a: copy"]);
  site.pages.set("/blog/b", "<title>B</title>");
  site.pages.delete("/blog/a");
  expect(await wait(60)).toEqual([]);
  capture.changed();
  expect(await wait(60)).toEqual(["/blog/b: copy", "/blog/a: end"]);
  expect(ends).toEqual(["Leads to /blog/new"]);
  capture.changed();
  expect(await wait(120)).toEqual([]);
  await capture.stop();
});

test("feeds are captured, and with a page the image that is shared with it", async () => {
  const { site, capture, wait } = start();
  site.pages.set("/rss.xml", "<rss/>");
  site.pages.set("/share/home.png", "drawn");
  const image = '<meta property="og:image" content="http://site.example/share/home.png?t=';
  site.pages.set("/", `${image}1"/>`);
  expect(await wait(30)).toEqual(["/: copy", "/blog/a: copy", "/rss.xml: copy"]);
  // The same image under the address of a newer version of the settings is no other page.
  site.pages.set("/", `${image}2"/>`);
  capture.changed();
  expect(await wait(60)).toEqual([]);
  site.pages.set("/share/home.png", "drawn differently");
  site.pages.set("/", `${image}3"/>`);
  capture.changed();
  expect(await wait(60)).toEqual(["/: copy"]);
  await capture.stop();
});

test("the thanks for a message are captured with their page", async () => {
  const { site, capture, wait } = start();
  site.pages.set("/blog/a?sent", "<title>Sent</title>");
  site.pages.set("/gone?sent", "<title>Sent</title>");
  expect(await wait(30)).toEqual(["/: copy", "/blog/a: copy", "/blog/a?sent: copy"]);
  await capture.stop();
});

test("the answer to a form is captured with its page", async () => {
  const { site, capture, wait } = start();
  site.pages.set("/blog/awords=true", "<title>Answer</title>");
  expect(await wait(30)).toContain("/blog/a?words=true: copy");
  await capture.stop();
});

test("while the backend fails, no page ends, and it is captured later", async () => {
  const { site, capture, wait, logged } = start();
  await wait(30);
  site.isDown = true;
  site.pages.clear();
  capture.changed();
  expect(await wait(300)).toEqual([]);
  expect(logged).toHaveLength(1);
  expect(capture.isFailing()).toBe(true);
  site.isDown = false;
  expect(await wait(120)).toEqual(["/: end", "/blog/a: end"]);
  expect(capture.isFailing()).toBe(false);
  await capture.stop();
});

test("a page that cannot be rendered keeps no other page out of the archive, and is captured later", async () => {
  const { site, wait, capture, logged } = start();
  site.broken = "/";
  expect(await wait(30)).toEqual(["/blog/a: copy"]);
  expect(logged.join()).toContain("/ responded with 200");
  site.broken = "";
  expect(await wait(120)).toEqual(["/: copy"]);
  await capture.stop();
});

test("a process captures once the one that did has ended", async () => {
  const { site, capture, wait } = start({ isHeld: true });
  expect(await wait(300)).toEqual([]);
  site.isHeld = false;
  expect(await wait(120)).toEqual(["/: copy", "/blog/a: copy"]);
  await capture.stop();
});

test("a notice begins and ends in the archive when its days do, without any change", async () => {
  const { site, capture, wait } = start();
  await wait(30);
  for (const title of ["Home, closed today", "Home"]) {
    site.pages.set("/", `<title>${title}</title>`);
    expect(await wait(300)).toEqual([]);
    site.day += "+1";
    expect(await wait(60)).toEqual(["/: copy"]);
  }
  await capture.stop();
});
