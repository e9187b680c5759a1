// Turns the key and token of a request into the database role it may use.
// Covers: publishable and secret keys, HS256 tokens of sessions that have not ended. Does not cover: asymmetric keys, legacy JWT keys.
import { jwtVerify } from "jose";
import { type Sessions, sessionOf } from "./sessions.ts";
import type { Identity } from "../database.ts";
import type { Secrets } from "../secrets.ts";

/** Answers null when the key is missing or unknown, the token invalid or expired, or its session ended. */
export type Identify = (
  apiKey: string | null,
  bearer: string | null | undefined,
) => Promise<Identity | null>;

export function createIdentify(secrets: Secrets, sessions: Pick<Sessions, "exists">): Identify {
  const tokenKey = new TextEncoder().encode(secrets.jwtSecret);

  return async function identify(apiKey, bearer) {
    const keyRole = roleOfKey(apiKey ?? bearer ?? null);
    if (!keyRole) return null;
    // supabase-js sends the key itself as the bearer while nobody is signed in.
    if (!bearer || bearer === apiKey || roleOfKey(bearer)) return { role: keyRole, claims: {} };
    const claims = await verify(bearer);
    const session = claims && sessionOf(claims);
    if (!session || !(await sessions.exists(session))) return null;
    return { role: "authenticated", claims };
  };

  async function verify(token: string): Promise<Identity["claims"] | null> {
    try {
      const { payload } = await jwtVerify(token, tokenKey, {
        algorithms: ["HS256"],
        audience: "authenticated",
        requiredClaims: ["sub", "exp"],
      });
      return payload;
    } catch {
      return null;
    }
  }

  function roleOfKey(key: string | null): "anon" | "service_role" | null {
    if (key === secrets.publishableKey) return "anon";
    if (key === secrets.secretKey) return "service_role";
    return null;
  }
}

/** The two credentials of an HTTP request, as supabase-js sends them. */
export function credentialsOf(request: Request): { apiKey: string | null; bearer: string | null } {
  const authorization = request.headers.get("authorization");
  return {
    apiKey: request.headers.get("apikey"),
    bearer: authorization?.match(/^Bearer (.+)$/i)?.[1] ?? null,
  };
}
