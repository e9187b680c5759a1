// Requests that once got a wrong response, with the status that they must get.
import type { RawRequest } from "./raw-request.ts";

type Found = readonly [
  status: number,
  method: string,
  path: string,
  body?: string,
  headers?: RawRequest["headers"],
];

const aliases = Array.from({ length: 180 }, (_, index) => `a${index}:content`).join();

export const found: readonly Found[] = [
  // The socket was destroyed: some clients offer HTTP/2 with their first request.
  [200, "GET", "/blog", "", upgrade("h2c", ["HTTP2-Settings", "AAMAAABkAAQCAAAAAAIAAAAA"])],
  // The socket was destroyed: an unsupported upgrade.
  [426, "GET", "/realtime/v1?apikey={anonKey}&vsn=1.0.0", "", upgrade("websocket")],
  // 500: the library read a field of null.
  [400, "POST", "/auth/v1/token?grant_type=refresh_token", "null"],
  [400, "POST", "/auth/v1/verify", "null"],
  // 500: a null character reached PostgreSQL.
  [400, "POST", "/auth/v1/verify", '{"token_hash":"\\u0000","type":"recovery"}'],
  // 500: a filter was looked up among Object.prototype's names.
  [400, "GET", "/rest/v1/posts?title=toString"],
  [404, "GET", "/rest/v1/-9223372036854775809?x=toString"],
  // 500: a null character in a column's name broke the protocol.
  [400, "GET", "/rest/v1/posts?%00=eq.1"],
  // 500: the slug was compared as a boolean.
  [302, "GET", "/blog/true"],
  // 500: the Host header made no valid URL.
  [400, "GET", "/storage/v1/object/list/images", "", [["Host", "9".repeat(300)]]],
  // 500 for all later requests: the filter polluted Object.prototype.
  [400, "GET", "/rest/v1/posts?__proto__=eq.%E2%9C%93"],
  [400, "GET", "/rest/v1/posts?constructor=eq.x"],
  [400, "GET", "/rest/v1/posts?posts.__proto__=eq.x"],
  // 500: the library turned the filter into an empty value.
  [400, "GET", "/rest/v1/posts?related_services=cs.not_null"],
  // 3 s: a regular expression with back references.
  [400, "GET", "/rest/v1/testimonials?content=match.^(.%2B)(.%2B)(.%2B)%5C1%5C2%5C3$"],
  // 7.5 s: 240 conditions.
  [400, "GET", `/rest/v1/testimonials?${"or=(content.ilike.*a*)&".repeat(240)}`],
  // 12.9 s and 48 MB: nested embedded tables.
  [400, "GET", `/rest/v1/post_slugs?select=${"*,posts(*,post_slugs(".repeat(3)}*${"))".repeat(3)}`],
  // 94 MB: a cast to ten million characters.
  [400, "GET", "/rest/v1/posts?select=title::%22char(10485760)%22"],
  // 31.7 MB: aliases of a long column.
  [400, "GET", `/rest/v1/posts?select=${aliases}`],
  // Every page was rendered again: a write without a row.
  [201, "POST", "/rest/v1/testimonials", "[]"],
  // 500: a password, an address and a refresh token that are no strings.
  [
    ...([400, "POST", "/auth/v1/token?grant_type=password"] as const),
    '{"email":"owner@example.com","password":{"a":1}}',
  ],
  [400, "POST", "/auth/v1/recover", '{"email":{"a":1}}'],
  [400, "POST", "/auth/v1/token?grant_type=refresh_token", '{"refresh_token":[]}'],
  // Open redirect: the response led to another site.
  [
    405,
    "GET",
    "/auth/v1/verify?type=recovery&token=x&redirect_to=https://evil.example%5C@x.example/",
  ],
  // 503: the API rejects a filter with so long a value.
  [302, "GET", `/blog/${"a".repeat(1000)}`],
  // 500: a file's name with a null character.
  [400, "DELETE", "/storage/v1/object/images", '{"prefixes":["\\u0000"]}'],
];

function upgrade(to: string, ...more: RawRequest["headers"]): RawRequest["headers"] {
  return [
    ["Connection", ["Upgrade", ...more.map(([name]) => name)].join(", ")],
    ["Upgrade", to],
    ...more,
  ];
}
