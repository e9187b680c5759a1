import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";

/** Lets everyone in, and hangs up at the first question: the one for array types. */
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

/** Runs `code` in a process of its own, for it may end it. */
async function run(code: string) {
  const moduleUrl = (name: string) =>
    JSON.stringify(pathToFileURL(join(import.meta.dirname, name)));
  const script = `
    const { connect } = await import(${moduleUrl("database.ts")});
    const { surviveLostConnections } = await import(${moduleUrl("database-socket.ts")});
    let losses = 0;
    const sql = connect(${JSON.stringify(url)}, 1, () => losses++);
    ${code}`;
  const child = spawn(process.execPath, ["--input-type=module", "--eval", script]);
  const output = text(child.stdout);
  const [exitCode] = await once(child, "exit");
  return { exitCode, output: await output };
}

test("a connection that breaks while it is being opened refuses the query and ends no process", async () => {
  const result = await run(`
    surviveLostConnections();
    await sql\`select 1\`.catch((error) => console.log(error.code));
    await new Promise(setImmediate);
    console.log(losses);
    await sql.end({ timeout: 0 });
  `);
  expect(result).toEqual({ exitCode: 0, output: "CONNECTION_LOST\n1\n" });
});

test("any other rejection that nobody handles still ends the process", async () => {
  const { exitCode } = await run(`
    surviveLostConnections();
    Promise.reject(new Error("a mistake"));
    await new Promise((resolve) => setTimeout(resolve, 1_000));
  `);
  expect(exitCode).not.toBe(0);
});

test("a transaction that is open when its connection breaks is refused and ends no process", async () => {
  const result = await run(`
    surviveLostConnections();
    await sql.begin(async (transaction) => transaction\`select 1\`)
      .catch((error) => console.log(error.code));
    await new Promise((resolve) => setTimeout(resolve, 100));
    await sql.end({ timeout: 0 });
  `);
  expect(result).toEqual({ exitCode: 0, output: "CONNECTION_LOST\n" });
});
