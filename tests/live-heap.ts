// The live heap of another Node process: what stays after a garbage collection, over the inspector.
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { WebSocket } from "ws";

/** @returns megabytes on V8's heap and in buffers outside it, of a process that runs with `--inspect-port=PORT` */
export async function liveHeapOf(pid: number, port: number): Promise<number> {
  // Opens the inspector, or does nothing when it is open.
  process.kill(pid, "SIGUSR1");
  const inspector = new WebSocket(await addressOf(port));
  await once(inspector, "open");
  let lastId = 0;
  // Finalizers of one collection let the next one free more.
  let live = await collect();
  for (let before = Number.POSITIVE_INFINITY; live < before - 0.1; live = await collect()) {
    before = live;
  }
  inspector.close();
  return live;

  async function collect(): Promise<number> {
    await ask("HeapProfiler.collectGarbage");
    const { usedSize = 0, backingStorageSize = 0 } = await ask("Runtime.getHeapUsage");
    return (usedSize + backingStorageSize) / 2 ** 20;
  }

  async function ask(method: string): Promise<Record<string, number>> {
    const id = ++lastId;
    inspector.send(JSON.stringify({ id, method }));
    for (;;) {
      const [data] = await once(inspector, "message");
      const answer = JSON.parse(String(data));
      if (answer.error) throw new Error(`${method}: ${answer.error.message}`);
      if (answer.id === id) return answer.result;
    }
  }
}

async function addressOf(port: number): Promise<string> {
  for (;;) {
    const response = await fetch(`http://127.0.0.1:${port}/json/list`).catch(() => null);
    const [target] = response ? await response.json() : [];
    if (target) return target.webSocketDebuggerUrl;
    await sleep(100);
  }
}
