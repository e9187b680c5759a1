import { expect, test } from "vitest";
import { linksOf, linkTo, managePages, pageOf } from "./manage-pages.ts";

const labels = (role: Parameters<typeof linksOf>[0]) => linksOf(role).map(({ label }) => label);

test("each role sees links to what it may manage", () => {
  expect(labels("owner")).toEqual(managePages.flatMap(({ label }) => label ?? []));
  expect(labels("editor")).toEqual(["Overview", "Posts", "Pages", "Account"]);
  expect(labels("assistant")).toEqual([
    ...["Overview", "Messages", "Testimonials", "Consents", "Account"],
  ]);
  expect(labels(null)).toEqual([]);
});

test("only the overview and the own account are for accounts without a role", () => {
  const open = managePages.filter(({ access }) => !access).map(({ path }) => path);
  expect(open).toEqual(["/manage", "/manage/account"]);
});

test("each page belongs to a link: the one with the longest matching address", () => {
  const link = (pattern: string) => linkTo(pageOf(pattern) ?? expect.fail(pattern));
  expect(link("manage")?.label).toBe("Overview");
  expect(link("manage/setup")?.label).toBe("Overview");
  expect(link("manage/settings/:section")?.label).toBe("Settings");
  expect(link("manage/testimonials/:decision?")?.to).toBe("/manage/testimonials");
  expect(link("manage/testimonials/requests")?.to).toBe("/manage/testimonials");
  expect(link("blog/:slug/edit")?.to).toBe("/manage/posts");
  expect(managePages.filter((page) => !linkTo(page))).toEqual([]);
});
