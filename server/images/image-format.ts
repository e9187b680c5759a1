export type ImageFormat = "avif" | "webp" | "fallback";

/** The smallest format that a request's `Accept` names; `fallback` is JPEG or PNG. */
export function chooseFormat(accept: string | null): ImageFormat {
  const accepted = (accept ?? "")
    .toLowerCase()
    .split(",")
    .filter((range) => !/;\s*q=0(\.0*)?\s*(;|$)/.test(range))
    .map((range) => range.split(";")[0]?.trim());
  if (accepted.includes("image/avif")) return "avif";
  if (accepted.includes("image/webp")) return "webp";
  return "fallback";
}
