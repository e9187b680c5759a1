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

/** Up to six of these texts, one after the other. */
const tokens = (texts: Text) =>
  fc.array(texts, { minLength: 1, maxLength: 6 }).map((it) => it.join(""));

const headerName = fc.oneof(
  words(`Accept Accept-Encoding Accept-Language User-Agent Cookie Referer Origin Host Forwarded
    If-None-Match If-Match If-Range If-Modified-Since X-Forwarded-For X-Forwarded-Host
    X-Forwarded-Proto Range Range-Unit Content-Encoding Content-Length Transfer-Encoding Expect
    Upgrade X-Http-Method-Override X-Long Prefer Accept-Profile Content-Profile x-upsert
    Cache-Control Content-Type x-client-info idempotency-key redirect_to`),
  words("Prefer Range Accept"),
);
const headerValue = fc.oneof(
  words(`* br;q=0 gzip;q=NaN x,,; bytes=0- bytes=-1 bytes=9-1 bytes=0-0,2-2 bytes=a-b 0- 0-9 9-1 -5
    bytes=99999999999- gzip br identity 0 5 -1 abc 99999999999999999999 chunked 100-continue
    websocket h2c DELETE TRACE items public private auth true image/png image/svg+xml text/csv`),
  words(`return=representation return=minimal count=exact count=planned count=estimated
    resolution=merge-duplicates resolution=ignore-duplicates,return=representation tx=rollback
    missing=default handling=strict,foo max-affected=1 application/vnd.pgrst.object+json */*
    application/vnd.pgrst.plan`),
  pick("", "identity;q=0, *;q=0", "gzip, chunked", "a".repeat(7000), "a".repeat(20_000)),
  inHeader,
);
const header: Pair = fc.tuple(headerName, headerValue);

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
const pageParameter: Pair = fc.tuple(words("page _routes index p paths version _data"), inPath);

const restToken = fc.oneof(
  words(`id title slug content created_at rating name * count() posts(*) testimonials(*) x:id ::int
    -> ->>text ... id.asc content->a.desc`),
  words(`( ) , . : { } [ ( ) , . ("a,b") (1,2) id.eq.1 and(id.eq.1) or( not.and( null 0 1 1000000 -1
    1e3 2147483648 * %25`),
  pick("", "(or".repeat(300), ",id".repeat(500), "posts(".repeat(200), "content->>".repeat(100)),
  inPath,
);
const restFilter = join(
  rarely(
    words("eq. neq. gt. gte. lt. like. ilike. match. in. is. cs. cd. ov. fts. not.eq. not.in. sl."),
    words("wfts(english). like(any). eq(all). isdistinct. adj. nxl. x. ."),
  ),
  rarely(fc.oneof(inPath, words("(1,2) null unknown not_null {a} [1,2)")), tokens(restToken)),
);
const restParameter = fc.oneof(
  fc.tuple(words("id id slug title content created_at image_url rating name x"), restFilter),
  fc.tuple(
    words(`select select order limit offset on_conflict columns or and not.or not.and apikey`),
    rarely(
      words("id title * id,title id.asc 0 1 1000000 -1 (id.eq.1,title.eq.x)"),
      tokens(restToken),
    ),
  ),
  anyParameter,
);
const restPath = rarely(
  words("posts posts posts testimonials contact_messages rpc/is_owner"),
  fc.oneof(words("rpc rpc/ rpc/make_owner private.people pg_catalog.pg_user"), inPath),
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
    factors factors/00000000-0000-4000-8000-000000000000 factors/00000000-0000-4000-8000-000000000000/challenge
    factors/00000000-0000-4000-8000-000000000000/verify factors/x/verify
    verify?type=recovery&token=x verify?type=signup&token_hash=x logout?scope=others`),
  fc.oneof(words("admin/users otp magiclink invite authorize?provider=x sso"), inPath),
);
const authBody = someOf({
  email: fc.oneof(pick("nobody@example.com", "a@b", "x".repeat(300)), hostileText),
  type: rarely(words("recovery signup email"), hostileText),
  ...{ friendly_name: hostileText, issuer: hostileText, code: hostileText },
  ...{ factor_type: rarely(words("totp phone"), hostileText), challenge_id: hostileText },
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
const storageBody = fc.oneof(
  json,
  someOf({
    ...{ prefix: hostileText, search: hostileText, prefixes: list(hostileText, 4) },
    ...{ limit: fc.double(), offset: fc.integer(), sortBy: fc.jsonValue() },
  }),
  tokens(
    pick(
      ...["GIF89a\u0001\u0000\u0001\u0000", "\u0089PNG\r\n\u001a\n", "--x", "\r\n", "\r\n\r\n"],
      ...[
        "--x\r\n",
        "--x--",
        'Content-Disposition: form-data; name="',
        '"; filename="a"',
        "\u0000",
      ],
      "A: b\r\n".repeat(500),
    ),
  ),
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
  const authorized = credentials(keys);

  const pages = request({
    method: readingMethod,
    path: join(pagePath, query(fc.oneof(anyParameter, pageParameter))),
  });
  const rest = request({
    path: join(pick("/rest/v1/"), restPath, query(restParameter)),
    headers: authorized,
    body: fc.oneof(
      json,
      row,
      list(row, 3).map((rows) => `[${rows.join()}]`),
    ),
  });
  const auth = request({
    method: rarely(words("POST POST GET PUT"), method),
    path: join(pick("/auth/v1/"), authPath),
    headers: authorized,
    body: fc.oneof(json, authBody),
  });
  const storage = request({
    path: join(pick("/storage/v1/"), storagePath),
    headers: authorized,
    body: storageBody,
  });
  const functions = request({
    method: rarely(pick("POST"), method),
    path: join(pick("/functions/v1/"), functionPath),
    headers: authorized,
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
          fc.tuple(
            words("apikey apikey vsn vsn log_level x"),
            fc.oneof(pick(keys.anonKey, "2.0.0"), inPath),
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
  const extraHeaders = fc.option(list(header, 4), { nil: [], freq: 1 });
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
