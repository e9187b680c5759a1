// Parses a request to /auth/v1 once. The rate limits and the service both use the parsed value, and the Auth library
// receives a request built from it, so they cannot interpret the same request differently.
// Covers: what the site's client calls. Does not cover: other sign-in methods, which are rejected.
import { z } from "zod";
import { HttpError } from "../errors.ts";
import { credentialsOf } from "./authentication.ts";
import { emailSchema } from "./email.ts";

export const linkTypes = ["recovery", "invite", "email_change"] as const;
export type LinkType = (typeof linkTypes)[number];

export type AuthAction =
  | { kind: "sign-up" }
  | { kind: "sign-in"; email: string; password: string }
  | { kind: "refresh"; refreshToken: string }
  | { kind: "recover"; email: string }
  | { kind: "verify"; type: LinkType; token: string }
  | { kind: "set-up"; email: string; password: string; token: string }
  | { kind: "get-user" }
  | { kind: "set-password"; password: string; currentPassword: string | null }
  | { kind: "change-email"; email: string; currentPassword: string | null }
  | { kind: "invite"; email: string; data: object }
  | { kind: "generate-invitation"; email: string }
  | { kind: "generate-recovery"; email: string }
  | { kind: "enroll"; friendlyName: string; issuer: string | null }
  | { kind: "challenge"; factorId: string }
  | { kind: "verify-code"; factorId: string; challengeId: string; code: string }
  | { kind: "unenroll"; factorId: string }
  | { kind: "log-out"; scope: "global" | "local" | "others" };

export interface AuthRequest {
  action: AuthAction;
  apiKey: string | null;
  bearer: string | null;
  /** The user agent, which names the device of a new session. */
  userAgent: string | null;
}

type Parse = (body: unknown, query: Record<string, string>, factorId: string) => AuthAction;

const email = z.string().max(255);
const password = z.string().max(1024);
const token = z.string().min(1).max(255);
const credentials = z.object({ email, password });
const linkType = z.enum(linkTypes, "Invalid email verification type");
const maxUserAgent = 500;

const endpoints: Record<string, Record<string, Parse>> = {
  signup: { POST: () => ({ kind: "sign-up" }) },
  token: { POST: parseGrant },
  recover: { POST: (body) => ({ kind: "recover", email: parseAddress(body) }) },
  verify: { POST: parseToken },
  setup: { POST: parseSetup },
  user: { GET: () => ({ kind: "get-user" }), PUT: parseUserUpdate },
  logout: { POST: parseLogOut },
  invite: { POST: parseInvitation },
  "admin/generate_link": { POST: parseGenerateLink },
  factors: { POST: parseEnrollment },
  "factors/{id}": { DELETE: (_body, _query, factorId) => ({ kind: "unenroll", factorId }) },
  "factors/{id}/challenge": {
    POST: (_body, _query, factorId) => ({ kind: "challenge", factorId }),
  },
  "factors/{id}/verify": { POST: parseCode },
};

/** @throws HttpError with the codes and messages of Supabase Auth */
export async function parseAuthRequest(request: Request): Promise<AuthRequest> {
  const { pathname, searchParams } = new URL(request.url);
  // Compares the raw path: an escaped letter or a second slash makes it another path.
  const path = pathname.match(/^\/auth\/v1\/([a-z]+(?:[/_][a-z0-9_-]+)*)$/)?.[1] ?? "";
  const factorId = path.match(/^factors\/([0-9a-f-]{36})(?=\/|$)/)?.[1] ?? "";
  const name = z.guid().safeParse(factorId).success ? path.replace(factorId, "{id}") : path;
  const methods = Object.hasOwn(endpoints, name) ? endpoints[name] : undefined;
  if (!methods) throw new HttpError(404, "not_found", "Not found");
  const parseAction = Object.hasOwn(methods, request.method) ? methods[request.method] : undefined;
  if (!parseAction) {
    const allow = Object.keys(methods).join(", ");
    throw new HttpError(405, "method_not_allowed", "This method is not offered here", { allow });
  }
  if (new Set(searchParams.keys()).size !== searchParams.size) {
    throw new HttpError(400, "validation_failed", "A parameter of the address is given twice");
  }
  const action = parseAction(await readBody(request), Object.fromEntries(searchParams), factorId);
  const userAgent = request.headers.get("user-agent")?.slice(0, maxUserAgent) ?? null;
  return { action, ...credentialsOf(request), userAgent };
}

/** Rejects strings that PostgreSQL cannot store: null characters and unpaired surrogates. */
async function readBody(request: Request): Promise<unknown> {
  const text = await request.text();
  if (text === "") return {};
  const invalid = new HttpError(400, "bad_json", "The body is not a JSON object of text");
  try {
    return JSON.parse(text, (_key, value) => {
      const isUsable = typeof value !== "string" || (value.isWellFormed() && !value.includes("\0"));
      if (!isUsable) throw invalid;
      return value;
    });
  } catch {
    throw invalid;
  }
}

function parseGrant(body: unknown, query: Record<string, string>): AuthAction {
  if (query.grant_type === "password") return { kind: "sign-in", ...parse(credentials, body) };
  if (query.grant_type === "refresh_token") {
    const { refresh_token } = parse(z.object({ refresh_token: token }), body);
    return { kind: "refresh", refreshToken: refresh_token };
  }
  throw new HttpError(400, "invalid_credentials", "unsupported_grant_type");
}

function parseAddress(body: unknown): string {
  const { data } = emailSchema.safeParse(parse(z.object({ email }), body).email);
  if (data) return data;
  const message = "Unable to validate email address: invalid format";
  throw new HttpError(400, "validation_failed", message);
}

function parseInvitation(body: unknown): AuthAction {
  const said = z.string().max(320).default("");
  const { data } = parse(
    z.object({ data: z.object({ inviter: said, role: said }).default({ inviter: "", role: "" }) }),
    body,
  );
  return { kind: "invite", email: parseAddress(body), data };
}

function parseGenerateLink(body: unknown): AuthAction {
  const types = z.enum(["invite", "recovery"], "Only invitations and recovery links are offered");
  const { type } = parse(z.object({ type: types }), body);
  const kind = type === "invite" ? "generate-invitation" : "generate-recovery";
  return { kind, email: parseAddress(body) };
}

function parseToken(body: unknown): AuthAction {
  const { token_hash, type } = parse(z.object({ token_hash: token, type: linkType }), body);
  return { kind: "verify", type, token: token_hash };
}

/** Not of Supabase: an embedded installation has nobody who could create its first account. */
function parseSetup(body: unknown): AuthAction {
  const fields = parse(z.object({ token, password }), body);
  return { kind: "set-up", email: parseAddress(body), ...fields };
}

function parseUserUpdate(body: unknown): AuthAction {
  const nothing = z
    .never("Only the password or the address can be changed, one at a time")
    .optional();
  const others = { phone: nothing, data: nothing, current_password: password.nullish() };
  if (typeof body === "object" && body !== null && "email" in body) {
    const fields = parse(z.object({ ...others, password: nothing }), body);
    const currentPassword = fields.current_password ?? null;
    return { kind: "change-email", email: parseAddress(body), currentPassword };
  }
  const fields = parse(z.object({ ...others, password }), body);
  const currentPassword = fields.current_password ?? null;
  return { kind: "set-password", password: fields.password, currentPassword };
}

function parseEnrollment(body: unknown): AuthAction {
  const name = z.string().max(100);
  const { friendly_name, issuer } = parse(
    z.object({
      factor_type: z.literal("totp", "Only authenticator apps (totp) are offered"),
      friendly_name: name.default(""),
      issuer: name.nullish(),
    }),
    body,
  );
  return { kind: "enroll", friendlyName: friendly_name, issuer: issuer || null };
}

function parseCode(body: unknown, _query: Record<string, string>, factorId: string): AuthAction {
  const code = z.string().min(1, "Code needs to be non-empty").max(20);
  const fields = parse(z.object({ challenge_id: z.guid(), code }), body);
  return { kind: "verify-code", factorId, challengeId: fields.challenge_id, code: fields.code };
}

function parseLogOut(_body: unknown, query: Record<string, string>): AuthAction {
  const scope = z.enum(["global", "local", "others"]).default("global");
  return { kind: "log-out", scope: parse(z.object({ scope }), query).scope };
}

/** Fields that the schema does not name are dropped. */
function parse<Schema extends z.ZodType>(schema: Schema, input: unknown): z.output<Schema> {
  const { data, error } = schema.safeParse(input);
  if (!error) return data;
  const [issue] = error.issues;
  const field = issue?.path.join(".") ?? "";
  throw new HttpError(400, "validation_failed", `${field || "body"}: ${issue?.message}`);
}
