// Asks Cloudflare whether a visitor passed the check that the site showed, where one is configured.
// Covers: the token in a header, a time limit. Does not cover: hostname and action of the token; the
// secret belongs to one site, and Cloudflare gives tokens for its hostnames only.

const siteverify = "https://challenges.cloudflare.com/turnstile/v0/siteverify";
const longestToken = 2048;
const patience = 5_000;

export const tokenHeader = "x-turnstile-token";

export interface TurnstileSettings {
  /** Without it nobody is checked. */
  secretKey: string | undefined;
  /** For tests, which stand in for Cloudflare. */
  siteverifyUrl?: string | undefined;
}

/**
 * Whether the message may pass. Cloudflare's no is a no. When Cloudflare cannot be asked, the message
 * passes: an outage there must not cost the adviser a client, and the rate limits still hold.
 */
export async function passesTurnstile(
  headers: Headers,
  { secretKey, siteverifyUrl = siteverify }: TurnstileSettings,
): Promise<boolean> {
  if (!secretKey) return true;
  const token = headers.get(tokenHeader) ?? "";
  if (!token || token.length > longestToken) return false;
  try {
    const response = await fetch(siteverifyUrl, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ secret: secretKey, response: token }),
      signal: AbortSignal.timeout(patience),
    });
    const answer = (await response.json()) as Answer | null;
    if (answer?.success === true) return true;
    const codes = answer?.["error-codes"] ?? [];
    // Neither is the visitor's fault: the check itself does not work.
    if (answer?.success !== false || codes.some((code) => brokenCheck.test(code))) {
      throw new Error(`it answered ${response.status} ${codes.join()}`);
    }
    return false;
  } catch (error) {
    console.error("send-email: Turnstile could not be asked:", String(error));
    return true;
  }
}

interface Answer {
  success?: boolean;
  "error-codes"?: string[];
}

const brokenCheck = /^(missing-input-secret|invalid-input-secret|internal-error|bad-request)$/;
