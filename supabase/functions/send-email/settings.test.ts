import { expect, test } from "vitest";
import { readSettings } from "./settings.ts";

const complete = {
  SUPABASE_URL: "https://abc.supabase.co",
  SUPABASE_SERVICE_ROLE_KEY: "service-role-key",
  SMTP_URL: "smtp://ada:secret@mail.example.com:587",
  CONTACT_TO: "adviser@example.com",
};

function settingsOf(environment: Record<string, string>) {
  return readSettings((name) => environment[name]);
}

test("complete settings have no problems", () => {
  const { project, mail, problems } = settingsOf(complete);
  expect(project).toEqual({ url: complete.SUPABASE_URL, secretKeys: ["service-role-key"] });
  expect(mail).toMatchObject({ to: "adviser@example.com", from: "adviser@example.com" });
  expect(problems).toEqual([]);
});

test.each([
  ["SUPABASE_URL", "SUPABASE_URL is not set"],
  ["SUPABASE_SERVICE_ROLE_KEY", "SUPABASE_SECRET_KEYS or SUPABASE_SERVICE_ROLE_KEY is not set"],
])("without %s nothing can be stored, and it is named", (name, problem) => {
  for (const value of ["", " \n"]) {
    const { project, problems } = settingsOf({ ...complete, [name]: value });
    expect(project).toBe(null);
    expect(problems).toEqual([problem]);
  }
});

test.each([
  ["CONTACT_TO", "", /^CONTACT_TO is not set/],
  ["SMTP_URL", "mail.example.com", /^SMTP_URL must look like/],
  ["SMTP_URL", "https://mail.example.com", /^SMTP_URL must look like/],
])("with %s=%j messages are stored and not mailed", (name, value, problem) => {
  const { project, mail, problems } = settingsOf({ ...complete, [name]: value });
  expect(project).not.toBe(null);
  expect(mail).toBe(null);
  expect(problems).toEqual([expect.stringMatching(problem)]);
});

test("Resend wins over SMTP, and without either nothing is missing", () => {
  expect(settingsOf({ ...complete, RESEND_API_KEY: "re_1\n" }).mail?.service).toEqual({
    resendApiKey: "re_1",
  });
  const { mail, problems } = settingsOf({ ...complete, SMTP_URL: "", CONTACT_TO: "" });
  expect(mail).toBe(null);
  expect(problems).toEqual([]);
});

test("pauses that cannot be read are replaced by the usual ones", () => {
  const { mail, problems } = settingsOf({ ...complete, CONTACT_RETRY_PAUSES: "soon" });
  expect(mail?.pauses.length).toBeGreaterThan(1);
  expect(problems).toEqual([expect.stringContaining("CONTACT_RETRY_PAUSES")]);
});

test("no problem holds a value", () => {
  const { problems } = settingsOf({ SUPABASE_URL: "hidden", SMTP_URL: "hidden" });
  expect(problems.join()).not.toContain("hidden");
});
