// @vitest-environment happy-dom

import { createClient, type Session } from "@supabase/supabase-js";
import { act } from "react";
import { createRoot } from "react-dom/client";
import { MemoryRouter } from "react-router";
import { afterAll, expect, test, vi } from "vitest";

// Test files share modules, so another one may have loaded the client that is mocked here.
vi.resetModules();
vi.doMock("../supabase/browser-client.ts", () => ({
  sessionStorageKey: "owner-session",
  mayHaveSession: () => false,
  getBrowserClient: vi.fn(),
}));
const { getBrowserClient } = await import("../supabase/browser-client.ts");
const { AuthProvider } = await import("./auth-provider.tsx");
const { default: SecondStep } = await import("./second-step.tsx");

vi.stubGlobal("IS_REACT_ACT_ENVIRONMENT", true);
afterAll(() => {
  vi.doUnmock("../supabase/browser-client.ts");
});

const user = {
  ...{ id: "ada", email: "ada@example.com", app_metadata: {}, user_metadata: {}, aud: "" },
  ...{ created_at: "", factors: [{ id: "app", status: "verified", factor_type: "totp" }] },
};
const session: Session = {
  ...{ access_token: `e30.${btoa('{"aal":"aal1","exp":9999999999}')}.x`, refresh_token: "r" },
  ...{ expires_in: 3600, expires_at: 9999999999, token_type: "bearer" },
  user: user as unknown as Session["user"],
};

type Respond = (path: string) => Response;

/** Enters a code or a recovery code. @returns what the field and its description say then */
async function enter(respond: Respond, typed: string, isRecovery = false) {
  const storage = new Map([["s", JSON.stringify(session)]]);
  const client = createClient("http://site.example", "key", {
    global: {
      fetch: async (input) => respond(new URL(String(input)).pathname.replace(/^.*v1\//, "")),
    },
    auth: {
      ...{ storageKey: "s", autoRefreshToken: false },
      storage: {
        getItem: (key) => storage.get(key) ?? null,
        setItem: (key, value) => void storage.set(key, value),
        removeItem: (key) => void storage.delete(key),
      },
    },
  });
  vi.mocked(getBrowserClient).mockResolvedValue(client);
  const page = document.createElement("div");
  document.body.append(page);
  const root = createRoot(page);
  const onDone = vi.fn();
  await act(async () =>
    root.render(
      <MemoryRouter>
        <AuthProvider>
          <SecondStep email={user.email} onDone={onDone} />
        </AuthProvider>
      </MemoryRouter>,
    ),
  );
  const button = [...page.querySelectorAll("button")].find(
    ({ textContent }) => textContent === "Use a recovery code",
  );
  if (isRecovery) await act(async () => button?.click());
  const field = page.querySelector("input");
  const setValue = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value")?.set;
  await act(async () => {
    setValue?.call(field, typed);
    field?.dispatchEvent(new Event("input", { bubbles: true }));
  });
  await act(async () => page.querySelector("form")?.requestSubmit());
  await expect.poll(() => page.textContent).not.toContain("Checking...");
  const said = page.querySelector("form p")?.textContent ?? null;
  const result = { value: field?.value, said, done: onDone.mock.calls.length };
  await act(async () => root.unmount());
  page.remove();
  return result;
}

/** Responds to the code with an error of Auth. */
function toCode(status: number, code: string, msg: string): Respond {
  return (path) =>
    path === "user"
      ? Response.json(user)
      : path.endsWith("/challenge")
        ? Response.json({ id: "challenge", type: "totp", expires_at: 9999999999 })
        : Response.json(
            { error_code: code, msg },
            { status, headers: { "x-sb-error-code": code } },
          );
}

const limited = "Too many codes were entered. Please try again in 2 minutes.";
const offline = "The server did not respond. Check your connection and try again.";

test.each([
  [
    "a wrong code",
    toCode(422, "mfa_verification_failed", "Invalid TOTP code entered"),
    "This code is wrong, or was used already. Enter the one that the app shows now.",
  ],
  [
    "a challenge that has expired",
    toCode(422, "mfa_challenge_expired", "MFA challenge has expired"),
    "That took too long. Enter the code that the app shows now.",
  ],
  ["too many attempts", toCode(429, "over_request_rate_limit", limited), limited],
  [
    "no connection",
    () => {
      throw new TypeError("Failed to fetch");
    },
    offline,
  ],
] as const)("%s is told at the field, and what was typed stays", async (_what, respond, said) => {
  expect(await enter(respond, "123 456")).toEqual({ value: "123 456", said, done: 0 });
});

test("a code that cannot be one is not sent", async () => {
  const respond = () => {
    throw new Error("Was sent");
  };
  const said = "The code has six digits.";
  expect(await enter(respond, "12345")).toEqual({ value: "12345", said, done: 0 });
});

test.each([
  ["a wrong one", () => Response.json(false), "This recovery code is wrong or was used already."],
  [
    "too many attempts",
    () => Response.json({ code: "over_request_rate_limit", message: limited }, { status: 429 }),
    limited,
  ],
  [
    "no connection",
    () => {
      throw new TypeError("Failed to fetch");
    },
    offline,
  ],
] as const)("of recovery codes, %s is told at the field", async (_what, respond, said) => {
  expect(await enter(respond, "abcde-12345", true)).toEqual({
    ...{ value: "abcde-12345", said, done: 0 },
  });
});
