// Handles every HTTP request to the embedded backend: request bounds, rate limits, then the service.
// Covers: routing by path, errors as responses. Does not cover: WebSocket upgrades (realtime/realtime.ts).
import { type AuthRequest, parseAuthRequest } from "./auth/auth-request.ts";
import { credentialsOf } from "./auth/authentication.ts";
import type { EmbeddedConfig } from "./config.ts";
import { HttpError } from "./errors.ts";
import { actionOf, authActionOf, type RateLimiter } from "./rate-limits/rate-limiter.ts";
import { boundRequest } from "./request-bounds.ts";

type Handle = (request: Request) => Promise<Response>;

interface GatewayOptions {
  services: {
    storage: Handle;
    functions: Handle;
    rest: Handle;
    auth: (request: AuthRequest) => Promise<Response>;
  };
  /** The limits of the project's own calls. */
  callLimits: EmbeddedConfig["rateLimits"];
  /** Null when nothing is limited. */
  limit: RateLimiter | null;
  visitorAddress: () => string | null;
}

export function createGateway(options: GatewayOptions): Handle {
  const { services, callLimits, limit, visitorAddress } = options;
  return async (request) => {
    const { pathname } = new URL(request.url);
    try {
      return withoutCors(await handle(request, pathname));
    } catch (error) {
      if (error instanceof HttpError) return error.toResponse(pathname);
      throw error;
    }
  };

  async function handle(request: Request, pathname: string): Promise<Response> {
    if (pathname.startsWith("/auth/v1/")) return handleAuth(request, pathname);
    const action = actionOf(callLimits, request.method, pathname);
    const limited = limit?.(action, credentialsOf(request), visitorAddress(), pathname);
    if (limited) return limited;
    const bounded = await boundRequest(request);
    if (pathname.startsWith("/storage/v1/")) return services.storage(bounded);
    if (pathname.startsWith("/functions/v1/")) return services.functions(bounded);
    if (pathname.startsWith("/realtime/v1")) {
      return Response.json({ message: "Realtime accepts WebSocket only" }, { status: 426 });
    }
    return services.rest(bounded);
  }

  /** Parses the request before counting it, so that the limit applies to the action that is executed. */
  async function handleAuth(request: Request, pathname: string): Promise<Response> {
    const parsed = await parseAuthRequest(await boundRequest(request));
    const limited = limit?.(authActionOf(parsed), parsed, visitorAddress(), pathname);
    return limited ?? services.auth(parsed);
  }
}

/** Removes the CORS headers that functions set for hosted projects: the site and its backend share an origin. */
function withoutCors(response: Response): Response {
  const names = [...response.headers.keys()].filter((name) => name.startsWith("access-control-"));
  if (names.length === 0) return response;
  const stripped = new Response(response.body, response);
  for (const name of names) stripped.headers.delete(name);
  return stripped;
}
