import { expect, test } from "vitest";
import { readChanges } from "./changelog.ts";

const changelog = `# Changelog

Words before the versions.

## [Unreleased]

### Added

- Not released

## [1.2.0] - 2027-03-01

### Added

- A \`command\` with a [link](https://example.com/page), which takes
  two lines
- **Loud**

### Fixed

## 1.1.0

### Added

- Older
- Older

### Security

* A hole

## [1.0.0] - 2026-11-28

### Added

- The one that runs
`;

test("the changes of all versions after the one that runs are one list of plain text", () => {
  expect(readChanges(changelog, "1.0.0", "1.2.0")).toEqual([
    {
      title: "Added",
      items: ["A command with a link, which takes two lines", "Loud", "Older"],
    },
    { title: "Security", items: ["A hole"] },
  ]);
  expect(readChanges(changelog, "1.1.0", "1.2.0")).toHaveLength(1);
  expect(readChanges(changelog, "1.0.0", "1.1.0")).toMatchObject([
    { items: ["Older"] },
    { title: "Security" },
  ]);
});

test("a hostile changelog is bounded and cannot turn text around", () => {
  const items = Array.from({ length: 105 }, (_, at) => `- \u202e${at} ${"long ".repeat(220)}`);
  const parts = Array.from({ length: 25 }, (_, at) => `### ${at}\u0007\n${items.join("\n")}`);
  const changes = readChanges(`## 1.1.0\n${parts.join("\n")}`, "1.0.0", "1.1.0");
  expect([changes.length, changes[0]?.items.length]).toEqual([20, 100]);
  expect(changes[0]?.title).toBe("0");
  expect(changes[0]?.items[0]).toMatch(/^0 long .{990,993}$/);
  expect(readChanges("<html>\n## x\n- y", "1.0.0", "1.1.0")).toEqual([]);
  const started = performance.now();
  readChanges(`## 1.1.0\n### A\n- ${"[".repeat(200_000)}`, "1.0.0", "1.1.0");
  expect(performance.now() - started).toBeLessThan(5000);
});
