import { expect, test } from "vitest";
import { linkAt, linksOf, managePages, pageAt } from "./manage-pages.ts";

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

test("a path has its page", () => {
  for (const [path, heading] of [
    ["/manage", "Manage your site"],
    ["/manage/testimonials", "Testimonials"],
    ["/manage/testimonials/approved", "Testimonials"],
    ["/manage/settings/firm", "Settings"],
    ["/blog/new", "Create New Blog Post"],
    ["/blog/a-post/edit", "Edit Post"],
    ["/managed", undefined],
  ]) {
    expect(pageAt(path ?? "")?.heading).toBe(heading);
  }
  expect(pageAt("/blog/a-post/edit")?.noun).toBe("post editor");
});

test("the current link is the one with the longest matching address", () => {
  expect(linkAt("/manage")?.label).toBe("Overview");
  expect(linkAt("/manage/setup")?.label).toBe("Overview");
  expect(linkAt("/manage/settings/firm")?.label).toBe("Settings");
  expect(linkAt("/manage/testimonials/approved")?.to).toBe("/manage/testimonials");
  expect(linkAt("/blog/new")?.to).toBe("/manage/posts");
  expect(linkAt("/managed")).toBeUndefined();
});
