import ipaddr from "ipaddr.js";

/**
 * The key under which a visitor's requests are counted: the IPv4 address, or the /64 network of an IPv6
 * address, because one subscriber usually gets a whole /64. Invalid addresses are returned unchanged.
 */
export function visitorKey(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  // Turns an IPv4-mapped IPv6 address into IPv4.
  const parsed = ipaddr.process(address);
  if (!(parsed instanceof ipaddr.IPv6)) return parsed.toString();
  const network = parsed.parts.slice(0, 4).map((group) => group.toString(16));
  return `${network.join(":")}::/64`;
}
