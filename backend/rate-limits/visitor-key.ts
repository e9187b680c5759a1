import { isIPv4, isIPv6 } from "node:net";

/**
 * What stands for a visitor: the IPv4 address, or the /64 network of an IPv6 address, since one
 * subscriber has all of that. An address that is neither stands for itself.
 */
export function visitorKey(address: string): string {
  const bare = address.replace(/%.*$/, "");
  if (!isIPv6(bare)) return bare;
  const groups = expand(bare);
  const [sixth = 0, seventh = 0, eighth = 0] = groups.slice(5);
  const isMapped = groups.slice(0, 5).every((group) => group === 0) && sixth === 0xffff;
  if (isMapped) {
    return [seventh >> 8, seventh & 255, eighth >> 8, eighth & 255].join(".");
  }
  return `${groups
    .slice(0, 4)
    .map((group) => group.toString(16))
    .join(":")}::/64`;
}

/** The eight groups of a valid IPv6 address. */
function expand(address: string): number[] {
  const [head = "", tail] = address.split("::");
  const left = groupsOf(head);
  if (tail === undefined) return left;
  const right = groupsOf(tail);
  return [...left, ...new Array<number>(8 - left.length - right.length).fill(0), ...right];
}

function groupsOf(text: string): number[] {
  if (text === "") return [];
  return text.split(":").flatMap((part) => {
    if (!isIPv4(part)) return Number.parseInt(part, 16);
    const [a = 0, b = 0, c = 0, d = 0] = part.split(".").map(Number);
    return [(a << 8) | b, (c << 8) | d];
  });
}
