import { execFile } from "node:child_process";
import { cp, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import { createTemporaryFolder } from "../tests/temporary-folder.ts";

const root = join(import.meta.dirname, "..");

test("a first start without a package registry says what to check", async () => {
  const checkout = await createTemporaryFolder("offline");
  onTestFinished(() => rm(checkout, { recursive: true }));
  for (const name of ["package.json", "package-lock.json", "scripts"]) {
    await cp(join(root, name), join(checkout, name), { recursive: true });
  }
  const env = {
    ...{ PATH: process.env.PATH, HOME: checkout },
    // Nothing listens on this port.
    ...{ npm_config_registry: "http://127.0.0.1:9", npm_config_cache: join(checkout, "cache") },
  };
  const start = promisify(execFile)(process.execPath, ["scripts/start.mjs"], {
    cwd: checkout,
    env,
  });
  await expect(start).rejects.toMatchObject({
    code: 1,
    stdout: expect.stringMatching(/Installing (packages|Node \S+) \(about a minute\)…/),
    stderr: expect.stringMatching(/ECONNREFUSED[\s\S]*\nCheck the internet connection\./),
  });
});

test("the Node that is installed has the version that the site names, and the lockfile has its hash", async () => {
  const read = async (name: string) => JSON.parse(await readFile(join(root, name), "utf8"));
  const { config } = await read("package.json");
  const { packages } = await read("scripts/node/package-lock.json");
  const { "": wanted, ...locked } = packages;
  expect(new Set(Object.values(wanted.optionalDependencies))).toEqual(new Set([config.node]));
  const versions = { ...wanted.optionalDependencies, ...wanted.dependencies };
  // npm carries its own dependencies.
  expect(Object.keys(locked).sort()).toEqual(
    Object.keys(versions)
      .map((name) => `node_modules/${name}`)
      .sort(),
  );
  for (const [name, version] of Object.entries(versions)) {
    const integrity = expect.stringMatching(/^sha512-/);
    expect(locked[`node_modules/${name}`]).toMatchObject({ version, integrity });
  }
});
