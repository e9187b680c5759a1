// Identifies the sender of a request: verifies key, token and session, and returns the database role and claims.
// Covers: publishable and secret keys, HS256 access tokens whose session has not ended. Does not cover: asymmetric
// keys, legacy JWT keys.
import { jwtVerify } from "jose";
import { z } from "zod";
import type { Identity, Sql } from "../database.ts";
import type { Secrets } from "../secrets.ts";

/** Returns null when the key is missing or unknown, the token invalid or expired, or, if it asks, the session has ended. */
export type Authenticate = (
  apiKey: string | null,
  bearer: string | null | undefined,
) => Promise<Identity | null>;

/**
 * @param sessions asked for the session of a token; null to accept tokens until they expire, as PostgREST and Storage of a
 * hosted project do: policies give an ended session the rights of a visitor
 */
export function createAuthenticate(
  secrets: Secrets,
  sessions: Pick<Sessions, "exists"> | null,
): Authenticate {
  const tokenKey = new TextEncoder().encode(secrets.jwtSecret);

  return async function authenticate(apiKey, bearer) {
    const keyRole = roleOfKey(apiKey ?? bearer ?? null);
    if (!keyRole) return null;
    // Without a session supabase-js sends the key as the bearer token.
    if (!bearer || bearer === apiKey || roleOfKey(bearer)) return { role: keyRole, claims: {} };
    const claims = await verify(bearer);
    const session = claims && sessionOf(claims);
    if (!session || (sessions && !(await sessions.exists(session)))) return null;
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

export function credentialsOf(request: Request): { apiKey: string | null; bearer: string | null } {
  const authorization = request.headers.get("authorization");
  return {
    apiKey: request.headers.get("apikey"),
    bearer: authorization?.match(/^Bearer (.+)$/i)?.[1] ?? null,
  };
}

const claimsSchema = z.object({ sub: z.guid(), session_id: z.guid() });

export interface Session {
  userId: string;
  sessionId: string;
}

export function sessionOf(claims: Record<string, unknown>): Session | null {
  const { data } = claimsSchema.safeParse(claims);
  return data ? { userId: data.sub, sessionId: data.session_id } : null;
}

export type Sessions = ReturnType<typeof createSessions>;

/** Whether the session still exists: an access token is valid for an hour, but its session may end before. */
export function createSessions(sql: Sql) {
  return {
    async exists({ userId, sessionId }: Session): Promise<boolean> {
      const rows = await sql`
        select 1 from auth.sessions where id = ${sessionId} and user_id = ${userId}`;
      return rows.length > 0;
    },
    /** Returns those of the given session ids that have ended. */
    async findEnded(sessionIds: string[]): Promise<Set<string>> {
      const rows = await sql<{ id: string }[]>`
        select id from unnest(${sessionIds}::uuid[]) as id
        where not exists (select 1 from auth.sessions where sessions.id = id.id)`;
      return new Set(rows.map(({ id }) => id));
    },
  };
}
