// Functions that try to escape their process: by imports, memory or other processes.
// tests/contract/functions.test.ts covers Deno's permissions; here the operating system and the
// import check hold.
import { chmod, mkdir, mkdtemp, readFile, rm, stat, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { functionsUser, memoryLimit } from "../../backend/functions/confinement.ts";
import { type Functions, startFunctions } from "../../backend/functions/functions.ts";

const isRoot = process.getuid?.() === 0;

let folder: string;
let functions: Functions;
const lines: string[] = [];

/** Served at /functions/v1/{name}. SECRET is replaced by a file outside the function's folders. */
const testFunctions = {
  json: `import file from "file://SECRET" with { type: "json" };
    Deno.serve(() => Response.json(file));`,
  text: `import file from "file://SECRET" with { type: "text" };
    Deno.serve(() => new Response(file));`,
  dynamic: `Deno.serve(async () => Response.json(
    (await import("file://SECRET", { with: { type: "json" } })).default));`,
  nested: `import file from "data:text/javascript,export { default } from 'file://SECRET' with { type: 'json' }";
    Deno.serve(() => Response.json(file));`,
  relative: `import file from "../../secrets.json" with { type: "json" };
    Deno.serve(() => Response.json(file));`,
  linked: `import file from "./link.json" with { type: "json" };
    Deno.serve(() => Response.json(file));`,
  account: `import file from "file:///etc/shadow" with { type: "text" };
    Deno.serve(() => new Response(file));`,
  computed: `const path = "file://" + "SECRET";
    Deno.serve(async () => Response.json((await import(path, { with: { type: "json" } })).default));`,
  shared: `import { word } from "../_shared/word.ts";
    Deno.serve(() => new Response(word));`,
  buffers: `const kept = [];
    Deno.serve(async (request) => {
      const { megabytes } = await request.json();
      while (kept.length < megabytes) {
        kept.push(new Uint8Array(1024 * 1024).fill(1));
        if (kept.length % 16 === 0) console.log("megabytes " + kept.length);
      }
      return Response.json(kept.length);
    });`,
  pid: `Deno.serve(() => Response.json(Deno.pid));`,
};

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "hostile-"));
  // As root, functions run as another user, who must be able to enter the folder.
  await chmod(folder, 0o711);
  const secret = join(folder, "secrets.json");
  // Readable by everyone: the import check rejects it, not the file's mode.
  await writeFile(secret, JSON.stringify({ jwtSecret: "top secret" }));
  for (const [name, code] of Object.entries(testFunctions)) {
    await mkdir(join(folder, "functions", name), { recursive: true });
    const file = join(folder, "functions", name, "index.ts");
    await writeFile(file, code.replaceAll("SECRET", secret));
  }
  await symlink(secret, join(folder, "functions/linked/link.json"));
  await mkdir(join(folder, "functions/_shared"));
  await writeFile(join(folder, "functions/_shared/word.ts"), `export const word = "shared";`);
  functions = startFunctions({
    functionsDir: join(folder, "functions"),
    siteUrl: "http://127.0.0.1:9",
    publishableKey: "public",
    secretKey: "sb_secret_of_this_test",
    callers: Object.fromEntries(Object.keys(testFunctions).map((name) => [name, "anyone"])),
    authenticate: async () => null,
    hasRole: async () => false,
    environment: {},
    cacheDir: join(folder, "cache"),
    log: (line) => lines.push(line),
  });
});

afterAll(async () => {
  await functions.stop();
  await rm(folder, { recursive: true, force: true });
});

async function call(name: string, body: unknown = {}): Promise<{ status: number; text: string }> {
  const response = await functions.fetch(
    new Request(`http://site/functions/v1/${name}`, { method: "POST", body: JSON.stringify(body) }),
  );
  return { status: response.status, text: await response.text() };
}

test.each(["json", "text", "dynamic", "nested", "relative", "linked"])(
  "a function that imports a file outside its folders is not started (%s)",
  async (name) => {
    const { status, text } = await call(name);
    expect(status).toBe(503);
    expect(text).not.toMatch(/top secret|root:/);
    expect(lines.join("\n")).toMatch(new RegExp(`\\[${name}\\] is not started: it imports /`));
  },
);

test("a file that the functions' user may not read cannot be read", async () => {
  const { status, text } = await call("account");
  expect(status).toBe(503);
  expect(text).not.toContain("root:");
});

test("an import with a computed file name is rejected by Deno", async () => {
  const { status, text } = await call("computed");
  expect(status).toBe(500);
  expect(text).not.toContain("top secret");
  await expect.poll(() => lines.join("\n")).toMatch(/\[computed\] .*Requires read access/);
});

test("functions share code", async () => {
  expect(await call("shared")).toEqual({ status: 200, text: "shared" });
});

test("buffers end at the memory limit, and the function responds again afterwards", async () => {
  expect(await call("buffers", { megabytes: 32 })).toEqual({ status: 200, text: "32" });
  const { status } = await call("buffers", { megabytes: 1024 });
  expect(status).toBeGreaterThanOrEqual(500);
  const reached = lines.flatMap((line) => line.match(/\[buffers\] megabytes (\d+)/)?.[1] ?? []);
  expect(Math.max(...reached.map(Number))).toBeLessThanOrEqual(memoryLimit);
  await expect.poll(async () => (await call("buffers", { megabytes: 32 })).status).toBe(200);
});

test("the process has limits on memory, files and other processes, and gains no privileges", async () => {
  const pid = (await call("pid")).text;
  const status = await readFile(`/proc/${pid}/status`, "utf8");
  expect(status).toMatch(/^NoNewPrivs:\s+1$/m);
  expect(status).toMatch(/^CapEff:\s+0+$/m);
  const limits = await readFile(`/proc/${pid}/limits`, "utf8");
  const hard = (name: string) => limits.match(new RegExp(`^${name}\\s+\\S+\\s+(\\S+)`, "m"))?.[1];
  expect(hard("Max core file size")).toBe("0");
  expect(Number(hard("Max open files"))).toBeLessThanOrEqual(256);
  expect(Number(hard("Max file size"))).toBeLessThanOrEqual(64 * 1024 * 1024);
  // 512 MB of address space for machine code count, and some for each processor's thread.
  const data = Number(hard("Max data size")) / 1024 / 1024;
  expect(data).toBeGreaterThanOrEqual(memoryLimit);
  if (isRoot) expect(Number(hard("Max processes"))).toBe(512);
});

test("the process has its own user where the site runs as root, and a private cache", async () => {
  const pid = (await call("pid")).text;
  const status = await readFile(`/proc/${pid}/status`, "utf8");
  const user = isRoot ? functionsUser : process.getuid?.();
  expect(status).toMatch(new RegExp(`^Uid:\\s+${user}\\s+${user}\\s+${user}`, "m"));
  if (isRoot) expect(status).toMatch(/^Groups:\s*$/m);
  const cache = await stat(join(folder, "cache"));
  expect([cache.uid, cache.mode & 0o777]).toEqual([user, 0o700]);
});
