// The security headers of every response, and the Content-Security-Policy of pages.

export interface SecurityPolicy {
  /** The public address. While it has https, responses also carry Strict-Transport-Security. */
  siteUrl: () => string;
  /** The hosted project; null when the backend shares the site's origin. */
  supabaseUrl: string | null;
  /** Whether forms use Cloudflare Turnstile. */
  turnstile?: boolean;
  /** Omits the Content-Security-Policy, because Vite adds inline scripts and a WebSocket. */
  development?: boolean;
}

type HeaderPair = readonly [name: string, value: string];

const twoYears = 63_072_000;
const frameOptions = "x-frame-options";
const turnstileOrigin = "https://challenges.cloudflare.com";

export type SecurityHeaders = ReturnType<typeof createSecurityHeaders>;

export function createSecurityHeaders(policy: SecurityPolicy) {
  const always: readonly HeaderPair[] = [
    ["x-content-type-options", "nosniff"],
    [frameOptions, "DENY"],
    ["referrer-policy", "strict-origin-when-cross-origin"],
  ];
  const secure: readonly HeaderPair[] = [
    ...always,
    ["strict-transport-security", `max-age=${twoYears}`],
  ];
  const common = () => (isSecure(policy) ? secure : always);

  return {
    /** The headers of every response. */
    common,
    /** The headers of responses that are not pages, which may load and run nothing. Includes `common`. */
    file: (contentType: string | null): readonly HeaderPair[] => [
      ...common(),
      // An SVG opened in its own tab is a document. It needs only its styles.
      [
        "content-security-policy",
        "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
      ],
      // Feed readers show the site's images on their own pages.
      [
        "cross-origin-resource-policy",
        contentType?.startsWith("image/") ? "cross-origin" : "same-origin",
      ],
    ],
    /** The headers of a page with these script hashes (csp-hashes.ts). Includes `common`. */
    page: (scriptHashes: readonly string[]): readonly HeaderPair[] => [
      ...common().filter(([name]) => name !== frameOptions),
      // The owner's settings page shows the site's own pages as a preview.
      [frameOptions, "SAMEORIGIN"],
      ...(policy.development
        ? []
        : [["content-security-policy", contentSecurityPolicy(policy, scriptHashes)] as const]),
      ["cross-origin-opener-policy", "same-origin"],
      ["cross-origin-resource-policy", "same-origin"],
      ["permissions-policy", "camera=(), geolocation=(), microphone=(), payment=(), usb=()"],
    ],
  };
}

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
    // blob: for the archive, which shows a page with the files that it had.
    "style-src": ["'self'", "blob:"],
    // React renders custom properties, such as a card's position, as style attributes. They affect no other element.
    "style-src-attr": ["'unsafe-inline'"],
    "img-src": ["'self'", "data:", "blob:"],
    "font-src": ["'self'", "blob:"],
    "connect-src": ["'self'", project?.origin, socket],
    "manifest-src": ["'self'"],
    "frame-src": ["'self'", turnstile],
    "object-src": ["'none'"],
    "base-uri": ["'self'"],
    "form-action": ["'self'"],
    "frame-ancestors": ["'self'"],
    ...(isSecure(policy) ? { "upgrade-insecure-requests": [] } : {}),
  };
  return Object.entries(directives)
    .map(([name, sources]) => [name, ...sources.filter((source) => source)].join(" "))
    .join("; ");
}

function isSecure({ siteUrl }: SecurityPolicy): boolean {
  return siteUrl().startsWith("https://");
}

export function setMissingHeaders(headers: Headers, pairs: readonly HeaderPair[]): void {
  for (const [name, value] of pairs) if (!headers.has(name)) headers.set(name, value);
}
