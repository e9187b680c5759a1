// With real git and a bare repository in place of the origin.
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { cp, mkdir, readdir, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, expect, onTestFinished, test, vi } from "vitest";
import { createTemporaryFolder } from "../../tests/temporary-folder.ts";
import { createReleaseCheck } from "./release-check.ts";

const folder = await createTemporaryFolder("release-check");
afterAll(() => rm(folder, { recursive: true }));
const author = ["-c", "user.name=A", "-c", "user.email=a@example.com"];
const timeout = 10_000;

function git(at: string, ...args: string[]): string {
  return execFileSync("git", [...author, ...args], { cwd: at, encoding: "utf8", stdio: "pipe" });
}

/** An origin with a changelog, and a clone of it. */
async function createClone(name: string, tags: string[]) {
  const [work, origin, root] = ["work", "origin.git", "site"].map((part) =>
    join(folder, name, part),
  ) as [string, string, string];
  await mkdir(work, { recursive: true });
  git(work, "init", "--quiet");
  await writeFile(join(work, "CHANGELOG.md"), "## 1.1.0\n\n### Added\n\n- A door\n");
  git(work, "add", ".");
  git(work, "commit", "--quiet", "--message", "One");
  git(folder, "clone", "--quiet", "--bare", work, origin);
  git(folder, "clone", "--quiet", origin, root);
  for (const tag of tags) git(origin, "tag", tag);
  return { root, origin };
}

function check(root: string, changes: Partial<Parameters<typeof createReleaseCheck>[0]> = {}) {
  const releases = createReleaseCheck({
    ...{ root, cacheFolder: join(root, "../cache"), version: "1.0.0", isOn: () => true },
    ...{ pause: 5, timerFile: join(folder, "no-timer"), ...changes },
  });
  onTestFinished(() => releases?.stop());
  return releases;
}

test("the newest release of the origin is named with what it changes, and the clone stays as it is", async () => {
  const { root } = await createClone("newer", [
    ...["v1.1.0", "v1.0.9", "v0.9.0", "v1.2.0-rc.1", "v2", "1.9.0", "latest"],
    ...["v1.01.0", "v9.9.9;reboot", "v3.0.0$(reboot)", "v100000.0.0"],
  ]);
  const before = git(root, "for-each-ref");
  const releases = check(root);
  expect(releases?.newer()).toBe(null);
  await expect
    .poll(() => releases?.newer(), { timeout })
    .toEqual({
      version: "1.1.0",
      changes: [{ title: "Added", items: ["A door"] }],
      install: "pull",
    });
  expect(git(root, "for-each-ref")).toBe(before);
  expect(existsSync(join(root, ".git/FETCH_HEAD"))).toBe(false);
  await expect
    .poll(() => readdir(join(root, "../cache")), { timeout })
    .toEqual(["newest-release.json"]);
});

test("it is asked once a day, also after a restart", async () => {
  const { root, origin } = await createClone("once", ["v1.1.0"]);
  const first = check(root);
  await expect.poll(() => first?.newer()?.version, { timeout }).toBe("1.1.0");
  const file = join(root, "../cache/newest-release.json");
  await expect.poll(() => existsSync(file), { timeout }).toBe(true);
  git(origin, "tag", "v1.5.0");
  vi.useFakeTimers({ now: Date.now() });
  onTestFinished(() => void vi.useRealTimers());
  const second = check(root, { pause: 60 * 60_000 });
  await vi.advanceTimersByTimeAsync(23 * 60 * 60_000);
  vi.useRealTimers();
  expect(second?.newer()?.version).toBe("1.1.0");
  vi.setSystemTime(Date.now() + 25 * 60 * 60_000);
  const third = check(root);
  await expect.poll(() => third?.newer()?.version, { timeout }).toBe("1.5.0");
});

test("a site that has been upgraded names nothing, and neither does one whose owner switched it off", async () => {
  const { root } = await createClone("off", ["v1.1.0"]);
  let isOn = true;
  const releases = check(root, { isOn: () => isOn });
  await expect.poll(() => releases?.newer()?.version, { timeout }).toBe("1.1.0");
  isOn = false;
  expect(releases?.newer()).toBe(null);
  expect(check(root, { version: "1.1.0" })?.newer()).toBe(null);
});

test("an owner who switched it off has nobody asked", async () => {
  const { root } = await createClone("never", ["v1.1.0"]);
  const isOn = vi.fn(() => false);
  check(root, { isOn });
  await expect.poll(() => isOn.mock.calls.length, { timeout }).toBeGreaterThan(3);
  expect(existsSync(join(root, "../cache"))).toBe(false);
});

test.each([
  ["that is away", (origin: string) => `${origin}-gone`],
  ["that is a command", () => `ext::sh -c "touch% ${join(folder, "ran")}"`],
  ["without encryption", () => "git://user:secret@127.0.0.1:1/site.git"],
])("an origin %s is told in the log, without its address", async (name, urlOf) => {
  const warn = vi.spyOn(console, "warn").mockImplementation(() => {});
  onTestFinished(() => warn.mockRestore());
  const { root, origin } = await createClone(name, []);
  git(root, "remote", "set-url", "origin", urlOf(origin));
  const releases = check(root);
  await expect
    .poll(() => warn.mock.calls, { timeout })
    .toEqual([["The origin of the site could not be asked for a newer release: 128"]]);
  expect(releases?.newer()).toBe(null);
  expect(existsSync(join(folder, "ran"))).toBe(false);
});

test("a release is named without its changelog, too", async () => {
  const { root, origin } = await createClone("no-changelog", []);
  git(origin, "tag", "v1.1.0", git(origin, "hash-object", "-t", "tree", "-w", "/dev/null").trim());
  const releases = check(root);
  await expect
    .poll(() => releases?.newer(), { timeout })
    .toMatchObject({ version: "1.1.0", changes: [] });
});

test("without a clone nobody is asked", async () => {
  // git would find the repository around it.
  const { root } = await createClone("around", ["v1.1.0"]);
  await mkdir(join(root, "inside"));
  expect(check(join(root, "inside"))).toBe(null);
});

test("a service is upgraded with its command, or at night within its major version", async () => {
  const { root } = await createClone("service", ["v1.1.0"]);
  const release = join(folder, "service/releases/first");
  await cp(root, release, { recursive: true });
  await symlink("releases/first", join(folder, "service/current"));
  const byHand = check(release);
  await expect.poll(() => byHand?.newer()?.install, { timeout }).toBe("upgrade");
  await expect
    .poll(() => existsSync(join(release, "../cache/newest-release.json")), { timeout })
    .toBe(true);
  const timerFile = join(folder, "service/timer");
  await writeFile(timerFile, "");
  expect(check(release, { timerFile })?.newer()?.install).toBe("tonight");
  expect(check(release, { timerFile, version: "0.9.0" })?.newer()?.install).toBe("upgrade");
});
