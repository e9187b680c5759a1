// `npm run upgrade` runs as root in a folder that the service may write.
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { chmod, cp, mkdir, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createTemporaryFolder } from "./temporary-folder.ts";

const root = join(import.meta.dirname, "..");
/** Of the user nobody. */
const service = "65534:65534";

test.skipIf(process.getuid?.() !== 0)(
  "an upgrade that runs as root removes nothing that a link in the data leads to",
  async () => {
    const folder = await createTemporaryFolder("upgrade-as-root");
    await chmod(folder, 0o755);
    const [site, system] = [join(folder, "site"), join(folder, "system")];
    for (const part of [
      "releases/now",
      "releases/old",
      "releases/older",
      "data/now",
      "data/older",
    ]) {
      await mkdir(join(site, part), { recursive: true });
    }
    await mkdir(system);
    await writeFile(join(system, "passwd"), "");
    await cp(join(root, "deploy"), join(site, "releases/now/deploy"), { recursive: true });
    await symlink("releases/now", join(site, "current"));
    // The service replaced its former data by a link.
    await symlink(system, join(site, "data/old"));
    for (const name of ["now", "old", "older"]) {
      await symlink(`../../data/${name}`, join(site, "releases", name, ".data"));
    }
    await writeFile(join(site, ".env"), "");
    // `git` fails, after the unused versions were removed.
    const bin = join(site, "releases/now/node_modules/.bin");
    await mkdir(bin, { recursive: true });
    for (const [name, script] of [
      ["node", "exit 0"],
      ["git", "exit 1"],
    ]) {
      await writeFile(join(bin, name ?? ""), `#!/bin/sh\n${script}\n`);
      await chmod(join(bin, name ?? ""), 0o755);
    }
    execFileSync("chown", ["-Rh", service, site]);

    const script = join(site, "current/deploy/upgrade.sh");
    const { status, stderr } = spawnSync("sh", [script, "v2"], { encoding: "utf8" });
    expect([status, stderr]).toEqual([1, expect.stringContaining("The upgrade failed.")]);
    expect(existsSync(join(system, "passwd"))).toBe(true);
    expect(existsSync(join(site, "data/now"))).toBe(true);
    expect(existsSync(join(site, "data/older"))).toBe(false);
    expect(existsSync(join(site, "releases/older"))).toBe(false);
    await rm(folder, { recursive: true });
  },
);
