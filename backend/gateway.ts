// Every HTTP request to the embedded backend comes through here: bounds, rate limits, then its service.

import { type AuthRequest, parseAuthRequest } from "./auth/auth-request.ts";
import { credentialsOf } from "./auth/authentication.ts";
import { authActionOf, functionActionOf, type RateLimiter } from "./rate-limits/rate-limiter.ts";
import { boundRequest } from "./request-bounds.ts";

type Handle = (request: Request) => Promise<Response>;

export interface GatewayOptions {
  services: {
    storage: Handle;
    functions: Handle;
    rest: Handle;
    auth: (request: AuthRequest) => Promise<Response>;
  };
  /** Null: no limits. */
  limit: RateLimiter | null;
  /** Of the visitor on whose behalf the code runs; null when nobody's. */
  visitorAddress: () => string | null;
}

export function createGateway({ services, limit, visitorAddress }: GatewayOptions): Handle {
  return async (request) => withoutCors(await handle(request));

  async function handle(request: Request): Promise<Response> {
    const { pathname } = new URL(request.url);
    if (pathname.startsWith("/auth/v1/")) return handleAuth(request, pathname);
    const action = functionActionOf(request.method, pathname);
    const refused = limit?.(action, credentialsOf(request), visitorAddress(), pathname);
    if (refused) return refused;
    const bounded = await boundRequest(request);
    if (bounded instanceof Response) return bounded;
    if (pathname.startsWith("/storage/v1/")) return services.storage(bounded);
    if (pathname.startsWith("/functions/v1/")) return services.functions(bounded);
    if (pathname.startsWith("/realtime/v1")) {
      return Response.json({ message: "Realtime speaks WebSocket only" }, { status: 426 });
    }
    return services.rest(bounded);
  }

  /** The request is parsed first: what is counted is what will be done. */
  async function handleAuth(request: Request, pathname: string): Promise<Response> {
    const bounded = await boundRequest(request);
    if (bounded instanceof Response) return bounded;
    const parsed = await parseAuthRequest(bounded);
    if (parsed instanceof Response) return parsed;
    const refused = limit?.(authActionOf(parsed), parsed, visitorAddress(), pathname);
    return refused ?? services.auth(parsed);
  }
}

/** The site and its backend share an origin: no page elsewhere needs to read an answer, whoever allows it. */
function withoutCors(response: Response): Response {
  const names = [...response.headers.keys()].filter((name) => name.startsWith("access-control-"));
  if (names.length === 0) return response;
  const answer = new Response(response.body, response);
  for (const name of names) answer.headers.delete(name);
  return answer;
}
