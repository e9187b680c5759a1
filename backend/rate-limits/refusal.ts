// The words of a 429.
import type { Limit, LimitedAction } from "./limits.ts";

/** The database counts reviews, and says so itself. */
export type GatewayAction = Exclude<LimitedAction, "review">;

const sentences: Record<GatewayAction, Record<Limit["per"], string>> = {
  contact: {
    visitor: "Several messages came from your connection just now.",
    everyone: "We are getting more messages than usual.",
  },
  signIn: {
    visitor: "Too many attempts to sign in.",
    everyone: "Too many people are trying to sign in.",
  },
  refresh: {
    visitor: "Your session was renewed too often.",
    everyone: "Too many sessions are being renewed.",
  },
  signUp: {
    visitor: "Too many attempts to sign up.",
    everyone: "Too many people are trying to sign up.",
  },
  reset: {
    visitor: "Too many links were asked for.",
    everyone: "Too many links were asked for.",
  },
  verify: {
    visitor: "Too many links were opened.",
    everyone: "Too many links were opened.",
  },
};

/** What a person reads. @param seconds until one more is allowed, at least 1. */
export function refusalOf(action: GatewayAction, per: Limit["per"], seconds: number): string {
  return `${sentences[action][per]} Please try again in ${inWords(seconds)}.`;
}

/** "1 minute", "3 hours": never less than it takes. */
export function inWords(seconds: number): string {
  if (seconds < 60) return counted(seconds, "second");
  const minutes = Math.ceil(seconds / 60);
  return minutes < 120 ? counted(minutes, "minute") : counted(Math.ceil(seconds / 3600), "hour");
}

function counted(number: number, unit: string): string {
  return `${number} ${unit}${number === 1 ? "" : "s"}`;
}
