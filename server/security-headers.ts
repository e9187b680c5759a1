// What every answer of the site tells the browser not to do.

export interface SecurityPolicy {
  /** HSTS and the upgrade of requests are for a site that is served by TLS. */
  siteUrl: string;
  /** The hosted project that the browser talks to; null when it shares the site's origin. */
  supabaseUrl: string | null;
  /** Whether the forms ask Cloudflare's Turnstile. */
  turnstile?: boolean;
  /** Vite brings inline scripts and a socket of its own: pages go without a content policy then. */
  development?: boolean;
}

export type HeaderPair = readonly [name: string, value: string];

export interface SecurityHeaders {
  /** For every answer. */
  common: readonly HeaderPair[];
  /** For what is no page: on its own it may do nothing. Has the common ones. */
  file(contentType: string | null): readonly HeaderPair[];
  /** For a page whose own inline scripts have these hashes. Has the common ones. */
  page(scriptHashes: readonly string[]): readonly HeaderPair[];
}

const twoYears = 63_072_000;
const turnstileOrigin = "https://challenges.cloudflare.com";

export function createSecurityHeaders(policy: SecurityPolicy): SecurityHeaders {
  const common: HeaderPair[] = [
    ["x-content-type-options", "nosniff"],
    ["x-frame-options", "DENY"],
    ["referrer-policy", "strict-origin-when-cross-origin"],
  ];
  if (isSecure(policy)) common.push(["strict-transport-security", `max-age=${twoYears}`]);

  return {
    common,
    file: (contentType) => [
      ...common,
      // An SVG that is opened by itself is a document; its own styles are all it needs.
      [
        "content-security-policy",
        "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
      ],
      // A feed reader in a browser shows our pictures on a page of its own.
      [
        "cross-origin-resource-policy",
        contentType?.startsWith("image/") ? "cross-origin" : "same-origin",
      ],
    ],
    page: (scriptHashes) => [
      ...common,
      ...(policy.development
        ? []
        : [["content-security-policy", contentSecurityPolicy(policy, scriptHashes)] as const]),
      ["cross-origin-opener-policy", "same-origin"],
      ["cross-origin-resource-policy", "same-origin"],
      ["permissions-policy", "camera=(), geolocation=(), microphone=(), payment=(), usb=()"],
    ],
  };
}

/** The policy of a page. `scriptHashes` are sources such as `'sha256-…'`. */
export function contentSecurityPolicy(
  policy: SecurityPolicy,
  scriptHashes: readonly string[],
): string {
  const project = policy.supabaseUrl ? new URL(policy.supabaseUrl) : null;
  const socket = project && `${project.protocol === "https:" ? "wss" : "ws"}://${project.host}`;
  const turnstile = policy.turnstile ? turnstileOrigin : null;
  const directives: Record<string, (string | null | undefined)[]> = {
    "default-src": ["'none'"],
    "script-src": ["'self'", ...scriptHashes, turnstile],
    "style-src": ["'self'"],
    // React writes a custom property, such as a card's place in line, as a style attribute. An
    // attribute can only be forged by who can write markup, and then reaches no other element.
    "style-src-attr": ["'unsafe-inline'"],
    "img-src": ["'self'", "data:", "blob:", project?.origin],
    "font-src": ["'self'"],
    "connect-src": ["'self'", project?.origin, socket],
    "manifest-src": ["'self'"],
    ...(turnstile ? { "frame-src": [turnstile] } : {}),
    "object-src": ["'none'"],
    "base-uri": ["'self'"],
    "form-action": ["'self'"],
    "frame-ancestors": ["'none'"],
    ...(isSecure(policy) ? { "upgrade-insecure-requests": [] } : {}),
  };
  return Object.entries(directives)
    .map(([name, sources]) => [name, ...sources.filter((source) => source)].join(" "))
    .join("; ");
}

function isSecure({ siteUrl }: SecurityPolicy): boolean {
  return siteUrl.startsWith("https://");
}
