// One address runs every attack on the built site while visitors from other addresses use it.
import { type ChildProcess, spawn } from "node:child_process";
import { rm } from "node:fs/promises";
import { request } from "node:http";
import { constants, setPriority } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import freePort from "get-port";
import { loadSecrets } from "../../backend/secrets.ts";
import { usageOf } from "../../bench/process-usage.ts";
import { openClient } from "../start-project.ts";
import { startSite, stopSite } from "../start-site.ts";
import { createTemporaryFolder } from "../temporary-folder.ts";

export interface HostileLoadReport {
  /** Milliseconds of the visitors' pages, sign-ins and messages. */
  responses: { what: string; status: number | string; milliseconds: number }[];
  /** The site process's peak resident memory in bytes. */
  peakMemory: number;
  /** Exit code of the site when it was stopped after the attack. */
  exitCode: number | null;
}

const owner = { email: "owner@example.com", password: "a-password-for-tests" };
const pages = [
  "/",
  "/blog",
  "/testimonials",
  "/services/life-insurance",
  "/contact",
  "/sitemap.xml",
];
/** Timeout of a visitor in milliseconds. */
const TIMEOUT_MS = 10_000;

export async function runHostileLoad(seconds: number): Promise<HostileLoadReport> {
  const folder = await createTemporaryFolder("hostile");
  const dataDir = join(folder, "data");
  const port = await freePort();
  const site = await startSite(
    port,
    {
      DATA_DIR: dataDir,
      RATE_LIMITS: "on",
      OWNER_EMAIL: owner.email,
      OWNER_PASSWORD: owner.password,
    },
    { hideErrors: true },
  );
  const { publishableKey } = loadSecrets(dataDir);
  const memory = usageOf(site);
  const responses: HostileLoadReport["responses"] = [];
  let peakMemory = 0;
  let attacker: ChildProcess | null = null;
  try {
    // As on a busy site: pages are cached and the function's process runs.
    for (const page of pages) await visit(port, visitorAddress(), page);
    await sendMessage(port, publishableKey);
    attacker = startAttack(port, seconds, publishableKey, await ownerToken(port, publishableKey));
    // The attack is in progress and the limits take effect.
    await sleep(1_000);
    const end = performance.now() + (seconds - 1) * 1000;
    const until = async (pause: number, act: (turn: number) => Promise<void>) => {
      for (let turn = 0; performance.now() < end; turn++) {
        await act(turn);
        await sleep(pause);
      }
    };
    await Promise.all([
      until(250, async (turn) => {
        const page = pages[turn % pages.length] ?? "/";
        responses.push({ what: page, ...(await visit(port, visitorAddress(), page)) });
      }),
      until(2_000, async () => {
        responses.push({ what: "sign-in", ...(await signIn(port, publishableKey)) });
      }),
      until(2_000, async () => {
        responses.push({ what: "message", ...(await sendMessage(port, publishableKey)) });
      }),
      until(100, async () => {
        peakMemory = Math.max(peakMemory, memory.memory());
      }),
    ]);
  } finally {
    attacker?.kill("SIGKILL");
  }
  const exitCode = await stopSite(site);
  await rm(folder, { recursive: true });
  return { responses, peakMemory, exitCode };
}

function startAttack(port: number, seconds: number, key: string, token: string): ChildProcess {
  const file = join(import.meta.dirname, "attack.ts");
  const attacker = spawn(process.execPath, [file, String(port), String(seconds), key, token], {
    stdio: ["ignore", "ignore", "inherit"],
  });
  if (attacker.pid) setPriority(attacker.pid, constants.priority.PRIORITY_BELOW_NORMAL);
  return attacker;
}

let visitors = 0;
/** A new address for each request: 127.0.1.1 to 127.0.100.250. */
function visitorAddress(): string {
  visitors += 1;
  return `127.0.${1 + (Math.floor(visitors / 250) % 100)}.${1 + (visitors % 250)}`;
}

function signIn(port: number, key: string) {
  return visit(port, visitorAddress(), "/auth/v1/token?grant_type=password", key, owner);
}

async function ownerToken(port: number, key: string): Promise<string> {
  const { auth } = openClient({ url: `http://127.0.0.1:${port}`, anonKey: key });
  const { data, error } = await auth.signInWithPassword(owner);
  if (error) throw error;
  return data.session.access_token;
}

function sendMessage(port: number, key: string) {
  return visit(port, visitorAddress(), "/functions/v1/send-email", key, {
    name: "Ada Lovelace",
    email: "ada@example.com",
    phone: "",
    message: "Could you call me about a policy for my family?",
  });
}

async function visit(
  port: number,
  localAddress: string,
  path: string,
  key?: string,
  body?: object,
): Promise<{ status: number | string; milliseconds: number }> {
  const began = performance.now();
  const status = await new Promise<number | string>((resolve) => {
    const headers = {
      ...(key ? { apikey: key, "content-type": "application/json" } : {}),
      "accept-encoding": "br, gzip",
    };
    const method = body ? "POST" : "GET";
    const options = { host: "127.0.0.1", port, path, localAddress, method, headers, agent: false };
    const sent = request(options, (response) => {
      response.resume();
      response.on("end", () => resolve(response.statusCode ?? 0));
    });
    sent.setTimeout(TIMEOUT_MS, () => sent.destroy(new Error("timed out")));
    sent.on("error", (error) => resolve(error.message));
    sent.end(body ? JSON.stringify(body) : undefined);
  });
  return { status, milliseconds: Math.round(performance.now() - began) };
}
