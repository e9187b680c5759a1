// `adviser-site upgrade` runs as root on folders that the service's user may write.
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { chmod, cp, mkdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createTemporaryFolder } from "./temporary-folder.ts";

const root = join(import.meta.dirname, "..");
/** Of the user nobody. */
const service = "65534:65534";

test.skipIf(process.getuid?.() !== 0)(
  "an upgrade runs nothing of the site as root, and removes nothing that a link in the data leads to",
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
    // Stand-ins that write down which user ran them. `git` fails, which ends the upgrade after it has removed unused versions.
    const bin = join(site, "releases/now/node_modules/.bin");
    await mkdir(bin, { recursive: true });
    for (const [name, script] of [
      ["node", "exit 0"],
      ["git", "exit 1"],
      ...["stat", "readlink", "flock", "setpriv", "systemctl", "sync", "id"].map((each) => [
        each,
        `PATH=/usr/sbin:/usr/bin:/sbin:/bin exec ${each} "$@"`,
      ]),
    ]) {
      const note = `echo "${name} $(/usr/bin/id -u)" >>${site}/ran`;
      await writeFile(join(bin, name ?? ""), `#!/bin/sh\n${note}\n${script}\n`);
      await chmod(join(bin, name ?? ""), 0o755);
    }
    execFileSync("chown", ["-Rh", service, site]);

    const run = (script: string) =>
      spawnSync("sh", [script, "upgrade", "v2"], {
        encoding: "utf8",
        env: { PATH: process.env.PATH, SITE: site },
      });
    const refused = run(join(site, "current/deploy/upgrade.sh"));
    expect([refused.status, refused.stderr]).toEqual([
      1,
      expect.stringMatching(/^Root must not run this file, which nobody may write/),
    ]);
    // As deploy/install.sh does.
    const command = join(folder, "adviser-site");
    await cp(join(root, "deploy/upgrade.sh"), command);
    const { status, stderr } = run(command);
    expect([status, stderr]).toEqual([1, expect.stringContaining("The upgrade failed.")]);
    const ran = (await readFile(join(site, "ran"), "utf8")).trim().split("\n");
    expect(new Set(ran)).toEqual(new Set(["node 65534", "git 65534"]));
    expect(existsSync(join(system, "passwd"))).toBe(true);
    expect(existsSync(join(site, "data/now"))).toBe(true);
    expect(existsSync(join(site, "data/older"))).toBe(false);
    expect(existsSync(join(site, "releases/older"))).toBe(false);
    await rm(folder, { recursive: true });
  },
);
