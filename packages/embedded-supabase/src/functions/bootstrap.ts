// Runs inside Deno before a function's own code: makes Deno.serve(handler) listen where the site reaches it.
// Does not cover: options of Deno.serve; a function that opens its own listener, which its permissions forbid.

type Handler = (request: Request, info: unknown) => Response | Promise<Response>;

declare const Deno: {
  serve(handler: Handler): unknown;
  serve(options: object, handler: Handler): unknown;
  exit(code: number): never;
  stdin: { readSync(buffer: Uint8Array): number | null; readable: AsyncIterable<Uint8Array> };
};

// The runner writes the secret first. Requests without it are rejected, so that other users of the machine cannot
// bypass the gateway.
const buffer = new Uint8Array(200);
const secret = new TextDecoder()
  .decode(buffer.subarray(0, Deno.stdin.readSync(buffer) ?? 0))
  .trim();
const serve = Deno.serve;

Deno.serve = (handler: Handler | object) => {
  if (typeof handler !== "function") throw new TypeError("Deno.serve takes only a handler here");
  // Start listening only now: Deno waits for pending work of this file before it runs the function's own code.
  void exitWithSite();
  const onListen = ({ port }: { port: number }) => console.log(`${secret} ${port}`);

  return serve({ hostname: "127.0.0.1", port: 0, onListen }, async (request, info) => {
    if (secret === "" || request.headers.get("x-runner-secret") !== secret) {
      return new Response("Forbidden", { status: 403 });
    }
    try {
      return await handler(request, info);
    } catch (error) {
      console.error(error);
      const message = "Function exited due to an error (please check logs)";
      return Response.json({ code: "WORKER_ERROR", message }, { status: 500 });
    }
  });
};

/** Exits when the pipe closes: the site has exited, perhaps by kill -9. */
async function exitWithSite(): Promise<void> {
  for await (const _ of Deno.stdin.readable);
  Deno.exit(0);
}
