import { afterEach, expect, test, vi } from "vitest";
import { describeFailure } from "./describe-failure.ts";

afterEach(() => vi.unstubAllGlobals());

test.each(["PGRST301", "PGRST303"])(
  "a session that has ended, which PostgREST reports with %s, is named",
  (code) => {
    vi.stubGlobal("navigator", { onLine: true });
    const error = Object.assign(new Error("JWT expired"), { code });
    expect(describeFailure(error, "posts", "Try again.")).toBe(
      "you are signed out. Sign in again in another window.",
    );
  },
);
