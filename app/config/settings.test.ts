import { expect, test } from "vitest";
import { parseSettings } from "./settings.ts";

test("an empty environment gives the embedded backend on loopback", () => {
  expect(parseSettings({})).toMatchObject({
    host: "127.0.0.1",
    port: 3000,
    siteUrl: "http://127.0.0.1:3000",
    project: null,
    dataDir: ".data",
    owner: { email: "owner@example.com", password: undefined },
  });
});

test("a hosted project needs its address and its key", () => {
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

test("Turnstile is off by default, and the embedded backend needs both of its keys", () => {
  expect(parseSettings({}).turnstile).toEqual({ siteKey: undefined, secretKey: undefined });
  const keys = { TURNSTILE_SITE_KEY: "0x4public", TURNSTILE_SECRET_KEY: "0x4secret" };
  expect(parseSettings(keys).turnstile).toEqual({ siteKey: "0x4public", secretKey: "0x4secret" });
  for (const name of ["TURNSTILE_SITE_KEY", "TURNSTILE_SECRET_KEY"]) {
    expect(() => parseSettings({ ...keys, [name]: "" })).toThrow(
      "TURNSTILE_SECRET_KEY must be set together with TURNSTILE_SITE_KEY",
    );
  }
});

test("a hosted project keeps the secret of Turnstile itself", () => {
  const settings = parseSettings({
    SUPABASE_URL: "https://abc.supabase.co",
    SUPABASE_ANON_KEY: "sb_publishable_x",
    TURNSTILE_SITE_KEY: "0x4public",
  });
  expect(settings.turnstile.siteKey).toBe("0x4public");
});

test("empty values count as unset", () => {
  expect(parseSettings({ SUPABASE_URL: "", SUPABASE_ANON_KEY: " ", DATA_DIR: "" })).toMatchObject({
    project: null,
    dataDir: ".data",
  });
});

test("every bad value is named with what to do", () => {
  expect(() =>
    parseSettings({ PORT: "eighty", SITE_URL: "example.com", SMTP_URL: "mail.example.com" }),
  ).toThrow(
    /PORT must be a number[\s\S]*SITE_URL must be an address[\s\S]*SMTP_URL must look like smtp:/,
  );
});

test("rate limits are on, and can be off on this machine alone", () => {
  expect(parseSettings({}).rateLimits).toBe(true);
  expect(parseSettings({ RATE_LIMITS: "off" }).rateLimits).toBe(false);
  expect(parseSettings({ RATE_LIMITS: "off", HOST: "::1" }).rateLimits).toBe(false);
  for (const HOST of ["0.0.0.0", "::", "192.168.1.2", "127.0.0.1.example.com"]) {
    expect(() => parseSettings({ RATE_LIMITS: "off", HOST })).toThrow(
      "RATE_LIMITS can be off only",
    );
  }
  expect(() => parseSettings({ RATE_LIMITS: "no" })).toThrow("RATE_LIMITS must be on or off");
});

test("visitors are not mailed unless the adviser says so", () => {
  expect(parseSettings({}).mail.confirms).toBe(false);
  expect(parseSettings({ CONTACT_CONFIRMATION: "on" }).mail.confirms).toBe(true);
});

test("no proxy is trusted unless it is counted", () => {
  expect(parseSettings({}).trustedProxies).toBe(0);
  expect(parseSettings({ TRUSTED_PROXIES: "2" }).trustedProxies).toBe(2);
  expect(() => parseSettings({ TRUSTED_PROXIES: "true" })).toThrow(
    "TRUSTED_PROXIES must be a number",
  );
});

test("listening on every interface does not put 0.0.0.0 into links", () => {
  expect(parseSettings({ HOST: "0.0.0.0", PORT: "8080" }).siteUrl).toBe("http://127.0.0.1:8080");
});
