import { expect, test } from "vitest";
import { contentSecurityPolicy, createSecurityHeaders } from "./security-headers.ts";

const local = { siteUrl: () => "http://127.0.0.1:3000", supabaseUrl: null };
const hosted = { siteUrl: () => "https://www.example.com", supabaseUrl: "https://abc.supabase.co" };

function directives(policy: string): Record<string, string[]> {
  return Object.fromEntries(
    policy.split("; ").map((directive) => {
      const [name = "", ...sources] = directive.split(" ");
      return [name, sources];
    }),
  );
}

test("scripts are allowed by hash", () => {
  const policy = contentSecurityPolicy(local, ["'sha256-a'", "'sha256-b'"]);
  expect(directives(policy)["script-src"]).toEqual(["'self'", "'sha256-a'", "'sha256-b'"]);
});

test("sources that pages do not need are closed", () => {
  expect(contentSecurityPolicy(local, [])).toBe(
    "default-src 'none'; script-src 'self'; style-src 'self' blob:; style-src-attr 'unsafe-inline'; " +
      "img-src 'self' data: blob:; font-src 'self' blob:; connect-src 'self'; manifest-src 'self'; " +
      "frame-src 'self'; object-src 'none'; base-uri 'self'; form-action 'self'; " +
      "frame-ancestors 'self'",
  );
});

test("a hosted project is allowed for requests and WebSockets; its images come through the site", () => {
  const policy = directives(contentSecurityPolicy(hosted, []));
  expect(policy["connect-src"]).toEqual([
    "'self'",
    "https://abc.supabase.co",
    "wss://abc.supabase.co",
  ]);
  expect(policy["img-src"]).toEqual(["'self'", "data:", "blob:"]);
  expect(policy["script-src"]).toEqual(["'self'"]);
});

test("Turnstile is allowed only when it is enabled", () => {
  expect(contentSecurityPolicy(hosted, [])).not.toContain("cloudflare");
  const policy = directives(contentSecurityPolicy({ ...hosted, turnstile: true }, []));
  expect(policy["script-src"]).toContain("https://challenges.cloudflare.com");
  expect(policy["frame-src"]).toEqual(["'self'", "https://challenges.cloudflare.com"]);
});

test("only the site itself may frame its pages, and nothing may frame its files", () => {
  const headers = createSecurityHeaders(hosted);
  const page = headers.page([]);
  expect(page.filter(([name]) => name === "x-frame-options")).toEqual([
    ["x-frame-options", "SAMEORIGIN"],
  ]);
  expect(directives(contentSecurityPolicy(hosted, []))["frame-ancestors"]).toEqual(["'self'"]);
  const file = Object.fromEntries(headers.file("text/html"));
  expect(file["x-frame-options"]).toBe("DENY");
  expect(file["content-security-policy"]).toContain("frame-ancestors 'none'");
  expect(Object.fromEntries(headers.common())["x-frame-options"]).toBe("DENY");
});

test("no type is guessed, other sites learn only the origin, and pages use no camera", () => {
  expect(Object.fromEntries(createSecurityHeaders(local).page([]))).toMatchObject({
    "x-content-type-options": "nosniff",
    "referrer-policy": "strict-origin-when-cross-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": expect.stringContaining("camera=()"),
  });
});

test("only a site with https requires TLS", () => {
  const names = (policy: typeof local) =>
    createSecurityHeaders(policy)
      .common()
      .map(([name]) => name);
  expect(names(local)).not.toContain("strict-transport-security");
  expect(names({ ...local, siteUrl: hosted.siteUrl })).toContain("strict-transport-security");
  expect(contentSecurityPolicy(local, [])).not.toContain("upgrade-insecure-requests");
  expect(contentSecurityPolicy(hosted, [])).toContain("upgrade-insecure-requests");
});

test("a file runs nothing by itself, and only an image may be embedded elsewhere", () => {
  const headers = createSecurityHeaders(local);
  const script = Object.fromEntries(headers.file("text/javascript"));
  expect(script["content-security-policy"]).toContain("default-src 'none'");
  expect(script["cross-origin-resource-policy"]).toBe("same-origin");
  const image = Object.fromEntries(headers.file("image/webp"));
  expect(image["cross-origin-resource-policy"]).toBe("cross-origin");
  expect(Object.fromEntries(headers.page([]))["cross-origin-opener-policy"]).toBe("same-origin");
});
