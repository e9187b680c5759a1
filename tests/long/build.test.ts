// A build that fails or is killed leaves the current build unchanged. A new build replaces it completely.
import { type ChildProcess, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { readdirSync } from "node:fs";
import { cp, mkdir, readdir, readFile, realpath, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { freePort } from "../free-port.ts";
import { setUpFolder } from "../set-up.ts";
import { stopSite } from "../start-site.ts";

const root = join(import.meta.dirname, "../..");
const copied = [
  ...["app", "packages", "public", "scripts", "server", "supabase"],
  ...readdirSync(root).filter((name) => /\.(ts|json)$/.test(name)),
];
const longTimeout = { timeout: 400_000 };

/** A checkout of the project that the tests may break. */
const checkout = await setUpFolder("build");
const started: ChildProcess[] = [];

beforeAll(async () => {
  for (const name of copied) {
    await cp(join(root, name), join(checkout, name), { recursive: true });
  }
  await mkdir(join(checkout, ".builds"));
  await cp(await realpath(join(root, "build")), join(checkout, ".builds/2026-01-01"), {
    recursive: true,
  });
  await symlink(".builds/2026-01-01", join(checkout, "build"));
  await linkPackages();
});

/** Gives the checkout its own stamp: an installation into a linked folder would empty the link's target. */
async function linkPackages(): Promise<void> {
  const packages = join(checkout, "node_modules");
  await mkdir(packages);
  for (const name of await readdir(join(root, "node_modules"))) {
    if (name !== ".installed") {
      await symlink(join(root, "node_modules", name), join(packages, name));
    }
  }
  const lockfile = await readFile(join(root, "package-lock.json"));
  const stamp = createHash("sha256").update("/package-lock.json").update(lockfile).digest("hex");
  await writeFile(join(packages, ".installed"), stamp);
}

afterAll(async () => void (await Promise.all(started.map(stopSite))));

function spawnScript(script: string, environment: Record<string, string> = {}) {
  const child = spawn(process.execPath, [`scripts/${script}`], {
    cwd: checkout,
    env: { ...process.env, ...environment },
    stdio: ["ignore", "pipe", "pipe"],
  });
  started.push(child);
  const printed = { text: "" };
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (chunk) => {
      printed.text += chunk;
    });
  }
  return { child, printed };
}

const rootFile = () => join(checkout, "app/root.tsx");
const builds = async () => (await readdir(join(checkout, ".builds"))).sort();

test(
  "after a syntax error the site starts the previous build and reports the error",
  longTimeout,
  async () => {
    const good = await readFile(rootFile(), "utf8");
    await writeFile(rootFile(), `${good}\nexport const broken = ;\n`);
    const port = await freePort();
    const { child, printed } = spawnScript("start.mjs", {
      PORT: String(port),
      DATA_DIR: join(checkout, "data"),
    });
    await expect.poll(() => printed.text, { timeout: 200_000 }).toContain("The site: ");
    expect(printed.text).toContain("root.tsx");
    expect(printed.text).toContain("The build failed, as told above: this is the build before it.");
    const page = await fetch(`http://127.0.0.1:${port}/`);
    expect(page.status).toBe(200);
    const [script] = (await page.text()).match(/\/assets\/[\w.-]+\.js/) ?? [];
    expect((await fetch(`http://127.0.0.1:${port}${script}`)).status).toBe(200);
    expect(await builds()).toEqual(["2026-01-01"]);
    child.kill("SIGTERM");
    await once(child, "exit");
    await writeFile(rootFile(), good);
  },
);

test("npm run build fails on a syntax error", longTimeout, async () => {
  // This fails sooner than a page would.
  const file = join(checkout, "vite.config.ts");
  const good = await readFile(file, "utf8");
  await writeFile(file, `${good}\nexport const broken = ;\n`);
  const { child } = spawnScript("build.mjs");
  expect(await once(child, "exit")).toEqual([1, null]);
  expect(await builds()).toEqual(["2026-01-01"]);
  await writeFile(file, good);
});

test(
  "a killed build changes nothing, and the next one keeps the former files",
  longTimeout,
  async () => {
    const good = await readFile(rootFile(), "utf8");
    const before = await readdir(join(checkout, "build/client/assets"));
    await writeFile(
      rootFile(),
      `${good}
Reflect.set(globalThis, "changed", true);
`,
    );
    const killed = spawnScript("build.mjs");
    await expect
      .poll(async () => (await builds()).join(), { timeout: 200_000 })
      .toContain("unfinished-");
    killed.child.kill("SIGKILL");
    await once(killed.child, "exit");
    expect(await readdir(join(checkout, "build/client/assets"))).toEqual(before);

    const { child, printed } = spawnScript("build.mjs");
    expect(await once(child, "exit"), printed.text).toEqual([0, null]);
    expect(await realpath(join(checkout, "build"))).not.toContain("2026-01-01");
    const after = await readdir(join(checkout, "build/client/assets"));
    expect(after).toEqual(expect.arrayContaining(before));
    expect(after.length).toBeGreaterThan(before.length);
  },
);
