import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";

/** Accepts any login and closes the connection at the first query, which is the one for array types. */
const server = createServer((socket) => {
  socket.on("error", () => {});
  socket.once("data", () => {
    const authenticated = [0x52, 0, 0, 0, 8, 0, 0, 0, 0];
    const readyForQuery = [0x5a, 0, 0, 0, 5, 0x49];
    socket.write(Buffer.from([...authenticated, ...readyForQuery]));
    socket.once("data", () => socket.destroy());
  });
});
let url: string;

beforeAll(async () => {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  url = `postgres://user:password@127.0.0.1:${typeof address === "object" && address?.port}/db`;
});

afterAll(() => {
  server.close();
});

/** Runs `code` in a child process, because the code may end its process. */
async function run(code: string) {
  const moduleUrl = JSON.stringify(pathToFileURL(join(import.meta.dirname, "database.ts")));
  const script = `
    const { connect, surviveLostConnections } = await import(${moduleUrl});
    let losses = 0;
    const sql = connect(${JSON.stringify(url)}, 1, () => losses++);
    ${code}`;
  const child = spawn(process.execPath, ["--input-type=module", "--eval", script]);
  const output = text(child.stdout);
  const [exitCode] = await once(child, "exit");
  return { exitCode, output: await output };
}

test("a connection that breaks while opening rejects the query and the process survives", async () => {
  const result = await run(`
    surviveLostConnections();
    await sql\`select 1\`.catch((error) => console.log(error.code));
    await new Promise(setImmediate);
    console.log(losses);
    await sql.end({ timeout: 0 });
  `);
  expect(result).toEqual({ exitCode: 0, output: "CONNECTION_LOST\n1\n" });
});

test("any other unhandled rejection still ends the process", async () => {
  const { exitCode } = await run(`
    surviveLostConnections();
    Promise.reject(new Error("a mistake"));
    setInterval(() => {}, 1_000);
  `);
  expect(exitCode).not.toBe(0);
});

test("an open transaction rejects when its connection breaks and the process survives", async () => {
  const result = await run(`
    surviveLostConnections();
    await sql.begin(async (transaction) => transaction\`select 1\`)
      .catch((error) => console.log(error.code));
    await new Promise(setImmediate);
    await sql.end({ timeout: 0 });
  `);
  expect(result).toEqual({ exitCode: 0, output: "CONNECTION_LOST\n" });
});
