// With a challenge, the site finds out whether an address leads to itself: it asks there for the answer, which only a process with
// the same secret can compute. Such a process answers challenges of its own only, and for a minute, so nobody can collect answers.
import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";

const maxAgeMs = 60_000;

export type Challenges = ReturnType<typeof createChallenges>;

/** @param secret the same for all processes of a site */
export function createChallenges(secret: string | Buffer, now = Date.now) {
  return {
    create(): string {
      const text = `${now().toString(36)}.${randomBytes(16).toString("base64url")}`;
      return `${text}.${sign("challenge", text)}`;
    },
    /** @returns null for a challenge of another site, or an old one */
    answer(challenge: string): string | null {
      const [, text = "", time = "", signature = ""] =
        /^(([a-z0-9]{1,10})\.[\w-]{22})\.([\w-]{43})$/.exec(challenge) ?? [];
      const isOwn = timingSafeEqual(
        Buffer.from(signature.padEnd(43)),
        Buffer.from(sign("challenge", text)),
      );
      const age = Math.abs(now() - Number.parseInt(time, 36));
      return isOwn && age <= maxAgeMs ? sign("answer", challenge) : null;
    },
  };

  function sign(purpose: string, text: string): string {
    return createHmac("sha256", secret)
      .update(`site address ${purpose} ${text}`)
      .digest("base64url");
  }
}
