import { expect, test } from "vitest";
import { readFunctionSettings, readRetryPauses } from "./function-settings.ts";

const complete = {
  SUPABASE_URL: "https://abc.supabase.co",
  SUPABASE_SERVICE_ROLE_KEY: "service-role-key",
  SMTP_URL: "smtp://ada:secret@mail.example.com:587",
  CONTACT_TO: "adviser@example.com",
};

function settingsOf(environment: Record<string, string>) {
  return readFunctionSettings((name) => environment[name]);
}

test("complete settings have no problems", () => {
  const { project, mail, problems } = settingsOf(complete);
  expect(project).toEqual({ url: complete.SUPABASE_URL, secretKeys: ["service-role-key"] });
  expect(mail.environment).toMatchObject({ to: "adviser@example.com" });
  expect(problems).toEqual([]);
});

test.each([
  ["SUPABASE_URL", "SUPABASE_URL is not set"],
  ["SUPABASE_SERVICE_ROLE_KEY", "SUPABASE_SECRET_KEYS or SUPABASE_SERVICE_ROLE_KEY is not set"],
])("without %s messages cannot be stored, and the problem names the setting", (name, problem) => {
  for (const value of ["", " \n"]) {
    const { project, problems } = settingsOf({ ...complete, [name]: value });
    expect(project).toBe(null);
    expect(problems).toEqual([problem]);
  }
});

test.each([
  ["SMTP_URL", "mail.example.com", /^SMTP_URL must look like/],
  ["SMTP_URL", "https://mail.example.com", /^SMTP_URL must look like/],
])("%s=%j is no mail service", (name, value, problem) => {
  const { project, mail, problems } = settingsOf({ ...complete, [name]: value });
  expect(project).not.toBe(null);
  expect(mail.service).toBe(null);
  expect(problems).toEqual([expect.stringMatching(problem)]);
});

test("Resend takes precedence over SMTP, and having neither is not a problem", () => {
  expect(settingsOf({ ...complete, RESEND_API_KEY: "re_1\n" }).mail.service).toEqual({
    resendApiKey: "re_1",
  });
  const { mail, problems } = settingsOf({ ...complete, SMTP_URL: "", CONTACT_TO: "" });
  expect(mail.service).toBe(null);
  expect(problems).toEqual([]);
});

test("invalid retry pauses are replaced by the usual ones", () => {
  const { mail, problems } = settingsOf({ ...complete, CONTACT_RETRY_PAUSES: "soon" });
  expect(mail.retrySeconds.length).toBeGreaterThan(1);
  expect(problems).toEqual([expect.stringContaining("CONTACT_RETRY_PAUSES")]);
});

test("a problem never quotes the value of a setting", () => {
  const { problems } = settingsOf({ SUPABASE_URL: "hidden", SMTP_URL: "hidden" });
  expect(problems.join()).not.toContain("hidden");
});

test("a message is tried ten times in three days, with growing pauses", () => {
  const pauses = [60, 300, 900, 3600, 10_800, 21_600, 43_200, 86_400, 86_400];
  expect(readRetryPauses(undefined)).toEqual(pauses);
});

test("custom pauses are seconds separated by commas", () => {
  expect(readRetryPauses("0.1, 2,0")).toEqual([0.1, 2, 0]);
});

test.each(["soon", "1,,2", "-1", "1;2"])("the retry pauses %j are rejected", (setting) => {
  expect(() => readRetryPauses(setting)).toThrow("CONTACT_RETRY_PAUSES must be numbers of seconds");
});
