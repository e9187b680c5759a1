// Which sessions exist. An access token is valid for an hour, its session only until it is ended.
import { z } from "zod";
import type { Sql } from "../database.ts";

const claimsSchema = z.object({ sub: z.guid(), session_id: z.guid() });

export interface Session {
  userId: string;
  sessionId: string;
}

export interface Sessions {
  /** One indexed query. */
  exists(session: Session): Promise<boolean>;
  /** Those of the given session ids that have ended. */
  findEnded(sessionIds: string[]): Promise<Set<string>>;
}

/** The session that the claims of an access token name. */
export function sessionOf(claims: Record<string, unknown>): Session | null {
  const { data } = claimsSchema.safeParse(claims);
  return data ? { userId: data.sub, sessionId: data.session_id } : null;
}

export function createSessions(sql: Sql): Sessions {
  return {
    async exists({ userId, sessionId }) {
      const rows = await sql`
        select 1 from auth.sessions where id = ${sessionId} and user_id = ${userId}`;
      return rows.length > 0;
    },
    async findEnded(sessionIds) {
      const rows = await sql<{ id: string }[]>`
        select id from unnest(${sessionIds}::uuid[]) as id
        where not exists (select 1 from auth.sessions where sessions.id = id.id)`;
      return new Set(rows.map(({ id }) => id));
    },
  };
}
