import { brotliCompressSync } from "node:zlib";
import { expect, test } from "vitest";
import { deferScripts } from "../app/layout/defer-scripts.ts";
import {
  builtFiles,
  codeOf,
  firstScripts,
  modulesByScript,
  pageRoutes,
  travelSize,
} from "./built-page.ts";
import { byteBudgets } from "./byte-budgets.ts";

const sum = (names: readonly string[]) =>
  names.reduce((total, name) => total + travelSize(name), 0);

test("the home page's scripts, styles and fonts stay within their budgets", () => {
  expect(sum(firstScripts("home/home-page"))).toBeLessThanOrEqual(byteBudgets.scripts);
  const styles = builtFiles(".css").filter((name) => name.startsWith("app-"));
  expect(styles).toHaveLength(1);
  expect(sum(styles)).toBeLessThanOrEqual(byteBudgets.styles);
  const fonts = builtFiles(".woff2").filter((name) => name.includes("-basic"));
  expect(fonts).toHaveLength(2);
  expect(sum(fonts)).toBeLessThanOrEqual(byteBudgets.fonts);
  expect(Math.max(...fonts.map(travelSize))).toBeLessThanOrEqual(byteBudgets.font);
});

// Their selectors end in `*` below a :has(), so that each added element makes Chromium compute the styles of the whole page again.
test("no style uses Tailwind's group-has or peer-has", () => {
  const [styles = ""] = builtFiles(".css").filter((name) => name.startsWith("app-"));
  expect(codeOf(styles)).not.toMatch(/(group|peer)-has/);
});

test("the inline script that starts the others is small", () => {
  const page = '<script type="module" async="">import "/a.js"</script></body>';
  expect(brotliCompressSync(deferScripts(page, "")).length).toBeLessThanOrEqual(
    byteBudgets.inlineScripts,
  );
});

test("the first scripts contain nothing that only the owner, a form or a later moment needs", () => {
  const first = firstScripts("home/home-page").map(codeOf).join("\n");
  for (const [what, mark] of [
    ["supabase-js", "X-Client-Info"],
    ["the realtime socket", "phx_join"],
    ["zod", "ZodError"],
    ["the carousel's engine", "slidesToScroll"],
    ["the owner's forms", "Publishing..."],
    ["what roles may do", "Write posts and upload images"],
    ["dialogs", "Are you absolutely sure?"],
  ] as const) {
    expect(
      builtFiles(".js").some((name) => codeOf(name).includes(mark)),
      `${what} is built`,
    ).toBe(true);
    expect(first.includes(mark), what).toBe(false);
  }
});

test("no script contains the structured data, which only the server uses", () => {
  expect(builtFiles(".js").filter((name) => codeOf(name).includes("BreadcrumbList"))).toEqual([]);
});

test("no script that a page starts with contains code of app/manage", () => {
  const modules = modulesByScript();
  const managing = (page: string) =>
    firstScripts(page).flatMap((name) =>
      (modules[name] ?? []).filter((path) => path.startsWith("manage/")),
    );
  expect(Object.values(modules).flat()).toContain("manage/manage-page.tsx");
  expect(pageRoutes().flatMap(managing)).toEqual([]);
});
