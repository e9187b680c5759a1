// Waits until the site of these settings works, its pages included; for deploy/upgrade.sh. Fails after a minute, or at once
// when the process of the site, if its id is given, has ended.
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { readServerSettings } from "../app/config/read-settings.ts";

const { host, port } = readServerSettings(join(import.meta.dirname, ".."), console.error);
const address = `http://${host === "0.0.0.0" ? "127.0.0.1" : host}:${port}`;
const site = Number(process.argv[2] ?? process.pid);
const deadline = performance.now() + 60_000;
while (!((await isGood("/healthz/ready")) && (await isGood("/")))) {
  if (performance.now() > deadline || !isRunning(site)) {
    console.error(`${address} does not answer as it should.`);
    process.exit(1);
  }
  await sleep(500);
}

function isRunning(id: number): boolean {
  try {
    return process.kill(id, 0);
  } catch {
    return false;
  }
}

async function isGood(path: string): Promise<boolean> {
  const request = fetch(address + path, { signal: AbortSignal.timeout(10_000) });
  return request.then(
    ({ ok }) => ok,
    () => false,
  );
}
