import { expect, test } from "vitest";
import { readAccountMails } from "./account-mail.ts";

const now = new Date("2026-11-25T10:00:00Z");
const later = (seconds: number) => new Date(now.getTime() + seconds * 1000).toISOString();

/** A request as Auth makes it, with the fields that the site does not use. */
function read(email_action_type: string, email_data: object = {}, user: object = {}) {
  const given = {
    ...{ token: "1234567890", token_hash: "hash", token_new: "", token_hash_new: "" },
    ...{
      redirect_to: "https://www.example.com/login",
      site_url: "https://abc.supabase.co/auth/v1",
    },
    ...{ old_email: "", old_phone: "", provider: "", factor_type: "" },
  };
  const body = {
    metadata: { uuid: "1", name: "send-email" },
    user: { id: "7", email: "ada@example.com", user_metadata: null, ...user },
    email_data: { ...given, email_action_type, ...email_data },
  };
  return readAccountMails(JSON.stringify(body), now);
}

test("a link is queued with its token until it expires, once for the same request", () => {
  const [mail] = read("recovery") ?? [];
  expect(mail).toMatchObject({
    ...{ kind: "recovery", recipient: "ada@example.com", expires_at: later(3600) },
    data: { token: "hash", seconds: 3600, site: "https://www.example.com" },
  });
  expect(mail?.id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/);
  expect(read("recovery")?.[0]?.id).toBe(mail?.id);
  expect(read("recovery", { token_hash: "other" })?.[0]?.id).not.toBe(mail?.id);
});

test("an invitation names inviter and role in one line, whatever the account's data are", () => {
  const user_metadata = { inviter: "Ada\r\nBcc: eve@example.com", role: "editor" };
  const [mail] = read("invite", { expires_in: 86_400 }, { user_metadata }) ?? [];
  expect(mail).toMatchObject({ expires_at: later(86_400), data: { role: "editor" } });
  expect(mail?.data.inviter).toBe("Ada Bcc: eve@example.com");
  expect(read("invite", {}, { user_metadata: ["x"] })?.[0]?.data).toMatchObject({ inviter: "" });
});

test("a new address gets the link, and the current one its own link, or a note where it need not confirm", () => {
  const user = { new_email: "new@example.com" };
  const both = read("email_change", { token_hash_new: "current" }, user);
  expect(both?.map(({ kind, recipient, data }) => [kind, recipient, data.token])).toEqual([
    ["email_change", "new@example.com", "hash"],
    ["email_change", "ada@example.com", "current"],
  ]);
  expect(read("email_change", {}, user)?.map(({ kind, recipient }) => [kind, recipient])).toEqual([
    ["email_change", "new@example.com"],
    ["address_changing", "ada@example.com"],
  ]);
});

test("a changed address is told to the former one, and a changed password to its account", () => {
  const changed = read("email_changed_notification", { old_email: "old@example.com" });
  expect(changed).toMatchObject([{ kind: "address_changed", recipient: "old@example.com" }]);
  const password = read("password_changed_notification");
  expect(password).toMatchObject([{ kind: "password_changed", recipient: "ada@example.com" }]);
});

test.each(["signup", "magiclink", "reauthentication", "mfa_factor_enrolled_notification"])(
  "the site has no mail %s",
  (type) => {
    expect(read(type)).toBe(null);
  },
);
