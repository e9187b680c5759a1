import { expect, test } from "vitest";
import { sectionNames } from "../config/site-schema.ts";
import { managePages, placeAt, placesOf } from "./manage-pages.ts";

const placeNames = (role: Parameters<typeof placesOf>[0]) => placesOf(role).map(({ name }) => name);

test("each role sees the places and the tabs that it may manage", () => {
  expect(placeNames("owner")).toEqual([
    ...["Home", "Inbox", "Posts", "Pages", "Services", "Testimonials", "Site design", "Visits"],
    ...["Records", "Settings"],
  ]);
  expect(placeNames("editor")).toEqual(["Home", "Posts", "Pages"]);
  expect(placeNames("assistant")).toEqual(["Home", "Inbox", "Testimonials", "Records"]);
  expect(placeNames(null)).toEqual([]);
  const records = placesOf("assistant").find(({ name }) => name === "Records");
  expect(records?.tabs.map(({ label }) => label)).toEqual(["Consents", "Decisions"]);
  expect(records?.to).toBe("/manage/consents");
});

test("no place, page or setting has the name of another one", () => {
  const names = placesOf("owner").flatMap(({ name, tabs }) =>
    tabs.length === 1 ? [name] : [name, ...tabs.map(({ label }) => label)],
  );
  // The first tab of a place may share the name of the place.
  expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual(["Posts", "Testimonials"]);
});

test("each section of the settings is one tab", () => {
  const tabs = placesOf("owner").flatMap(({ tabs }) => tabs.map(({ to }) => to));
  const sections = tabs.flatMap((to) => /^\/manage\/settings\/(.+)/.exec(to)?.[1] ?? []);
  expect(sections.toSorted()).toEqual(sectionNames.toSorted());
});

test("only Home and the own account are for accounts without a role", () => {
  const open = managePages.filter(({ access }) => !access).map(({ path }) => path);
  expect(open).toEqual(["/manage", "/manage/account"]);
});

test("an address belongs to the place of the tab with the longest matching address", () => {
  const places = placesOf("owner");
  const name = (pathname: string) => placeAt(places, pathname).place?.name;
  expect(name("/manage")).toBe("Home");
  expect(name("/manage/posts/import")).toBe("Posts");
  expect(name("/manage/pages/team/edit")).toBe("Pages");
  expect(name("/manage/testimonials/approved")).toBe("Testimonials");
  expect(name("/manage/testimonials/decisions")).toBe("Records");
  expect(name("/manage/settings/notice")).toBe("Site design");
  expect(name("/manage/settings/contact")).toBe("Settings");
  expect(name("/elsewhere")).toBeUndefined();
});
