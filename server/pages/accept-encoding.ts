export type Encoding = "br" | "gzip" | "identity";

const ranked = ["br", "gzip"] as const;
const known = new Map<string, Encoding>();

/** The smallest of our encodings that an Accept-Encoding header allows. */
export function chooseEncoding(header: string | undefined): Encoding {
  if (!header) return "identity";
  let encoding = known.get(header);
  if (!encoding) {
    encoding = choose(header);
    // Browsers send a handful of values; whoever makes up more gains nothing.
    if (known.size < 100) known.set(header, encoding);
  }
  return encoding;
}

function choose(header: string): Encoding {
  const allowed = new Map<string, boolean>();
  for (const part of header.toLowerCase().split(",")) {
    const [name = "", ...parameters] = part.split(";").map((text) => text.trim());
    allowed.set(name, !parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter)));
  }
  return ranked.find((name) => allowed.get(name) ?? allowed.get("*")) ?? "identity";
}
