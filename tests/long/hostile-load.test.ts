// Runs every known attack from one address (tests/hostile-load/attack.ts) while visitors from other addresses use the
// site. `npm run load:hostile` runs it for LOAD_SECONDS, prints how the visitors were served, and also checks response
// times, which are too long on a busy machine.
import { type ChildProcess, spawn } from "node:child_process";
import { request } from "node:http";
import { constants, setPriority } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { usageOf } from "../../bench/process-usage.ts";
import { signIn } from "../start-project.ts";
import { type NewSite, startNewSite, stopSite } from "../start-site.ts";

const { LOAD_SECONDS } = process.env;
const seconds = Number(LOAD_SECONDS ?? 10);
/** Bytes of the site process's resident memory (docs/security.md). It is about 200 MB at rest. */
const maxMemory = 512 * 1024 * 1024;
/** Timeout of a visitor in milliseconds. */
const timeout = 10_000;
const pages = [
  ...["/", "/blog", "/testimonials", "/services/life-insurance", "/contact", "/sitemap.xml"],
];
const message = {
  ...{ name: "Ada Lovelace", email: "ada@example.com", phone: "" },
  message: "Could you call me about a policy for my family?",
};

interface Served {
  what: string;
  status: number | string;
  milliseconds: number;
}

test("while one address attacks, visitors from other addresses are served", {
  timeout: 120_000 + seconds * 2_000,
}, async () => {
  const site = await startNewSite({ RATE_LIMITS: "on" }, { hideErrors: true });
  onTestFinished(site.stop);
  const memory = usageOf(site.process);
  const served: Served[] = [];
  let peakMemory = 0;
  // Starts as on a busy site: pages are cached and the function's process runs.
  for (const page of pages) await visit(site, page, page);
  await visit(site, "message", "/functions/v1/send-email", message);
  const attacker = await startAttack(site);
  onTestFinished(() => void attacker.kill("SIGKILL"));
  // By now the attack is in progress and the limits apply.
  await sleep(1_000);
  const end = performance.now() + (seconds - 1) * 1000;
  const until = async (pause: number, act: (turn: number) => unknown) => {
    for (let turn = 0; performance.now() < end; turn++) {
      await act(turn);
      await sleep(pause);
    }
  };
  const signInPath = "/auth/v1/token?grant_type=password";
  await Promise.all([
    until(250, async (turn) => {
      const page = pages[turn % pages.length] ?? "/";
      served.push(await visit(site, page, page));
    }),
    until(2_000, async () => served.push(await visit(site, "sign-in", signInPath, site.owner))),
    until(2_000, async () => {
      served.push(await visit(site, "message", "/functions/v1/send-email", message));
    }),
    until(100, () => {
      peakMemory = Math.max(peakMemory, memory.memory());
    }),
  ]);
  attacker.kill("SIGKILL");

  expect(served.filter(({ status }) => status !== 200)).toEqual([]);
  expect(new Set(served.map(({ what }) => what)).size).toBe(pages.length + 2);
  expect(peakMemory).toBeLessThan(maxMemory);
  expect(await stopSite(site.process)).toBe(0);
  if (!LOAD_SECONDS) return;
  const kinds = Map.groupBy(served, ({ what }) => (what.startsWith("/") ? "page" : what));
  for (const [kind, list] of kinds) {
    const times = list.map(({ milliseconds }) => milliseconds).toSorted((a, b) => a - b);
    const at = (part: number) => times[Math.floor((times.length - 1) * part)];
    console.log(`${kind}: ${times.length}; ms: p50 ${at(0.5)}, p95 ${at(0.95)}, max ${at(1)}`);
  }
  console.log(`memory of the site's process: at most ${Math.round(peakMemory / 1024 / 1024)} MB`);
  const late = served.filter(({ milliseconds }) => milliseconds > 1000);
  expect(late.length, "waited for over a second").toBeLessThanOrEqual(served.length / 100);
});

async function startAttack(site: NewSite): Promise<ChildProcess> {
  const { data } = await (await signIn(site)).auth.getSession();
  const file = join(import.meta.dirname, "../hostile-load/attack.ts");
  const attacker = spawn(
    process.execPath,
    [file, String(site.port), String(seconds), site.anonKey, data.session?.access_token ?? ""],
    { stdio: ["ignore", "ignore", "inherit"] },
  );
  if (attacker.pid) setPriority(attacker.pid, constants.priority.PRIORITY_BELOW_NORMAL);
  return attacker;
}

let visitors = 0;
/** A new address for each request: 127.0.1.1 to 127.0.100.250. */
function visitorAddress(): string {
  visitors += 1;
  return `127.0.${1 + (Math.floor(visitors / 250) % 100)}.${1 + (visitors % 250)}`;
}

/** Requests a page, or sends a body to the backend, from a new address. */
async function visit(
  { port, anonKey }: NewSite,
  what: string,
  path: string,
  body?: object,
): Promise<Served> {
  const began = performance.now();
  const status = await new Promise<number | string>((resolve) => {
    const sent = request({
      ...{ host: "127.0.0.1", port, path, localAddress: visitorAddress(), agent: false },
      method: body ? "POST" : "GET",
      headers: {
        "accept-encoding": "br, gzip",
        ...(body && {
          apikey: anonKey,
          "content-type": "application/json",
        }),
      },
    });
    sent.on("response", (response) => {
      response.resume();
      response.on("end", () => resolve(response.statusCode ?? 0));
    });
    sent.setTimeout(timeout, () => sent.destroy(new Error("timed out")));
    sent.on("error", (error) => resolve(error.message));
    sent.end(body && JSON.stringify(body));
  });
  return { what, status, milliseconds: Math.round(performance.now() - began) };
}
