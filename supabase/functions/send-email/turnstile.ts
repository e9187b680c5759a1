// Verifies Cloudflare Turnstile's token of a message, where a secret key is configured.
// Covers: the token in a header, a timeout. Does not cover: hostname and action of the token; the
// secret belongs to one site, and Cloudflare issues tokens for its hostnames only.
import { z } from "zod/mini";

const siteverify = "https://challenges.cloudflare.com/turnstile/v0/siteverify";
const maxTokenLength = 2048;
const timeout = 5_000;

export const tokenHeader = "x-turnstile-token";

interface TurnstileSettings {
  /** The secret key. Without one, every message passes. */
  secretKey: string | undefined;
  /** The URL of a stub for Cloudflare's service in tests. */
  siteverifyUrl?: string | undefined;
}

const resultSchema = z.object({
  success: z.boolean(),
  "error-codes": z._default(z.array(z.string()), []),
});

/** Cloudflare's errors that the visitor has not caused. */
const brokenCheck = /^(missing-input-secret|invalid-input-secret|internal-error|bad-request)$/;

/**
 * Whether Cloudflare accepts the token. When Cloudflare is unreachable or the check itself is broken,
 * the message passes: an outage there must not cost the adviser a client, and rate limits still hold.
 */
export async function passesTurnstile(
  headers: Headers,
  { secretKey, siteverifyUrl = siteverify }: TurnstileSettings,
): Promise<boolean> {
  if (!secretKey) return true;
  const token = headers.get(tokenHeader) ?? "";
  if (!token || token.length > maxTokenLength) return false;
  try {
    const response = await fetch(siteverifyUrl, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ secret: secretKey, response: token }),
      signal: AbortSignal.timeout(timeout),
    });
    const result = resultSchema.safeParse(await response.json());
    const codes = result.data?.["error-codes"] ?? [];
    if (!result.success || codes.some((code) => brokenCheck.test(code))) {
      throw new Error(`it responded with ${response.status} ${codes.join()}`);
    }
    return result.data.success;
  } catch (error) {
    console.error("send-email: Turnstile could not be asked:", String(error));
    return true;
  }
}
