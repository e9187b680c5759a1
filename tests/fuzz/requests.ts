// The requests of the fuzz run: slightly invalid requests for every endpoint of the site.
import fc from "fast-check";
import type { RawRequest } from "./raw-request.ts";

/** The credentials of a running site. */
export interface Keys {
  anonKey: string;
  secretKey: string;
  ownerToken: string;
}

type Text = fc.Arbitrary<string>;
type Pair = fc.Arbitrary<readonly [name: string, value: string]>;

const pick = fc.constantFrom;
const words = (text: string) => pick(...text.trim().split(/\s+/));
const rarely = <T>(usual: fc.Arbitrary<T>, unusual: fc.Arbitrary<T>) =>
  fc.oneof({ arbitrary: usual, weight: 4 }, { arbitrary: unusual, weight: 1 });
const list = <T>(item: fc.Arbitrary<T>, maxLength: number) => fc.array(item, { maxLength });
const join = (...parts: Text[]) => fc.tuple(...parts).map((texts) => texts.join(""));
const asJson = (value: fc.Arbitrary<unknown>) => value.map((it) => JSON.stringify(it));

const uuid = "5b1e0c9e-8a53-4c5c-9a8d-0d3f3f6a9a11";

/** Values that break parsers, databases and file systems. */
const hostileValue = fc.oneof(
  words(`0 -1 null undefined NaN Infinity true [] {} () '' " ' __proto__ constructor prototype
    toString hasOwnProperty then 1e309 99999999999999999999 -9223372036854775809 0x10 1.5
    \\ \\u0000 %00 % %zz %E0%A4%A %C0%AF %FF%FE %2e%2e%2f %25%30%30
    ../../../etc/passwd ..%2f..%2fetc%2fpasswd ....// / // //evil.example ? #
    {{7*7}} <script>alert(1)</script> not-a-uuid ${uuid} ${uuid.toUpperCase()}
    2026-01-01 infinity epoch 9999999-01-01 é 退職計画 \u{1f600} \u202e`),
  pick("", "'; drop table posts; --", "1 or 1=1", "\ud800", "\u0000", "\u00ff\u00fe"),
  pick("9".repeat(400), "a".repeat(5000)),
);
const hostileText = fc.oneof(
  { arbitrary: hostileValue, weight: 5 },
  { arbitrary: fc.string({ maxLength: 40 }), weight: 2 },
  { arbitrary: fc.string({ unit: "binary", maxLength: 20 }), weight: 1 },
  { arbitrary: fc.integer().map(String), weight: 1 },
  { arbitrary: fc.double().map(String), weight: 1 },
);
/** Removes line breaks, which would start another header. */
const inHeader = hostileText.map((text) => text.replace(/[\r\n]/g, ""));
/** Mostly escapes the text as a client does, sometimes sends it raw. */
const inPath = fc.oneof(
  { arbitrary: hostileText.map((text) => encodeURIComponent(text.toWellFormed())), weight: 3 },
  { arbitrary: inHeader.map((text) => text.replaceAll(" ", "+")), weight: 1 },
);

/** One of these names, with one of its own values or a hostile one. */
function named(valuesByName: Record<string, Text | null>, hostile: Text): Pair {
  return fc.oneof(
    ...Object.entries(valuesByName).map(([name, values]) =>
      fc.tuple(fc.constant(name), values ? fc.oneof(values, hostile) : hostile),
    ),
  );
}

/** `?a=b&a=c…` */
function query(parameter: Pair): Text {
  return list(parameter, 3).map((pairs) =>
    pairs.length === 0 ? "" : `?${pairs.map((pair) => pair.join("=")).join("&")}`,
  );
}

const anyParameter: Pair = fc.tuple(inPath, inPath);

const method = rarely(
  words("GET GET GET GET HEAD POST POST PUT PATCH DELETE OPTIONS"),
  words("TRACE CONNECT PROPFIND SEARCH LINK get FOO QUERY"),
);
const readingMethod = rarely(words("GET GET GET HEAD"), method);

const commonHeader = named(
  {
    "Accept-Encoding": pick("", "*", "br;q=0", "gzip;q=NaN", "identity;q=0, *;q=0", "x,,;"),
    ...{ Accept: null, "Accept-Language": null, "User-Agent": null, Cookie: null, Referer: null },
    ...{ Origin: null, Host: null, Forwarded: null, "If-None-Match": null, "If-Match": null },
    ...{ "If-Range": null, "If-Modified-Since": null },
    ...{ "X-Forwarded-For": null, "X-Forwarded-Host": null, "X-Forwarded-Proto": null },
    Range: words("bytes=0- bytes=-1 bytes=9-1 bytes=0-0,2-2 0- 0-9 9-1 -5"),
    "Content-Encoding": words("gzip br identity nonsense"),
    "Content-Length": words("0 5 -1 abc 99999999999999999999"),
    "Transfer-Encoding": pick("chunked", "gzip, chunked", "identity", "nonsense"),
    Expect: words("100-continue nonsense"),
    Upgrade: words("websocket h2c nonsense"),
    "X-Http-Method-Override": words("DELETE TRACE"),
    "X-Long": pick("a".repeat(7000), "a".repeat(20_000)),
  },
  inHeader,
);

const contentType = rarely(
  pick("application/json"),
  fc.oneof(
    words(`text/plain text/csv application/x-www-form-urlencoded multipart/form-data / ;;;
      application/octet-stream application/vnd.pgrst.object+json`),
    pick("", "multipart/form-data; boundary=x", "application/json; charset=utf-16"),
    pick("application/json, text/csv"),
  ),
);

const json = fc.oneof(
  fc.json({ maxDepth: 4 }),
  asJson(fc.dictionary(hostileText, hostileText, { maxKeys: 5 })),
  words(`{ [ null [] {} [[]] [{}] [null] "x" 1e999 {"a":1}garbage
    {"__proto__":{"x":1}} {"constructor":{"prototype":1}}`),
  pick("", "\ufeff{}", "\u00ff\u00fe\u00fd", "[".repeat(60), "[".repeat(5000)),
  pick(`${'{"a":'.repeat(2000)}1${"}".repeat(2000)}`, `{"a":"${"b".repeat(70_000)}"}`),
  pick('{"name":"\\u0000","content":"\\ud800","rating":1e400}'),
);

/** An object with some of these fields. */
function someOf(fields: Record<string, fc.Arbitrary<unknown>>): Text {
  return asJson(fc.record(fields, { requiredKeys: [] }));
}

/** An object whose fields are valid except for one or two. */
function nearlyValid(valid: Record<string, unknown>): Text {
  const field = pick(...Object.keys(valid), "created_at", "unknown");
  const value = fc.oneof(hostileText, fc.jsonValue({ maxDepth: 3 }), fc.double());
  return asJson(
    list(fc.tuple(field, value), 2).map((changes) => ({
      ...valid,
      ...Object.fromEntries(changes),
    })),
  );
}

function credentials({ anonKey, secretKey, ownerToken }: Keys): fc.Arbitrary<string[][]> {
  const oddToken = fc.oneof(pick(secretKey, `${ownerToken}x`, "a.b.c", "..", ""), inHeader);
  const usually = <T>(usual: fc.Arbitrary<T>, odd: fc.Arbitrary<T>) =>
    fc.oneof({ arbitrary: usual, weight: 20 }, { arbitrary: odd, weight: 1 });
  const token = usually(pick(ownerToken, ownerToken, anonKey), oddToken);
  const apiKey = usually(fc.constant(anonKey), fc.oneof(fc.constant(secretKey), inHeader));
  return fc
    .tuple(fc.option(apiKey, { freq: 20 }), fc.option(token))
    .map(([key, bearer]) => [
      ...(key === null ? [] : [["apikey", key]]),
      ...(bearer === null ? [] : [["Authorization", `Bearer ${bearer}`]]),
    ]);
}

const pagePath = fc.oneof(
  words(`/ /services /blog /testimonials /savings-calculator /contact /login /forgot-password
    /confirm /blog/new /blog/new/edit /favicon.svg /assets/ /sitemap.xml /robots.txt /rss.xml
    /atom.xml /sitemap/posts-1.xml /share/home.png /share/blog/x.png /_root.data /_.data /blog.data
    /services/x.data /__manifest /* * /index.html /assets/../../server/index.js /.env
    /%2e%2e/%2e%2e/etc/passwd //x.example/`),
  join(words("/blog/ /services/ /assets/ / /share/ /share/blog/ /sitemap/"), inPath),
  join(words("/blog/ /services/ /"), inPath, pick(".data")),
  join(pick("/blog/"), inPath, words("/edit /edit/ /../..")),
);
const pageParameter = named(
  { page: null, _routes: null, index: null, p: null, paths: null, version: null, _data: null },
  inPath,
);

const column = rarely(
  words("id id slug title content created_at related_services image_url"),
  fc.oneof(words("rating name email role"), inPath),
);
const operator = rarely(
  words("eq neq gt gte lt like ilike match in is cs cd ov fts sl"),
  fc.oneof(
    words("not.eq not.in wfts(english) like(any) eq(all) isdistinct adj nxl x"),
    fc.constant(""),
  ),
);
const filterValue = fc.oneof(
  inPath,
  words(`(1,2) ( () {a} { [1,2) [ * %25 ("a,b") null unknown not_null`),
);
const logic = fc.oneof(
  words("(id.eq.1,title.eq.x) ( () (or(and(or( (id.eq.1 (id.not.is.null)"),
  pick("(or".repeat(300), `(${"and(".repeat(100)}id.eq.1${")".repeat(101)}`),
);
const restParameter = fc.oneof(
  fc.tuple(column, join(operator, pick("."), filterValue)),
  named(
    {
      select: fc.oneof(
        column,
        words(`* *,* id,title count() id.count() title::int content->0->>text x:id
          *,testimonials(*) posts(posts(posts(posts(*)))) ...posts(*) a(b(c(d(e(f)))) ( )`),
        pick("", "id".concat(",id".repeat(500)), "posts(".repeat(200), "content->>".repeat(100)),
      ),
      order: fc.oneof(
        column,
        words("id.asc id.desc.nullsfirst x.y.z content->a.desc , id.sideways"),
      ),
      limit: words("0 1 1000000 -1 1e3 2147483648"),
      offset: words("0 1 1000000 -1 1e3 2147483648"),
      ...{ on_conflict: column, columns: column, apikey: column },
      ...{ or: logic, and: logic, "not.or": logic, "not.and": logic },
    },
    inPath,
  ),
  anyParameter,
);
const restPath = rarely(
  words("posts posts posts testimonials contact_messages rpc/is_owner"),
  fc.oneof(words("rpc rpc/ rpc/make_owner private.people pg_catalog.pg_user"), inPath),
);
const profile = words("public private auth");
const restHeader = named(
  {
    Prefer: words(`return=representation return=minimal count=exact count=planned count=estimated
      resolution=merge-duplicates resolution=ignore-duplicates,return=representation
      missing=default tx=rollback handling=strict,foo max-affected=1 handling=strict`),
    Range: words("0-9 0- 5-1 -5 1000000-2000000"),
    "Range-Unit": pick("items", "bytes", ""),
    ...{ "Accept-Profile": profile, "Content-Profile": profile },
    Accept: words(`application/vnd.pgrst.object+json text/csv application/vnd.pgrst.plan
      image/png */*`),
  },
  inHeader,
);
const post = {
  ...{ title: "A title", category: "Testing", author: "Ada Author", content: [] },
  ...{ tagline: "", alt: "", related_services: [], image_url: "/images/x.svg" },
};
const row = fc
  .uuid()
  .chain((id) =>
    fc.oneof(
      nearlyValid({ ...post, id, slug: id }),
      nearlyValid({ id, name: "Ada", role: null, content: "Clear.", rating: 5 }),
    ),
  );

const authPath = rarely(
  words(`token?grant_type=refresh_token token?grant_type=pkce token?grant_type=id_token token
    token?grant_type=password signup recover verify user logout settings health
    verify?type=recovery&token=x verify?type=signup&token_hash=x logout?scope=others`),
  fc.oneof(words("admin/users otp magiclink invite authorize?provider=x sso"), inPath),
);
const authBody = someOf({
  email: fc.oneof(pick("nobody@example.com", "a@b", "x".repeat(300)), hostileText),
  type: rarely(words("recovery signup email"), hostileText),
  ...{ password: hostileText, refresh_token: hostileText, token: hostileText },
  ...{ token_hash: hostileText, code_challenge: hostileText },
  data: fc.jsonValue({ maxDepth: 2 }),
  gotrue_meta_security: fc.jsonValue({ maxDepth: 1 }),
});

const storagePath = rarely(
  fc.oneof(
    join(
      words(`object/images/ object/public/images/ object/authenticated/images/
        object/images/public/ object/ bucket/ object/list/`),
      inPath,
    ),
    words("object/list/images object/images bucket object/copy object/move object/list/images/"),
  ),
  inPath,
);
const storageHeader = named(
  {
    "x-upsert": words("true false x"),
    "Cache-Control": null,
    Range: words("bytes=0-0 bytes=5- bytes=-1 bytes=a-b bytes=99999999999-"),
    "Content-Type": words("image/gif image/png text/html image/svg+xml"),
  },
  inHeader,
);
const storageBody = fc.oneof(
  json,
  someOf({
    ...{ prefix: hostileText, search: hostileText, prefixes: list(hostileText, 4) },
    ...{ limit: fc.double(), offset: fc.integer(), sortBy: fc.jsonValue() },
  }),
  pick("GIF89a\u0001\u0000\u0001\u0000", "\u0089PNG\r\n\u001a\n", "--x\r\n\r\n--x--", "--x"),
  pick('--x\r\nContent-Disposition: form-data; name=""; filename="a"\r\n\r\nGIF89a\r\n--x--\r\n'),
  pick('--x\r\nContent-Disposition: form-data; name="\u0000'),
  pick(`--x\r\n${"A: b\r\n".repeat(500)}\r\n`),
);

const functionPath = rarely(
  words("send-email send-email/ send-email/deliver send-email?x=%00"),
  fc.oneof(words(".. send-email/../../x __proto__"), inPath),
);
const message = nearlyValid({
  ...{ name: "Ada", email: "ada@example.com", phone: "555 0100" },
  message: "How much cover do I need?",
});

const upgradeHeaders = fc
  .record({
    Upgrade: rarely(pick("websocket"), inHeader),
    "Sec-WebSocket-Key": rarely(pick("dGhlIHNhbXBsZSBub25jZQ=="), inHeader),
    "Sec-WebSocket-Version": rarely(pick("13"), words("8 0 x 999")),
    "Sec-WebSocket-Extensions": fc.option(fc.oneof(pick("permessage-deflate"), inHeader)),
    "Sec-WebSocket-Protocol": fc.option(inHeader, { freq: 1 }),
    Origin: fc.option(inHeader, { freq: 1 }),
  })
  .map((values) => [
    ["Connection", "Upgrade"] as const,
    ...Object.entries(values).filter((pair): pair is [string, string] => pair[1] !== null),
  ]);
const channelMessage = fc.oneof(
  fc
    .tuple(
      hostileText,
      hostileText,
      words("phx_join phx_leave access_token heartbeat broadcast x"),
      fc.jsonValue(),
    )
    .map(([topic, ref, event, payload]) => [ref, ref, `realtime:${topic}`, event, payload]),
  hostileText.map((table) => [
    ...["1", "1", "realtime:x", "phx_join"],
    { config: { postgres_changes: [{ event: "*", schema: "public", table }] } },
  ]),
);
const frames = fc.oneof(
  fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes).toString("latin1")),
  list(fc.oneof(asJson(channelMessage), json, hostileText), 4).map((texts) =>
    texts.map(maskedFrame).join(""),
  ),
);

/** A client's text frame, masked with zeros, with one byte per character. */
function maskedFrame(text: string): string {
  const payload = Buffer.from(text, "utf8").toString("latin1");
  const { length } = payload;
  const size =
    length < 126
      ? String.fromCharCode(0x80 | length)
      : `\u00fe${String.fromCharCode((length >> 8) & 255, length & 255)}`;
  return length > 65_535 ? "" : `\u0081${size}\0\0\0\0${payload}`;
}

/** Requests for every endpoint of a running site. */
export function fuzzRequests(keys: Keys): fc.Arbitrary<RawRequest> {
  const authorized = (header: Pair, count: number) =>
    fc.tuple(credentials(keys), list(header, count)).map((parts) => parts.flat());
  const clientHeader = named({ "x-client-info": null, "idempotency-key": null }, inHeader);

  const pages = request({
    method: readingMethod,
    path: join(pagePath, query(fc.oneof(anyParameter, pageParameter))),
  });
  const rest = request({
    path: join(pick("/rest/v1/"), restPath, query(restParameter)),
    headers: authorized(restHeader, 3),
    body: fc.oneof(
      json,
      row,
      list(row, 3).map((rows) => `[${rows.join()}]`),
    ),
  });
  const auth = request({
    method: rarely(words("POST POST GET PUT"), method),
    path: join(pick("/auth/v1/"), authPath),
    headers: authorized(named({ redirect_to: null, "x-client-info": null }, inHeader), 1),
    body: fc.oneof(json, authBody),
  });
  const storage = request({
    path: join(pick("/storage/v1/"), storagePath),
    headers: authorized(storageHeader, 2),
    body: storageBody,
  });
  const functions = request({
    method: rarely(pick("POST"), method),
    path: join(pick("/functions/v1/"), functionPath),
    headers: authorized(clientHeader, 1),
    body: fc.oneof(message, json),
  });
  const health = request({
    method: readingMethod,
    path: join(words("/healthz /healthz/live /healthz/ready /healthz/x"), query(anyParameter)),
  });
  const realtime = fc.record({
    method: pick("GET"),
    path: join(
      rarely(
        pick("/realtime/v1/websocket"),
        words("/realtime/v1/ /realtime/v1 /realtime/v1/websocket/%00 /blog"),
      ),
      rarely(
        pick(`?apikey=${keys.anonKey}&vsn=2.0.0`),
        query(
          named(
            { apikey: pick(keys.anonKey), vsn: pick("2.0.0"), log_level: null, x: null },
            inPath,
          ),
        ),
      ),
    ),
    headers: upgradeHeaders,
    body: pick(""),
    frames,
  });

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

interface Parts {
  path: Text;
  method?: Text;
  headers?: fc.Arbitrary<(readonly string[])[]>;
  body?: Text;
}

function request(parts: Parts): fc.Arbitrary<RawRequest> {
  const { path, headers = fc.constant([]), body = fc.oneof(json, hostileText) } = parts;
  const extraHeaders = fc.option(list(commonHeader, 3), { nil: [], freq: 1 });
  return fc
    .record({
      method: parts.method ?? method,
      path: rarely(
        path,
        fc.oneof(
          path.map((text) => text.slice(0, 200)),
          respelled(path),
        ),
      ),
      headers: fc.tuple(headers, extraHeaders),
      type: contentType,
      body: fc.oneof(fc.constant(""), body),
    })
    .map(({ headers, type, ...rest }) => ({
      ...rest,
      headers: [...headers.flat(), ["Content-Type", type]] as [string, string][],
    }));
}

/** The same address in another spelling: letters percent-encoded, parameters repeated or reordered. */
function respelled(path: Text): Text {
  return fc
    .tuple(path, pick("encode", "repeat", "reverse", "double slash"), fc.nat(4))
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
