// @vitest-environment happy-dom

import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import type { Release } from "../../config/checks/release.ts";
import { ReleaseNote } from "./release-note.tsx";

const changes = [{ title: "Added", items: ["<b>A door</b>"] }];

function textOf(release: Partial<Release>): string {
  const page = document.createElement("div");
  page.innerHTML = renderToStaticMarkup(
    <ReleaseNote release={{ version: "1.2.0", changes, install: "tonight", ...release }} />,
  );
  return page.textContent;
}

test("a release says what it changes, and who installs it", () => {
  expect(textOf({})).toBe("Version 1.2.0 is availableIt is installed tonight.Added<b>A door</b>");
  expect(textOf({ install: "upgrade" })).toContain("sudo adviser-site upgrade v1.2.0");
  expect(textOf({ install: "pull" })).toContain("git pull");
  expect(textOf({ changes: [] })).toContain("could not be read");
});
