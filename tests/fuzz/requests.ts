// The requests of the fuzz run: almost valid ones, for every endpoint of the site.
import fc from "fast-check";
import type { RawRequest } from "./raw-request.ts";

/** The credentials of a running site. */
export interface Keys {
  anonKey: string;
  secretKey: string;
  ownerToken: string;
}

export interface FuzzRequest extends RawRequest {
  endpoint: string;
}

const pick = fc.constantFrom;
const rarely = <T>(usual: fc.Arbitrary<T>, unusual: fc.Arbitrary<T>) =>
  fc.oneof({ arbitrary: usual, weight: 4 }, { arbitrary: unusual, weight: 1 });
const list = <T>(item: fc.Arbitrary<T>, maxLength: number) => fc.array(item, { maxLength });

const uuid = "5b1e0c9e-8a53-4c5c-9a8d-0d3f3f6a9a11";

/** Values that break parsers, databases and file systems. */
const hostileValue = pick(
  ...[
    "",
    "0",
    "-1",
    "null",
    "undefined",
    "NaN",
    "Infinity",
    "true",
    "[]",
    "{}",
    "()",
    "''",
    '"',
    "'",
  ],
  ...["__proto__", "constructor", "prototype", "toString", "hasOwnProperty", "then"],
  ...["9".repeat(400), "1e309", "99999999999999999999", "-9223372036854775809", "0x10", "1.5"],
  ...["\\", "\\u0000", "%00", "%", "%zz", "%E0%A4%A", "%C0%AF", "%FF%FE", "%2e%2e%2f", "%25%30%30"],
  ...[
    "../../../etc/passwd",
    "..%2f..%2fetc%2fpasswd",
    "....//",
    "/",
    "//",
    "//evil.example",
    "?",
    "#",
  ],
  ...["'; drop table posts; --", "1 or 1=1", "{{7*7}}", "<script>alert(1)</script>"],
  ...["\u202e", "\ud800", "\u0000", "\u00ff\u00fe", "\u{1f600}", "é", "退職計画", "a".repeat(5000)],
  ...["not-a-uuid", uuid, uuid.toUpperCase(), "2026-01-01", "infinity", "epoch", "9999999-01-01"],
);
const hostileText = fc.oneof(
  { arbitrary: hostileValue, weight: 5 },
  { arbitrary: fc.string({ maxLength: 40 }), weight: 2 },
  { arbitrary: fc.string({ unit: "binary", maxLength: 20 }), weight: 1 },
  { arbitrary: fc.integer().map(String), weight: 1 },
  { arbitrary: fc.double().map(String), weight: 1 },
);
/** Usually escaped as by a client, sometimes raw. A line break would start another header. */
const inPath = fc
  .tuple(hostileText, fc.integer({ min: 0, max: 3 }))
  .map(([text, kind]) => (kind === 0 ? rawInLine(text).replaceAll(" ", "+") : asComponent(text)));
const inHeader = hostileText.map(rawInLine);

function rawInLine(text: string): string {
  return text.replace(/[\r\n]/g, "");
}

function asComponent(text: string): string {
  return encodeURIComponent(text.toWellFormed());
}

const method = rarely(
  pick("GET", "GET", "GET", "GET", "HEAD", "POST", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"),
  pick("TRACE", "CONNECT", "PROPFIND", "SEARCH", "LINK", "get", "FOO", "QUERY"),
);

const readingMethod = rarely(pick("GET", "GET", "GET", "HEAD"), method);

const commonHeader = fc.oneof(
  fc.tuple(
    pick("Accept-Encoding"),
    pick("", "*", "br;q=0", "gzip;q=NaN", "identity;q=0, *;q=0", "x,,;"),
  ),
  fc.tuple(
    pick("Accept", "Accept-Language", "User-Agent", "Cookie", "Referer", "Origin"),
    inHeader,
  ),
  fc.tuple(pick("Range", "If-Range", "If-None-Match", "If-Modified-Since", "If-Match"), inHeader),
  fc.tuple(
    pick("Range"),
    pick("bytes=0-", "bytes=-1", "bytes=9-1", "bytes=0-0,2-2", "0-", "0-9", "9-1", "-5"),
  ),
  fc.tuple(
    pick("X-Forwarded-For", "X-Forwarded-Host", "X-Forwarded-Proto", "Forwarded", "Host"),
    inHeader,
  ),
  fc.tuple(pick("Content-Encoding"), pick("gzip", "br", "identity", "nonsense")),
  fc.tuple(pick("Content-Length"), pick("0", "5", "-1", "abc", "99999999999999999999")),
  fc.tuple(pick("Transfer-Encoding"), pick("chunked", "gzip, chunked", "identity", "nonsense")),
  fc.tuple(pick("Expect"), pick("100-continue", "nonsense")),
  fc.tuple(pick("Upgrade"), pick("websocket", "h2c", "nonsense")),
  fc.tuple(pick("X-Http-Method-Override"), pick("DELETE", "TRACE")),
  fc.tuple(pick("X-Long"), pick("a".repeat(7000), "a".repeat(20_000))),
);
const commonHeaders = fc.oneof(
  { arbitrary: fc.constant([]), weight: 2 },
  { arbitrary: list(commonHeader, 3), weight: 1 },
);

const json = fc.oneof(
  fc.json({ maxDepth: 4 }),
  fc.dictionary(hostileText, hostileText, { maxKeys: 5 }).map((value) => JSON.stringify(value)),
  pick(
    "",
    "{",
    "[",
    "null",
    "[]",
    "{}",
    "[[]]",
    "[{}]",
    "[null]",
    '"x"',
    "1e999",
    '{"a":1}garbage',
  ),
  pick(
    '{"__proto__":{"x":1}}',
    '{"constructor":{"prototype":1}}',
    "\ufeff{}",
    "\u00ff\u00fe\u00fd",
  ),
  pick("[".repeat(60), "[".repeat(5000), `${'{"a":'.repeat(2000)}1${"}".repeat(2000)}`),
  pick('{"name":"\\u0000","content":"\\ud800","rating":1e400}', `{"a":"${"b".repeat(70_000)}"}`),
);
const contentType = rarely(
  pick("application/json"),
  pick(
    ...["text/plain", "text/csv", "application/x-www-form-urlencoded", "multipart/form-data", ""],
    ...[
      "multipart/form-data; boundary=x",
      "application/json; charset=utf-16",
      "application/octet-stream",
    ],
    ...["application/vnd.pgrst.object+json", "application/json, text/csv", "/", ";;;"],
  ),
);

function credentials({ anonKey, secretKey, ownerToken }: Keys) {
  const oddToken = fc.oneof(pick(secretKey, `${ownerToken}x`, "a.b.c", "..", ""), inHeader);
  const token = fc.option(
    fc.oneof(
      { arbitrary: pick(ownerToken, ownerToken, anonKey), weight: 20 },
      { arbitrary: oddToken, weight: 1 },
    ),
  );
  const apiKey = fc.option(
    fc.oneof(
      { arbitrary: fc.constant(anonKey), weight: 20 },
      { arbitrary: fc.oneof(fc.constant(secretKey), inHeader), weight: 1 },
    ),
    { freq: 20 },
  );
  return fc
    .tuple(apiKey, token)
    .map(([key, bearer]) => [
      ...(key === null ? [] : [["apikey", key] as const]),
      ...(bearer === null ? [] : [["Authorization", `Bearer ${bearer}`] as const]),
    ]);
}

/** `?a=b&a=c…` */
function query(parameter: fc.Arbitrary<readonly [string, string]>) {
  return list(parameter, 3).map((pairs) =>
    pairs.length === 0 ? "" : `?${pairs.map(([name, value]) => `${name}=${value}`).join("&")}`,
  );
}

const anyPair = fc.tuple(inPath, inPath);

const pagePath = fc.oneof(
  pick("/", "/services", "/blog", "/testimonials", "/savings-calculator", "/contact", "/login"),
  pick("/forgot-password", "/confirm", "/blog/new", "/blog/new/edit", "/favicon.svg", "/assets/"),
  pick("/sitemap.xml", "/robots.txt", "/rss.xml", "/atom.xml", "/sitemap/posts-1.xml"),
  pick("/share/home.png", "/share/blog/x.png"),
  pick("/_root.data", "/_.data", "/blog.data", "/services/x.data", "/__manifest", "/*", "*"),
  pick(
    "/index.html",
    "/assets/../../server/index.js",
    "/.env",
    "/%2e%2e/%2e%2e/etc/passwd",
    "//x.example/",
  ),
  fc
    .tuple(
      pick("/blog/", "/services/", "/assets/", "/", "/share/", "/share/blog/", "/sitemap/"),
      inPath,
    )
    .map((parts) => parts.join("")),
  fc.tuple(pick("/blog/", "/services/", "/"), inPath).map((parts) => `${parts.join("")}.data`),
  fc
    .tuple(pick("/blog/"), inPath, pick("/edit", "/edit/", "/../.."))
    .map((parts) => parts.join("")),
);
const pageQuery = query(
  fc.oneof(
    anyPair,
    fc.tuple(pick("page", "_routes", "index", "p", "paths", "version", "_data"), inPath),
  ),
);

const column = rarely(
  pick("id", "id", "slug", "title", "content", "created_at", "related_services", "image_url"),
  fc.oneof(pick("rating", "name", "email", "role"), inPath),
);
const operator = rarely(
  pick(
    "eq",
    "neq",
    "gt",
    "gte",
    "lt",
    "like",
    "ilike",
    "match",
    "in",
    "is",
    "cs",
    "cd",
    "ov",
    "fts",
    "sl",
  ),
  pick(
    "not.eq",
    "not.in",
    "wfts(english)",
    "like(any)",
    "eq(all)",
    "isdistinct",
    "adj",
    "nxl",
    "x",
    "",
  ),
);
const filterValue = fc.oneof(
  inPath,
  pick(
    "(1,2)",
    "(",
    "()",
    "{a}",
    "{",
    "[1,2)",
    "[",
    "*",
    "%25",
    '("a,b")',
    "null",
    "unknown",
    "not_null",
  ),
);
const filter = fc.tuple(
  column,
  fc.tuple(operator, filterValue).map((parts) => parts.join(".")),
);
const restParameter = fc.oneof(
  filter,
  fc.tuple(
    pick("select"),
    fc.oneof(
      column,
      pick(
        "*",
        "",
        "*,*",
        "id,title",
        "count()",
        "id.count()",
        "title::int",
        "content->0->>text",
        "x:id",
      ),
      pick(
        "*,testimonials(*)",
        "posts(posts(posts(posts(*))))",
        "...posts(*)",
        "a(b(c(d(e(f))))",
        "(",
        ")",
      ),
      pick("id".concat(",id".repeat(500)), "posts(".repeat(200), "content->>".repeat(100)),
    ),
  ),
  fc.tuple(
    pick("order"),
    fc.oneof(
      column,
      pick("id.asc", "id.desc.nullsfirst", "x.y.z", "content->a.desc", ",", "id.sideways"),
    ),
  ),
  fc.tuple(
    pick("limit", "offset"),
    fc.oneof(inPath, pick("0", "1", "1000000", "-1", "1e3", "2147483648")),
  ),
  fc.tuple(pick("on_conflict", "columns", "apikey"), column),
  fc.tuple(
    pick("or", "and", "not.or", "not.and"),
    fc.oneof(
      inPath,
      pick("(id.eq.1,title.eq.x)", "(", "()", "(or(and(or(", "(id.eq.1", "(id.not.is.null)"),
      pick(`${"(or".repeat(300)}`, `(${"and(".repeat(100)}id.eq.1${")".repeat(101)}`),
    ),
  ),
  anyPair,
);
const restPath = rarely(
  pick("posts", "posts", "posts", "testimonials", "contact_messages", "rpc/is_owner"),
  fc.oneof(
    pick("", "rpc", "rpc/", "rpc/make_owner", "private.people", "pg_catalog.pg_user"),
    inPath,
  ),
);
const restHeader = fc.oneof(
  fc.tuple(
    pick("Prefer"),
    fc.oneof(
      pick(
        "return=representation",
        "return=minimal",
        "count=exact",
        "count=planned",
        "count=estimated",
      ),
      pick("resolution=merge-duplicates", "resolution=ignore-duplicates,return=representation"),
      pick(
        "missing=default",
        "tx=rollback",
        "handling=strict,foo",
        "max-affected=1",
        "handling=strict",
      ),
      inHeader,
    ),
  ),
  fc.tuple(pick("Range"), rarely(pick("0-9", "0-", "5-1", "-5", "1000000-2000000"), inHeader)),
  fc.tuple(pick("Range-Unit"), pick("items", "bytes", "")),
  fc.tuple(
    pick("Accept-Profile", "Content-Profile"),
    rarely(pick("public", "private", "auth"), inHeader),
  ),
  fc.tuple(
    pick("Accept"),
    pick(
      "application/vnd.pgrst.object+json",
      "text/csv",
      "application/vnd.pgrst.plan",
      "image/png",
      "*/*",
    ),
  ),
);
/** A row that is valid except for a field or two. */
function nearlyValid(valid: Record<string, unknown>) {
  const field = pick(...Object.keys(valid), "created_at", "unknown");
  const value = fc.oneof(hostileText, fc.jsonValue({ maxDepth: 3 }), fc.double());
  return list(fc.tuple(field, value), 2).map((changes) =>
    JSON.stringify({ ...valid, ...Object.fromEntries(changes) }),
  );
}
const row = fc.oneof(
  fc.uuid().chain((id) => {
    const post = { title: "A title", category: "Testing", author: "Ada Author", content: [] };
    return nearlyValid({
      ...post,
      id,
      slug: id,
      tagline: "",
      alt: "",
      related_services: [],
      image_url: "/x",
    });
  }),
  fc
    .uuid()
    .chain((id) => nearlyValid({ id, name: "Ada", role: null, content: "Clear.", rating: 5 })),
);
const message = nearlyValid({
  name: "Ada",
  email: "ada@example.com",
  phone: "555 0100",
  message: "How much cover do I need?",
});

const authPath = rarely(
  pick(
    ...[
      "token?grant_type=refresh_token",
      "token?grant_type=pkce",
      "token?grant_type=id_token",
      "token",
    ],
    ...[
      "token?grant_type=password",
      "signup",
      "recover",
      "verify",
      "user",
      "logout",
      "settings",
      "health",
    ],
    ...["verify?type=recovery&token=x", "verify?type=signup&token_hash=x", "logout?scope=others"],
  ),
  fc.oneof(
    pick("", "admin/users", "otp", "magiclink", "invite", "authorize?provider=x", "sso"),
    inPath,
  ),
);
const authBody = fc.oneof(
  json,
  fc
    .record(
      {
        email: fc.oneof(pick("nobody@example.com", "a@b", "x".repeat(300)), hostileText),
        password: hostileText,
        refresh_token: hostileText,
        token: hostileText,
        token_hash: hostileText,
        type: rarely(pick("recovery", "signup", "email"), hostileText),
        data: fc.jsonValue({ maxDepth: 2 }),
        code_challenge: hostileText,
        gotrue_meta_security: fc.jsonValue({ maxDepth: 1 }),
      },
      { requiredKeys: [] },
    )
    .map((value) => JSON.stringify(value)),
);

const storagePath = rarely(
  fc
    .oneof(
      fc.tuple(
        pick("object/images/", "object/public/images/", "object/authenticated/images/"),
        inPath,
      ),
      fc.tuple(pick("object/images/public/", "object/", "bucket/", "object/list/"), inPath),
      fc.tuple(
        pick("object/list/images", "object/images", "bucket", "object/copy", "object/move"),
        pick("", "/"),
      ),
    )
    .map((parts) => parts.join("")),
  inPath,
);
const storageHeader = fc.oneof(
  fc.tuple(pick("x-upsert"), pick("true", "false", "x")),
  fc.tuple(pick("Cache-Control"), inHeader),
  fc.tuple(
    pick("Range"),
    pick("bytes=0-0", "bytes=5-", "bytes=-1", "bytes=a-b", "bytes=99999999999-"),
  ),
  fc.tuple(pick("Content-Type"), pick("image/gif", "image/png", "text/html", "image/svg+xml")),
);
const storageBody = fc.oneof(
  json,
  fc
    .record(
      {
        prefix: hostileText,
        limit: fc.double(),
        offset: fc.integer(),
        search: hostileText,
        sortBy: fc.jsonValue(),
      },
      { requiredKeys: [] },
    )
    .map((value) => JSON.stringify(value)),
  fc
    .record({ prefixes: fc.array(hostileText, { maxLength: 4 }) })
    .map((value) => JSON.stringify(value)),
  pick("GIF89a\u0001\u0000\u0001\u0000", "\u0089PNG\r\n\u001a\n", "--x\r\n\r\n--x--", "--x"),
  pick('--x\r\nContent-Disposition: form-data; name=""; filename="a"\r\n\r\nGIF89a\r\n--x--\r\n'),
  pick(
    `--x\r\n${"A: b\r\n".repeat(500)}\r\n`,
    '--x\r\nContent-Disposition: form-data; name="\u0000',
  ),
);

const functionPath = rarely(
  pick("send-email", "send-email/", "send-email/deliver", "send-email?x=%00"),
  fc.oneof(pick("", "..", "send-email/../../x", "__proto__"), inPath),
);
const realtimeQuery = (anonKey: string) =>
  fc.oneof(
    { arbitrary: fc.constant(`?apikey=${anonKey}&vsn=2.0.0`), weight: 3 },
    {
      arbitrary: query(
        fc.tuple(pick("apikey", "vsn", "log_level", "x"), rarely(pick(anonKey, "2.0.0"), inPath)),
      ),
      weight: 1,
    },
  );
const upgradeHeaders = fc.tuple(
  rarely(pick("websocket"), inHeader),
  rarely(pick("dGhlIHNhbXBsZSBub25jZQ=="), inHeader),
  rarely(pick("13"), pick("8", "0", "x", "999")),
  list(
    fc.oneof(
      fc.tuple(pick("Sec-WebSocket-Protocol", "Sec-WebSocket-Extensions", "Origin"), inHeader),
      fc.constant(["Sec-WebSocket-Extensions", "permessage-deflate"] as [string, string]),
    ),
    2,
  ),
);
const joinText = fc
  .tuple(
    hostileText,
    hostileText,
    pick("phx_join", "phx_leave", "access_token", "heartbeat", "broadcast", "x"),
    fc.jsonValue(),
  )
  .chain(([topic, ref, event, payload]) =>
    pick(
      JSON.stringify([ref, ref, `realtime:${topic}`, event, payload]),
      JSON.stringify([
        ...["1", "1", "realtime:x", "phx_join"],
        { config: { postgres_changes: [{ event: "*", schema: "public", table: topic }] } },
      ]),
    ),
  );
const frames = fc.oneof(
  fc.string({
    unit: fc.integer({ min: 0, max: 255 }).map((byte) => String.fromCharCode(byte)),
    maxLength: 200,
  }),
  list(fc.oneof(joinText, json, hostileText), 4).map((texts) => texts.map(maskedFrame).join("")),
);

/** A client's text frame, masked with zeros, each character one byte. */
function maskedFrame(text: string): string {
  const payload = Buffer.from(text, "utf8").toString("latin1");
  const { length } = payload;
  const size =
    length < 126
      ? String.fromCharCode(0x80 | length)
      : `\u00fe${String.fromCharCode((length >> 8) & 255, length & 255)}`;
  return length > 65_535 ? "" : `\u0081${size}\0\0\0\0${payload}`;
}

interface Shape {
  endpoint: string;
  path: fc.Arbitrary<string>;
  methods?: fc.Arbitrary<string>;
  headers?: fc.Arbitrary<(readonly [string, string])[]>;
  body?: fc.Arbitrary<string>;
}

/** Requests for every endpoint of a running site. */
export function fuzzRequests(keys: Keys): fc.Arbitrary<FuzzRequest> {
  const authorized = (header: fc.Arbitrary<readonly [string, string]>, count: number) =>
    fc.tuple(credentials(keys), list(header, count)).map((parts) => parts.flat());

  const pages = shape({
    endpoint: "pages",
    methods: readingMethod,
    path: fc.tuple(pagePath, pageQuery).map((p) => p.join("")),
  });
  const rest = shape({
    endpoint: "rest",
    path: fc.tuple(restPath, query(restParameter)).map((parts) => `/rest/v1/${parts.join("")}`),
    headers: authorized(restHeader, 3),
    body: fc.oneof(
      json,
      row,
      fc.array(row, { maxLength: 3 }).map((rows) => `[${rows.join()}]`),
    ),
  });
  const auth = shape({
    endpoint: "auth",
    path: authPath.map((path) => `/auth/v1/${path}`),
    methods: rarely(pick("POST", "POST", "GET", "PUT"), method),
    headers: authorized(fc.tuple(pick("redirect_to", "x-client-info"), inHeader), 1),
    body: authBody,
  });
  const storage = shape({
    endpoint: "storage",
    path: storagePath.map((path) => `/storage/v1/${path}`),
    headers: authorized(storageHeader, 2),
    body: storageBody,
  });
  const functions = shape({
    endpoint: "functions",
    path: functionPath.map((path) => `/functions/v1/${path}`),
    methods: rarely(pick("POST"), method),
    headers: authorized(fc.tuple(pick("idempotency-key", "x-client-info"), inHeader), 1),
    body: fc.oneof(message, json),
  });
  const health = shape({
    endpoint: "health",
    methods: readingMethod,
    path: fc
      .tuple(pick("/healthz", "/healthz/live", "/healthz/ready", "/healthz/x"), query(anyPair))
      .map((p) => p.join("")),
  });
  const realtime = fc
    .tuple(
      rarely(
        pick("/realtime/v1/websocket"),
        pick("/realtime/v1/", "/realtime/v1", "/realtime/v1/websocket/%00", "/blog"),
      ),
      realtimeQuery(keys.anonKey),
      upgradeHeaders,
      frames,
    )
    .map(
      ([path, search, [upgrade, key, version, others], sent]): FuzzRequest => ({
        endpoint: "realtime",
        method: "GET",
        path: path + search,
        headers: [
          ["Connection", "Upgrade"],
          ["Upgrade", upgrade],
          ["Sec-WebSocket-Key", key],
          ["Sec-WebSocket-Version", version],
          ...others,
        ],
        body: "",
        frames: sent,
      }),
    );

  return fc.oneof(
    { arbitrary: pages, weight: 5 },
    { arbitrary: rest, weight: 8 },
    { arbitrary: auth, weight: 3 },
    { arbitrary: storage, weight: 3 },
    { arbitrary: functions, weight: 2 },
    { arbitrary: realtime, weight: 2 },
    { arbitrary: health, weight: 1 },
  );
}

/**
 * The same address in another spelling: letters percent-encoded, parameters repeated or reordered.
 */
function respelled(path: fc.Arbitrary<string>): fc.Arbitrary<string> {
  return fc
    .tuple(path, pick("encode", "repeat", "reverse", "double slash"), fc.nat(20))
    .map(([text, how, offset]) => {
      if (how === "encode") return encodeSome(text, offset);
      if (how === "double slash") return text.replace("/", "//");
      const [address = "", ...parameters] = text.split(/[?&]/);
      const search = how === "repeat" ? [...parameters, ...parameters] : parameters.toReversed();
      return search.length > 0 ? `${address}?${search.join("&")}` : address;
    });
}

/** Percent-encodes every fifth letter. */
function encodeSome(text: string, offset: number): string {
  return text.replace(/[a-z_]/gi, (letter, position: number) =>
    (position + offset) % 5 === 0 ? `%${letter.charCodeAt(0).toString(16)}` : letter,
  );
}

function shape({ endpoint, path, methods, headers, body }: Shape): fc.Arbitrary<FuzzRequest> {
  return fc
    .record({
      method: methods ?? method,
      path: rarely(
        path,
        fc.oneof(
          path.map((text) => text.slice(0, 200)),
          respelled(path),
        ),
      ),
      headers: fc
        .tuple(
          headers ?? fc.constant([]),
          commonHeaders,
          contentType.map((type) => [["Content-Type", type] as const]),
        )
        .map((parts) => parts.flat()),
      body: fc.oneof(fc.constant(""), body ?? fc.oneof(json, hostileText)),
    })
    .map((request) => ({ endpoint, ...request }));
}
