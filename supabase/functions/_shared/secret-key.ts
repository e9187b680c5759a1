// The project's secret keys: reading them from the environment and finding one in a request.
import { createHash, timingSafeEqual } from "node:crypto";

/**
 * @param named SUPABASE_SECRET_KEYS, the newer keys as a JSON object of names
 * @param legacy SUPABASE_SERVICE_ROLE_KEY, the single key of older projects and the embedded backend
 * @returns every secret key of the project; the first one is the one to use
 */
export function readSecretKeys(named: string | undefined, legacy: string | undefined): string[] {
  const keys = Object.entries(parseObject(named))
    .sort(([a], [b]) => Number(b === "default") - Number(a === "default"))
    .map(([, key]) => key);
  return [...keys, legacy].filter((key): key is string => typeof key === "string" && key !== "");
}

/** Whether a request carries one of the keys, in either header: supabase-js and pg_net use both. */
export function holdsSecretKey(headers: Headers, keys: readonly string[]): boolean {
  const bearer = headers.get("authorization")?.match(/^Bearer (.+)$/i)?.[1];
  return [headers.get("apikey"), bearer].some(
    // Digests have equal lengths, which timingSafeEqual demands.
    (given) => given && keys.some((key) => timingSafeEqual(digest(given), digest(key))),
  );
}

function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}

function parseObject(text: string | undefined): object {
  try {
    const value: unknown = JSON.parse(text ?? "");
    return typeof value === "object" && value !== null ? value : {};
  } catch {
    return {};
  }
}
