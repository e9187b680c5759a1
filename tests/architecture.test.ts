// Enforces the structure that docs/architecture.md describes.
import { globSync, readFileSync } from "node:fs";
import { dirname, join, matchesGlob } from "node:path/posix";
import { expect, test } from "vitest";

const root = join(import.meta.dirname, "..");
/** Code for both the browser and an Edge Function. */
const shared = "supabase/functions/_shared";
/** What every feature may import. The page's frame and the owners' controls read who is signed in; forms report visits. */
const base = [
  ...["browser", "config", "loading", "ui", "forms", "seo", "supabase", "auth", "visits"].map(
    (name) => `app/${name}`,
  ),
  shared,
];

/**
 * What a folder may import besides itself, npm packages and, in `app/manage/`, the feature that it manages. A folder without an
 * entry is a feature. `*` is any feature.
 */
const mayImport: Record<string, readonly string[]> = {
  [shared]: [],
  supabase: [shared],
  // A package knows nothing of the site.
  packages: [],
  server: ["app/config", "app/supabase", shared],
  "server/embedded": ["server", "packages", "embedded.config.ts", "app/config", shared],
  "app/browser": [],
  "app/config": ["app/browser", shared],
  "app/loading": [],
  "app/ui": ["app/config", "app/loading", shared],
  "app/forms": ["app/browser", "app/ui", shared],
  // Share images load the logo from the bucket.
  "app/seo": ["app/config", "app/supabase", shared],
  "app/supabase": ["app/browser", "app/config", "app/loading"],
  // The composers: root.tsx and the entries, the home page, and what lists the pages of every feature.
  app: [...base, "*"],
  "app/home": [...base, "*"],
  // A page of the owner's own is written like a post; one that is not published is the not-found page.
  "app/pages": [...base, "app/posts", "app/layout"],
  "app/sitemap": [...base, "*"],
  "app/manage": base,
  "app/manage/settings": [
    ...[...base, "app/manage", "app/manage/checks", "app/manage/mail", "app/manage/samples"],
    "app/manage/backups",
  ],
  "app/manage/checks": [...base, "app/manage", "app/manage/account"],
  "app/manage/backups": [...base, "app/manage", "app/manage/account"],
  "app/manage/mail": [...base, "app/manage", "app/manage/account"],
  // The content of posts and pages: its blocks and their editor. Knows nothing of how posts are stored.
  "app/manage/content": [...base, "app/manage", "app/manage/foreign-html", "app/posts"],
  "app/manage/foreign-html": [...base, "app/posts"],
  "app/manage/posts": [...base, "app/manage", "app/manage/content", "app/manage/pages"],
  "app/manage/setup": [
    ...[...base, "app/manage", "app/manage/checks", "app/manage/samples"],
    ...["app/manage/account", "app/manage/mail", "app/manage/settings"],
  ],
  // Posts convert times of the site. An export has the consents and the log of requests.
  "app/manage/archive": [
    ...[...base, "app/manage", "app/manage/posts"],
    ...["app/manage/consents", "app/manage/personal-data"],
  ],
  "app/manage/import": [
    ...[...base, "app/manage", "app/manage/content", "app/manage/foreign-html"],
    ...["app/manage/posts", "app/posts", "app/manage/images"],
  ],
  // The overview shows something of every subject.
  "app/manage/start": [...base, "app/manage", "*"],
};

/** @param now whether the import is executed at load time, unlike type imports and `import()` */
const exceptions: [file: string, target: string, now: boolean][] = [
  // The list of routes, and the list of the owner's pages.
  ["app/routes.ts", "app/manage/manage-pages.ts", true],
  ["app/manage/manage-pages.ts", "app/manage/*/*", false],
  // The navigation counts what waits.
  ["app/manage/manage-layout.tsx", "app/manage/start/waiting.ts", true],
  // The text of a service is loaded after its page is shown.
  ["app/services/service-page.tsx", "app/layout/error-page.tsx", true],
  // The backend is optional: where a hosted project is configured, only its limits of work are loaded.
  ["server/main.ts", "packages/*/src/errors.ts", true],
  ["server/**/*.ts", "packages/*/src/rate-limits/*", true],
  ["server/start-site.ts", "server/embedded/start.ts", false],
  ["server/limits/request-limits.ts", "packages/*/src/**", false],
  // The owner reads the same sentence from the browser and from the server.
  ["server/images/decoding-memory.ts", "app/manage/images/image-size.ts", true],
  // The version is part of the release that the archive names.
  ["server/start-site.ts", "package.json", true],
];

/** Only these files run code when they are imported. */
const entries = [
  ...["app/entry.client.tsx", "app/layout/start-scripts.ts", "server/main.ts"],
  ...["server/images/reduce-image-main.ts", "server/embedded/nightly-backup-main.ts"],
  ...["app/manage/settings/preview-frame.ts", "supabase/functions/*/index.ts"],
  "packages/embedded-supabase/src/functions/bootstrap.ts",
];

/** The maximum number of files in a folder, without tests; 16 by default. Lower it when a folder shrinks. */
const sizes: Record<string, number> = {
  [shared]: 25,
  "app/ui": 25,
  "app/posts": 23,
  "app/config": 20,
  "app/manage": 22,
  "app/manage/content": 17,
  "app/manage/posts": 24,
  "app/manage/settings": 24,
  server: 16,
  "supabase/functions/send-email": 17,
  "packages/embedded-supabase/src": 17,
};

const files = globSync("{app,server,packages/*/src,supabase}/**/*.{ts,tsx}", { cwd: root })
  .filter((file) => !/\.test\.tsx?$/.test(file))
  .map((file) => ({ file, text: readFileSync(join(root, file), "utf8") }));

const importPattern =
  /^(?:import|export)( type)?\b(?:[^"]*?from)? "((?:\.{1,2}|embedded-supabase)\/[^"?]+)|import(\()\s*"((?:\.|embedded-supabase\/)[^"]+)/gm;
const imports = files.flatMap(({ file, text }) =>
  [...text.matchAll(importPattern)].map(([, type, path = "", lazy, later = ""]) => ({
    file,
    target: (path || later).startsWith(".")
      ? join(dirname(file), path || later)
      : join("packages", (path || later).replace("/", "/src/")),
    kind: type ? "type" : lazy ? "lazy" : "now",
  })),
);

/** The folder whose rules a file follows: a subject of `app/manage/`, a folder of `app/`, or a top folder. */
function partOf(path: string): string {
  if (path.startsWith(shared)) return shared;
  const [top = "", folder = "", subject = "", file] = path.split("/");
  if (path.startsWith("server/embedded/")) return "server/embedded";
  if (top !== "app") return top;
  // All subjects may use the image components, and the drafts and versions of all kinds of content.
  if (folder === "manage") {
    return file && !["images", "versions"].includes(subject)
      ? `app/manage/${subject}`
      : "app/manage";
  }
  return subject ? `app/${folder}` : "app";
}

const isFeature = (part: string) => part.startsWith("app/") && !(part in mayImport);

function isAllowed({ file, target, kind }: (typeof imports)[number]): boolean {
  const [from, to] = [partOf(file), partOf(target)];
  if (from === to || target.includes("/+types/")) return true;
  const isException = exceptions.some(
    ([importer, imported, now]) =>
      matchesGlob(file, importer) && matchesGlob(target, imported) && (now || kind !== "now"),
  );
  if (isException) return true;
  const managed = /^app\/manage\/(\w+)/.exec(from)?.[1];
  // A visitor's file may load the owner's part by one `import()`, which the next test counts.
  if (!managed && from !== "app/manage" && to.startsWith("app/manage")) {
    return kind === "lazy" && from.startsWith("app");
  }
  const allowed = mayImport[from] ?? (managed ? [...base, "app/manage"] : base);
  const isOwn = managed !== undefined && to === `app/${managed}`;
  const isAny = allowed.includes("*") && (isFeature(to) || to.startsWith("app/manage/"));
  return isOwn || isAny || allowed.includes(to);
}

test("a folder imports what it may", () => {
  expect(imports.filter((each) => !isAllowed(each))).toEqual([]);
});

test("docs/architecture.md names what the top folders may import", () => {
  const document = readFileSync(join(root, "docs/architecture.md"), "utf8");
  for (const folder of ["server", "server/embedded", "packages"]) {
    const cells = document.split("\n").find((line) => line.startsWith(`| \`${folder}/\` |`));
    const named = [...(cells?.split("|")[3] ?? "").matchAll(/`([^`]+?)\/?`/g)].map(
      ([, name]) => name,
    );
    const others = exceptions.filter(
      ([file, target]) =>
        folder === "server" && file.startsWith("server/") && target.startsWith("packages/"),
    );
    const imported = [
      ...(mayImport[folder] ?? []),
      ...others.flatMap(([file]) => [file, "packages"]),
    ];
    expect(new Set(named)).toEqual(new Set(imported));
  }
});

test("no file needs itself, also not through an import() or a type", () => {
  const targets = Map.groupBy(imports, ({ file }) => file);
  const known = new Map<string, string[]>();
  function circleFrom(file: string, path: string[]): string[] {
    const at = path.indexOf(file);
    if (at >= 0) return path.slice(at);
    const circle = known.get(file) ?? [];
    if (known.has(file)) return circle;
    known.set(file, circle);
    for (const { target } of targets.get(file) ?? []) {
      const found = circleFrom(target, [...path, file]);
      if (found.length > 0) return found;
    }
    return circle;
  }
  expect(files.map(({ file }) => circleFrom(file, [])).filter(({ length }) => length > 0)).toEqual(
    [],
  );
});

test("a visitor's file has at most one door to the owner's part", () => {
  const doors = imports.filter(
    ({ file, target }) => !file.startsWith("app/manage/") && target.startsWith("app/manage/"),
  );
  expect(doors.map(({ file }) => file)).toEqual([...new Set(doors.map(({ file }) => file))]);
});

test("a file says what it holds", () => {
  const vague = /(^|\/)(utils?|helpers?|common|types|misc|index)(\.tsx?|\/)/;
  const names = files.map(({ file }) => file).filter((file) => vague.test(file));
  expect(names.filter((file) => !matchesGlob(file, "supabase/functions/*/index.ts"))).toEqual([]);
});

test("no module acts when it is imported", () => {
  const acting = files.flatMap(({ file, text }) => {
    const lines = text.match(/^(?:(?:await|void|if|for|while|try|new)\b|[\w$.]+\().*/gm) ?? [];
    // A file may set up what it declares.
    const others = lines.filter((line) => !text.includes(`\nconst ${line.split(".")[0]} =`));
    return entries.some((entry) => matchesGlob(file, entry))
      ? []
      : others.map((line) => [file, line]);
  });
  expect(acting).toEqual([]);
});

test("what a browser may deny is reached through app/browser/ alone", () => {
  const denied =
    /\b(localStorage|sessionStorage|indexedDB|BroadcastChannel|SharedWorker|cookieStore|caches)\b|\bdocument\.cookie\b|\bnavigator\.(?!onLine\b)\w+/g;
  const uses = files.flatMap(({ file, text }) => {
    const code = text.replace(/\/\*[\s\S]*?\*\/|(?<!:)\/\/.*/g, "");
    return [...code.matchAll(denied)].map(([use]) => [file, use]);
  });
  const inApp = uses.filter(([file]) => file?.startsWith("app/"));
  expect(inApp.filter(([file]) => partOf(file ?? "") !== "app/browser")).toEqual([]);
  expect(new Set(inApp.map(([, use]) => use))).toEqual(
    new Set(["localStorage", "sessionStorage", "BroadcastChannel", "navigator.clipboard"]),
  );
});

test("a folder stays small enough to know", () => {
  const counts = Map.groupBy(files, ({ file }) => dirname(file));
  const large = [...counts].filter(([folder, { length }]) => length > (sizes[folder] ?? 16));
  expect(large.map(([folder, { length }]) => [folder, length])).toEqual([]);
});

test("a subject of the site has at most 5,000 lines", () => {
  const subjects = Map.groupBy(files, ({ file }) => partOf(file));
  const lines = [...subjects].map(([subject, all]) => ({
    subject,
    count: all.reduce((sum, { text }) => sum + text.split("\n").length - 1, 0),
  }));
  expect(lines.filter(({ subject, count }) => subject.startsWith("app/") && count > 5000)).toEqual(
    [],
  );
});

/** What these do takes time: they measure, kill at random moments, or flood. */
const timed = ["tests/long/{kill,hostile-load,process-end}.test.ts", "tests/long/quiet/*.test.ts"];

test("a test waits for a condition, never for a time or a quiet network, and for longer than a second", () => {
  const tests = globSync(
    "{app,server,packages,supabase,scripts,tests}/**/*.{test.ts,test.tsx,spec.ts}",
    {
      cwd: root,
      exclude: ["**/node_modules/**"],
    },
  );
  expect(tests.length).toBeGreaterThan(200);
  const waiting = tests.flatMap((file) => {
    if (timed.some((pattern) => matchesGlob(file, pattern))) return [];
    const found = readFileSync(join(root, file), "utf8").match(
      /\bwaitForTimeout\(|["']networkidle["']|\bsetTimeout\b.* from "node:timers\/promises"|(?<![.\w])setTimeout\(\w+, (?!0\b).*|\bvi\.waitFor\((?!.*patience).*\);/g,
    );
    return (found ?? []).map((line) => [file, line]);
  });
  expect(waiting).toEqual([]);
});
