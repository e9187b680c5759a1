// The second step of a sign-in, a code of an authenticator app (TOTP), with the routes, responses and errors of Supabase Auth.
// Covers: enrolling, challenging, verifying and removing factors of one account; `aal` and `amr` of tokens. A code works once.
// The secret of a factor is encrypted with a key that is not in the database. Does not cover: phones, security keys, recovery
// codes (a function of the project).
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes, randomUUID } from "node:crypto";
import { decodeJwt, SignJWT } from "jose";
import { Secret, TOTP } from "otpauth";
import encodeQR from "qr";
import type { Identity, Sql, Transaction } from "../database.ts";
import { authError } from "../errors.ts";
import type { Session } from "./authentication.ts";

export type Factors = ReturnType<typeof createFactors>;

interface FactorsOptions {
  sql: Sql;
  jwtSecret: string;
  siteUrl(): string;
  visitorAddress: () => string | null;
}

const CHALLENGE_SECONDS = 300;
const MAX_FACTORS = 10;
const STEP_SECONDS = 30;
const CIPHER = "aes-256-gcm";
const IV_BYTES = 12;
const TAG_BYTES = 16;

/** Whether the account has a verified factor, and the session of the token has not entered a code of it. */
export async function lacksSecondStep(
  sql: Sql | Transaction,
  { sub, aal }: Identity["claims"],
): Promise<boolean> {
  if (aal === "aal2" || typeof sub !== "string") return false;
  const found = await sql`
    select 1 from auth.mfa_factors where user_id = ${sub} and status = 'verified' limit 1`;
  return found.length > 0;
}

export function createFactors({ sql, jwtSecret, siteUrl, visitorAddress }: FactorsOptions) {
  const tokenKey = new TextEncoder().encode(jwtSecret);
  const secretKey = Buffer.from(hkdfSync("sha256", jwtSecret, "", "secrets of factors", 32));

  return {
    enroll,
    challenge,
    verify,
    unenroll,

    /** Adds the factors to an account, as Auth shows it. */
    async withFactors<User extends { id: string }>(user: User) {
      const factors = await listFactors(user.id);
      return factors.length > 0 ? { ...user, factors } : user;
    },

    /** Signs a token of the library again, with the level and the methods of its session. */
    async withLevel(accessToken: string): Promise<string> {
      const claims = decodeJwt(accessToken);
      const [session] = await sql<{ aal: string | null; amr: object[] | null }[]>`
        select aal, (
          select json_agg(
            json_build_object(
              'method', authentication_method, 'timestamp', extract(epoch from updated_at)::bigint
            ) order by updated_at desc
          )
          from auth.mfa_amr_claims where session_id = sessions.id
        ) as amr
        from auth.sessions where id = ${String(claims.session_id)}`;
      const level = { aal: session?.aal ?? "aal1", amr: session?.amr ?? [] };
      return new SignJWT({ ...claims, ...level })
        .setProtectedHeader({ alg: "HS256", typ: "JWT" })
        .sign(tokenKey);
    },

    /** Notes how a session was proved. */
    addMethod: (sessionId: string, method: "password" | "otp") => addMethod(sql, sessionId, method),
  };

  async function listFactors(userId: string) {
    const rows = await sql`
      select id, created_at, updated_at, status, friendly_name, factor_type
      from auth.mfa_factors where user_id = ${userId} order by created_at, id`;
    return [...rows];
  }

  async function enroll(
    { userId }: Session,
    claims: Identity["claims"],
    friendlyName: string,
    issuer: string | null,
  ): Promise<Response> {
    if (await lacksSecondStep(sql, claims)) {
      throw authError(403, "insufficient_aal", "AAL2 required to enroll a new factor");
    }
    const [account] = await sql<{ email: string }[]>`
      select email from auth.users where id = ${userId}`;
    const id = randomUUID();
    const secret = new Secret({ size: 20 });
    const [name, label] = [issuer ?? new URL(siteUrl()).host, account?.email ?? ""].map(shortened);
    const uri = totpOf(secret, name, label).toString();
    await sql.begin(async (transaction) => {
      // Locks the account: two enrollments at the same time would both be counted below the limit.
      await transaction`select 1 from auth.users where id = ${userId} for update`;
      await transaction`
        delete from auth.mfa_factors as factor
        where user_id = ${userId} and status = 'unverified'
          and created_at < now() - make_interval(secs => ${CHALLENGE_SECONDS})
          and not exists (select from auth.mfa_challenges where factor_id = factor.id)`;
      const existing = await transaction<{ friendly_name: string }[]>`
        select friendly_name from auth.mfa_factors where user_id = ${userId}`;
      if (existing.some(({ friendly_name }) => friendly_name === friendlyName)) {
        const message = `A factor with the friendly name "${friendlyName}" for this user already exists`;
        throw authError(422, "mfa_factor_name_conflict", message);
      }
      if (existing.length >= MAX_FACTORS) {
        const message = "Maximum number of verified factors reached, unenroll to continue";
        throw authError(422, "too_many_enrolled_mfa_factors", message);
      }
      await transaction`
        insert into auth.mfa_factors (id, user_id, friendly_name, factor_type, status, secret)
        values (${id}, ${userId}, ${friendlyName}, 'totp', 'unverified', ${encrypt(id, secret)})`;
    });
    const qr_code = encodeQR(uri, "svg", { ecc: "low" });
    return Response.json({
      ...{ id, type: "totp", friendly_name: friendlyName },
      totp: { qr_code, secret: secret.base32, uri },
    });
  }

  async function challenge({ userId }: Session, factorId: string): Promise<Response> {
    await requireFactor(sql, userId, factorId);
    await sql`
      delete from auth.mfa_challenges
      where factor_id = ${factorId}
        and created_at < now() - make_interval(secs => ${CHALLENGE_SECONDS})`;
    const id = randomUUID();
    await sql`
      insert into auth.mfa_challenges (id, factor_id, ip_address)
      values (${id}, ${factorId}, ${address()}::inet)`;
    const expires_at = Math.floor(Date.now() / 1000) + CHALLENGE_SECONDS;
    return Response.json({ id, type: "totp", expires_at });
  }

  /**
   * Raises the session to aal2, and ends all sessions of the account that are not.
   * @returns the session's refresh token, which must be exchanged at once
   */
  async function verify(
    { userId, sessionId }: Session,
    factorId: string,
    challengeId: string,
    code: string,
  ): Promise<string> {
    return sql.begin(async (transaction) => {
      // Locks the factor, so that a code works once.
      const factor = await requireFactor(transaction, userId, factorId);
      const [challenge] = await transaction<{ fits: boolean; expired: boolean }[]>`
        select verified_at is null and ip_address = ${address()}::inet as fits,
               created_at < now() - make_interval(secs => ${CHALLENGE_SECONDS}) as expired
        from auth.mfa_challenges where id = ${challengeId} and factor_id = ${factorId}`;
      if (!challenge) {
        const message = "MFA factor with the provided challenge ID not found";
        throw authError(422, "mfa_factor_not_found", message);
      }
      if (!challenge.fits) {
        const message = "Challenge and verify IP addresses mismatch.";
        throw authError(422, "mfa_ip_address_mismatch", message);
      }
      if (challenge.expired) {
        const message = `MFA challenge ${challengeId} has expired, verify against another challenge or create a new challenge.`;
        throw authError(422, "mfa_challenge_expired", message);
      }
      const delta = totpOf(decrypt(factorId, factor.secret)).validate({ token: code, window: 1 });
      const step = Math.floor(Date.now() / 1000 / STEP_SECONDS) + (delta ?? 0);
      if (delta === null || step <= (factor.lastStep ?? 0)) {
        throw authError(422, "mfa_verification_failed", "Invalid TOTP code entered");
      }
      await transaction`
        update auth.mfa_challenges set verified_at = now() where id = ${challengeId}`;
      await transaction`
        update auth.mfa_factors set status = 'verified', last_step = ${step}, updated_at = now()
        where id = ${factorId}`;
      await transaction`
        delete from auth.mfa_factors where user_id = ${userId} and status = 'unverified'`;
      await transaction`
        update auth.sessions set aal = 'aal2', factor_id = ${factorId} where id = ${sessionId}`;
      await addMethod(transaction, sessionId, "totp");
      await transaction`
        delete from auth.sessions
        where user_id = ${userId} and coalesce(aal, 'aal1') < 'aal2'`;
      // The library accepts a used refresh token once more, which would give its holder aal2.
      await transaction`
        delete from auth.refresh_tokens where session_id = ${sessionId} and revoked`;
      const [refresh] = await transaction<{ token: string }[]>`
        select token from auth.refresh_tokens where session_id = ${sessionId}`;
      if (!refresh) throw authError(403, "session_not_found", "The session has ended");
      return refresh.token;
    });
  }

  async function unenroll(
    { userId }: Session,
    claims: Identity["claims"],
    factorId: string,
  ): Promise<Response> {
    const factor = await requireFactor(sql, userId, factorId);
    if (factor.status === "verified" && claims.aal !== "aal2") {
      throw authError(422, "insufficient_aal", "AAL2 required to unenroll verified factor");
    }
    await sql.begin(async (transaction) => {
      await transaction`delete from auth.mfa_factors where id = ${factorId}`;
      const downgraded = transaction`
        update auth.sessions set aal = 'aal1', factor_id = null where factor_id = ${factorId}
        returning id`;
      for (const { id } of await downgraded) {
        await transaction`
          delete from auth.mfa_amr_claims
          where session_id = ${id} and authentication_method = 'totp'`;
      }
    });
    return Response.json({ id: factorId });
  }

  /** A code must come from the address that asked for the challenge. Calls of the site itself have no address. */
  function address(): string {
    return visitorAddress() ?? "127.0.0.1";
  }

  function encrypt(factorId: string, { bytes }: Secret): string {
    const iv = randomBytes(IV_BYTES);
    const cipher = createCipheriv(CIPHER, secretKey, iv).setAAD(Buffer.from(factorId));
    const encrypted = Buffer.concat([cipher.update(bytes), cipher.final()]);
    return Buffer.concat([iv, cipher.getAuthTag(), encrypted]).toString("base64");
  }

  function decrypt(factorId: string, stored: string): Secret {
    const bytes = Buffer.from(stored, "base64");
    const cipher = createDecipheriv(CIPHER, secretKey, bytes.subarray(0, IV_BYTES))
      .setAAD(Buffer.from(factorId))
      .setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
    const secret = Buffer.concat([
      cipher.update(bytes.subarray(IV_BYTES + TAG_BYTES)),
      cipher.final(),
    ]);
    return new Secret({ buffer: new Uint8Array(secret).buffer });
  }
}

/** So that the longest address fits into a QR code: 2953 bytes, of which a character needs up to 12, and the name is there twice. */
function shortened(text: string | undefined): string {
  return [...(text ?? "")].slice(0, 75).join("");
}

function totpOf(secret: Secret, issuer = "", label = ""): TOTP {
  return new TOTP({ secret, issuer, label, period: STEP_SECONDS });
}

interface StoredFactor {
  status: string;
  secret: string;
  lastStep: number | null;
}

/** Locks the factor until the end of the transaction. @throws HttpError when the account has no such factor */
async function requireFactor(
  sql: Sql | Transaction,
  userId: string,
  factorId: string,
): Promise<StoredFactor> {
  const [factor] = await sql<StoredFactor[]>`
    select status, secret, last_step::int as "lastStep" from auth.mfa_factors
    where id = ${factorId} and user_id = ${userId} for update`;
  if (!factor) throw authError(404, "mfa_factor_not_found", "Factor not found");
  return factor;
}

async function addMethod(
  sql: Sql | Transaction,
  sessionId: string,
  method: "password" | "otp" | "totp",
): Promise<void> {
  await sql`
    insert into auth.mfa_amr_claims (id, session_id, authentication_method)
    values (gen_random_uuid(), ${sessionId}, ${method})
    on conflict (session_id, authentication_method) do update set updated_at = now()`;
}
