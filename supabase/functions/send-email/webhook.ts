// Signatures of https://www.standardwebhooks.com with a shared secret, as Auth signs calls of its hooks.
import { createHmac, timingSafeEqual } from "node:crypto";

interface Signed {
  id: string;
  /** Seconds since 1970. */
  timestamp: string;
  body: string;
}

const prefix = "v1,whsec_";
/** The seconds by which the clocks may differ. */
const tolerance = 5 * 60;

/** @param secret `v1,whsec_` and the key in base64 */
export function signWebhook(secret: string, { id, timestamp, body }: Signed): string {
  const key = Buffer.from(secret.slice(prefix.length), "base64");
  return `v1,${createHmac("sha256", key).update(`${id}.${timestamp}.${body}`).digest("base64")}`;
}

/** @param secrets one or, while the secret changes, several, separated by `|` */
export function isSignedWebhook(
  headers: Headers,
  body: string,
  secrets: string,
  now: Date,
): boolean {
  const id = headers.get("webhook-id") ?? "";
  const timestamp = headers.get("webhook-timestamp") ?? "";
  if (!(Math.abs(now.getTime() / 1000 - Number(timestamp)) <= tolerance)) return false;
  // Auth separates the signatures by a comma and a blank, other senders by a blank.
  const given = (headers.get("webhook-signature") ?? "").split(/,? /);
  const expected = secrets.split("|").filter((secret) => secret.startsWith(prefix));
  return expected.some((secret) => {
    const signature = Buffer.from(signWebhook(secret, { id, timestamp, body }));
    return given.some((one) => {
      const bytes = Buffer.from(one);
      return bytes.length === signature.length && timingSafeEqual(bytes, signature);
    });
  });
}
