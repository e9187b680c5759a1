import { fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { freePort } from "../backend/free-port.ts";
import { usageOf } from "./process-usage.ts";
import { withoutScripts } from "./static-copy.ts";

/** A static copy of a page, served by a separate process. */
export async function startStaticCopy(pageUrl: string) {
  const html = withoutScripts(await (await fetch(pageUrl)).text());
  const port = await freePort();
  const copy = fork(join(import.meta.dirname, "static-copy.ts"), {
    execPath: join(import.meta.dirname, "../node_modules/.bin/node"),
  });
  copy.send({ html, port });
  await once(copy, "message");
  return {
    url: `http://127.0.0.1:${port}`,
    ...usageOf(copy),
    async stop() {
      const ended = once(copy, "exit");
      copy.kill("SIGTERM");
      await ended;
    },
  };
}
