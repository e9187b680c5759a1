// The numbers of limits in documents and settings are those of the code.
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type Limit, ownLimits } from "embedded-supabase/rate-limits/limits.ts";
import { expect, test } from "vitest";
import { maxImageMegabytes } from "../app/config/image-address.ts";
import { requestLimits } from "../server/limits/request-limits.ts";

const root = join(import.meta.dirname, "..");
const security = readFileSync(join(root, "docs/security.md"), "utf8");
const sources = globSync("{app,deploy,server,packages/*/src,supabase}/**/*.{conf,sql,toml,ts*}", {
  cwd: root,
});

const [, bounds = ""] = /\n## Bounds\n[\s\S]*?\n\|---.*\n((?:\|.*\n)+)/.exec(security) ?? [];
const rows = bounds
  .trim()
  .split("\n")
  .map((row) => row.split("|").slice(1, -1));

test.each(rows)("the bound of%sis that of the code:%s", (_, atMost, __, constants = "") => {
  const found = [...atMost.matchAll(/(\d[\d,]*) ?(\w*)/g)];
  const items = constants.split(/, (?=`)/);
  expect(found).toHaveLength(items.length);
  for (const [index, [, number = "", unit = ""]] of found.entries()) {
    const values = (factors[unit] ?? [1]).map(
      (factor) => Number(number.replaceAll(",", "")) * factor,
    );
    const places = [...(items[index] ?? "").matchAll(/`([^`]+)` (\S+)/g)];
    expect(places).not.toHaveLength(0);
    for (const [, name = "", file = ""] of places) {
      expect(values, `${name} in ${file}`).toContain(numberOf(name, file));
    }
  }
});

test("the table of rate limits is the one of the code", () => {
  const rows: [label: string, limits: readonly Limit[]][] = [
    ["contact message", requestLimits.contact],
    ["contact message with a filled-in honeypot", requestLimits.spam],
    ["testimonial", requestLimits.testimonial],
    ["invitation", requestLimits.invite],
    ["test mail", requestLimits.test_mail],
    ["image of an import", requestLimits.import_image],
    ["sign-in and new passwords, together", ownLimits.signIn.limits],
    ["code of an authenticator app, with its challenge", ownLimits.secondStep.limits],
    ["recovery code", requestLimits.recovery_code],
    ["session refresh", ownLimits.refresh.limits],
    ["password reset mail, new address", ownLimits.reset.limits],
    ["confirming a mailed link, using a setup link", ownLimits.verify.limits],
    ["any other call of a function", ownLimits.call.limits],
    ["search in the blog", requestLimits.search],
  ];
  expect(rows).toHaveLength(Object.keys({ ...requestLimits, ...ownLimits }).length - 3);
  const table = rows.map(([label, limits]) => {
    const cell = (scope: string) =>
      limits.flatMap(({ per, ...limit }) => (per === scope ? describe(limit) : [])).join(", ");
    return `| ${label} | ${cell("visitor")} | ${cell("everyone")} |`.replaceAll("|  |", "| |");
  });
  const [, found = ""] =
    /\| per address \| all visitors \|\n\|---\|---\|---\|\n((?:\|.*\n)+)/.exec(security) ?? [];
  expect(found.trim().split("\n")).toEqual(table);
  const [{ count, seconds }] = ownLimits.password.limits;
  expect(security).toContain(
    `One account may try its current password ${count} times in ${seconds / 60} minutes`,
  );
  const [recovery] = requestLimits.recovery_account;
  expect(security).toContain(
    `${recovery.count} recovery codes in place of one account's password in ${recovery.seconds / 60} minutes`,
  );
  const [code] = ownLimits.code.limits;
  expect(security).toContain(
    `${code.count} codes of an authenticator app in ${code.seconds / 60} minutes`,
  );
});

test("the proxy of the documents lets the largest upload pass", () => {
  expect(numberOf("client_max_body_size", "nginx.conf")).toBeGreaterThan(maxImageMegabytes);
});

/** As the table says it: "5 in 10 minutes", "20 a day". */
function describe({ count, seconds }: { count: number; seconds: number }): string {
  const periods: Record<number, string> = { 60: "a minute", 3600: "an hour", 86400: "a day" };
  const period =
    periods[seconds] ?? (seconds < 60 ? `in ${seconds} seconds` : `in ${seconds / 60} minutes`);
  return `${count.toLocaleString("en-US")} ${period}`;
}

/** How a number with a unit may stand in the code. */
const factors: Record<string, number[]> = {
  MB: [1, 1024 * 1024],
  kB: [1000, 1024],
  megapixels: [1_000_000],
  minutes: [60],
  s: [1, 1000],
};

/** The number after a name in the only file of that name; `a.b` is the entry `b` of the object `a`. */
function numberOf(name: string, file: string): number {
  const paths = sources.filter((source) => `/${source}`.endsWith(`/${file}`));
  const [text = "", ...others] = paths.map((path) => readFileSync(join(root, path), "utf8"));
  const [entry = "", ...objects] = name.split(/\.(?=\w+$)/).reverse();
  const place = [...objects, entry.replaceAll(/[$()*.]/g, "\\$&")].join("\\b[^;}]*?\\b");
  const found = [
    ...text.matchAll(RegExp(`(?<!\\w)${place}\\s*[:=]?\\s*"?(\\d\\w*(?: \\* \\w+)*)`, "g")),
  ];
  expect([name, file, found.length, others]).toEqual([name, file, 1, []]);
  return (found[0]?.[1] ?? "")
    .split(" * ")
    .map((factor) =>
      /^\d/.test(factor) ? Number.parseInt(factor.replaceAll("_", ""), 10) : numberOf(factor, file),
    )
    .reduce((product, factor) => product * factor);
}
