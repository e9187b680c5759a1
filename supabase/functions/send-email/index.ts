// Takes a visitor's contact message, stores it, and mails it to the adviser in the background.
//   POST /send-email           a message, from anyone
//   POST /send-email/deliver   sends what is due, for callers with the secret key
// A message that is stored counts as received. It is sent as often as it takes (retry-pauses.ts).
import { corsHeaders } from "./cors.ts";
import { apology, createHandler } from "./handler.ts";
import { reasonOf } from "./log.ts";
import { readSettings } from "./settings.ts";

const settings = readSettings((name) => Deno.env.get(name));
reportProblems();
const answer = settings.project ? createHandler(settings.project, settings) : answerUnavailable;

Deno.serve(async (request) => {
  const response =
    request.method === "OPTIONS" ? new Response("ok") : await answer(request).catch(answerFailure);
  for (const [name, value] of Object.entries(
    corsHeaders(request.headers, settings.allowedOrigins),
  )) {
    response.headers.set(name, value);
  }
  return response;
});

/** Again for each request: nobody reads the log of the first start. */
async function answerUnavailable(): Promise<Response> {
  reportProblems();
  return Response.json({ error: apology }, { status: 503 });
}

function answerFailure(error: unknown): Response {
  console.error("send-email:", reasonOf(error));
  return Response.json({ error: apology }, { status: 500 });
}

function reportProblems(): void {
  for (const problem of settings.problems) console.error(`send-email: ${problem}`);
}
