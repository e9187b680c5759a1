import { expect, test } from "vitest";
import { parseSettings } from "./server-settings.ts";

test("an empty environment starts the embedded backend on loopback", () => {
  expect(parseSettings({})).toMatchObject({
    host: "127.0.0.1",
    port: 3000,
    siteUrl: "http://127.0.0.1:3000",
    project: null,
    dataDir: ".data",
    owner: { email: "owner@example.com", password: undefined },
  });
});

test("a hosted project needs its URL and its key", () => {
  const project = {
    SUPABASE_URL: "https://abc.supabase.co/",
    SUPABASE_ANON_KEY: "sb_publishable_x",
  };
  expect(parseSettings(project).project).toEqual({
    url: "https://abc.supabase.co",
    anonKey: "sb_publishable_x",
  });
  expect(() => parseSettings({ SUPABASE_URL: project.SUPABASE_URL })).toThrow(
    "SUPABASE_ANON_KEY must be set together with SUPABASE_URL",
  );
});

test("Turnstile is off by default, and needs both keys with the embedded backend", () => {
  expect(parseSettings({}).turnstile).toEqual({ siteKey: undefined, secretKey: undefined });
  const keys = { TURNSTILE_SITE_KEY: "0x4public", TURNSTILE_SECRET_KEY: "0x4secret" };
  expect(parseSettings(keys).turnstile).toEqual({ siteKey: "0x4public", secretKey: "0x4secret" });
  for (const name of ["TURNSTILE_SITE_KEY", "TURNSTILE_SECRET_KEY"]) {
    expect(() => parseSettings({ ...keys, [name]: "" })).toThrow(
      "TURNSTILE_SECRET_KEY must be set together with TURNSTILE_SITE_KEY",
    );
  }
});

test("with a hosted project the Turnstile secret may be missing", () => {
  const settings = parseSettings({
    SUPABASE_URL: "https://abc.supabase.co",
    SUPABASE_ANON_KEY: "sb_publishable_x",
    TURNSTILE_SITE_KEY: "0x4public",
  });
  expect(settings.turnstile.siteKey).toBe("0x4public");
});

test("empty values count as unset", () => {
  const unset = { SUPABASE_URL: "", SUPABASE_ANON_KEY: " ", DATA_DIR: "", PORT: "" };
  expect(parseSettings(unset)).toMatchObject({ project: null, dataDir: ".data", port: 3000 });
});

test("the error lists every bad value with what to do", () => {
  expect(() =>
    parseSettings({ PORT: "eighty", SITE_URL: "example.com", SMTP_URL: "mail.example.com" }),
  ).toThrow(
    /PORT must be a number[\s\S]*SITE_URL must be an address[\s\S]*SMTP_URL must look like smtp:/,
  );
});

test("rate limits are on by default and can be off on loopback only", () => {
  expect(parseSettings({}).rateLimits).toBe(true);
  expect(parseSettings({ RATE_LIMITS: "off" }).rateLimits).toBe(false);
  expect(parseSettings({ RATE_LIMITS: "off", HOST: "::1" }).rateLimits).toBe(false);
  for (const HOST of ["0.0.0.0", "::", "192.168.1.2", "127.0.0.1.example.com"]) {
    expect(() => parseSettings({ RATE_LIMITS: "off", HOST })).toThrow(
      "RATE_LIMITS can be off only",
    );
  }
});

test("SAMPLE_CONTENT, CONTACT_CONFIRMATION and TRUSTED_PROXIES have defaults and other values", () => {
  const read = (environment: Record<string, string>) => {
    const { sampleContent, mail, trustedProxies } = parseSettings(environment);
    return [sampleContent, mail.confirms, trustedProxies];
  };
  const others = { SAMPLE_CONTENT: "off", CONTACT_CONFIRMATION: "on", TRUSTED_PROXIES: "2" };
  expect(read({})).toEqual([true, false, 0]);
  expect(read(others)).toEqual([false, true, 2]);
});

test("listening on every interface does not put 0.0.0.0 into links", () => {
  expect(parseSettings({ HOST: "0.0.0.0", PORT: "8080" }).siteUrl).toBe("http://127.0.0.1:8080");
});

function jwt(role: string): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
  return `${part({ alg: "HS256" })}.${part({ iss: "supabase", role })}.c2lnbmF0dXJl`;
}

const url = "https://abc.supabase.co";

test.each(["\n", "\r\n", " ", "\t"])("%j around a value is trimmed", (blank) => {
  const settings = parseSettings({
    PORT: `8080${blank}`,
    SITE_URL: `${blank}https://www.example.com${blank}`,
    SUPABASE_URL: url + blank,
    SUPABASE_ANON_KEY: `sb_publishable_x${blank}`,
    SMTP_URL: `smtp://mail.example.com${blank}`,
    CONTACT_TO: `ada@example.com${blank}`,
    TRUSTED_PROXIES: blank,
  });
  expect(settings).toMatchObject({
    port: 8080,
    siteUrl: "https://www.example.com",
    project: { url, anonKey: "sb_publishable_x" },
    mail: { smtpUrl: "smtp://mail.example.com", to: "ada@example.com" },
    trustedProxies: 0,
  });
});

test.each([
  ["SITE_URL", "https://www.example.com\nhttps://other.example.com"],
  ["SUPABASE_URL", `${url}\nsb_publishable_x`],
  ["SUPABASE_ANON_KEY", "sb_publishable_x\nsb_publishable_y"],
  ["SUPABASE_ANON_KEY", "sb_publishable_x sb_publishable_y"],
  ["SMTP_URL", "smtp://mail.example.com\nsmtp://other.example.com"],
  ["SMTP_URL", "smtp://ada:pass word@mail.example.com"],
  ["RESEND_API_KEY", "re_1 re_2"],
  ["DATA_DIR", "/data\n/other"],
  ["OWNER_PASSWORD", "a-password\nof-two-lines"],
])("white space or a second line inside %s is rejected", (name, value) => {
  expect(() => parseSettings({ [name]: value })).toThrow(new RegExp(`^  ${name} `, "m"));
});

test.each(["sb_publishable_x-Y_9", jwt("anon")])("the public key %s is accepted", (key) => {
  const { project } = parseSettings({ SUPABASE_URL: url, SUPABASE_ANON_KEY: key });
  expect(project?.anonKey).toBe(key);
});

test.each(["sb_secret_abcdefgh", jwt("service_role"), "'sb_secret_abcdefgh'"])(
  "the secret key %s is rejected and never printed",
  (key) => {
    expect(() => parseSettings({ SUPABASE_URL: url, SUPABASE_ANON_KEY: key })).toThrow(
      expect.objectContaining({
        message: expect.stringMatching(
          /^Some settings can't be used:\n {2}SUPABASE_ANON_KEY is a secret key, .* must never be in the site's environment\. .*$/,
        ),
      }),
    );
    try {
      parseSettings({ SUPABASE_URL: url, SUPABASE_ANON_KEY: key });
    } catch (error) {
      expect(String(error)).not.toContain(key.replaceAll("'", ""));
    }
  },
);

test.each(["abcdefgh", jwt("authenticated"), "eyJhbGciOiJIUzI1NiJ9", "sb_publishable_"])(
  "%s is rejected as a key",
  (key) => {
    expect(() => parseSettings({ SUPABASE_URL: url, SUPABASE_ANON_KEY: key })).toThrow(
      "SUPABASE_ANON_KEY must be the project's publishable key",
    );
  },
);

test.each([
  ["SUPABASE_URL", "https://supabase.com/dashboard/project/abc"],
  ["SUPABASE_URL", "https://abc.supabase.co/rest/v1/"],
  ["SUPABASE_URL", "http://abc.supabase.co"],
  ["SUPABASE_URL", "postgres://abc.supabase.co"],
  ["SITE_URL", "https://www.example.com/blog"],
  ["SITE_URL", "https://www.example.com/?utm=1"],
  ["SITE_URL", "https://ada:pw@www.example.com"],
  ["SITE_URL", "ftp://www.example.com"],
  ["PORT", "99999"],
  ["PORT", "-1"],
  ["TRUSTED_PROXIES", "-1"],
  ["TRUSTED_PROXIES", "true"],
  ["SAMPLE_CONTENT", "none"],
  ["RATE_LIMITS", "no"],
  ["CONTACT_FROM", "Jane"],
  ["CONTACT_FROM", "Jane <jane>"],
  ["CONTACT_TO", "Jane <jane@example.com>"],
])("%s=%s is rejected", (name, value) => {
  expect(() => parseSettings({ SUPABASE_ANON_KEY: "sb_publishable_x", [name]: value })).toThrow(
    new RegExp(`^  ${name} (must|can)`, "m"),
  );
});

test.each(["jane@example.com", "Jane Doe <jane@example.com>", '"Doe, Jane" <jane@example.com>'])(
  "%s is a valid sender",
  (sender) => {
    expect(parseSettings({ CONTACT_FROM: sender }).mail.from).toBe(sender);
  },
);

test("a project on loopback may use http", () => {
  const key = { SUPABASE_ANON_KEY: "sb_publishable_x" };
  for (const address of ["http://127.0.0.1:54321", "http://localhost:54321", "http://[::1]:1"]) {
    expect(parseSettings({ ...key, SUPABASE_URL: address }).project?.url).toBe(address);
  }
});
