// Reads the address that an owner types.
import { isIP } from "node:net";
import { isLoopback } from "../../app/config/server-settings.ts";
import { isPublicAddress } from "../../app/config/site.ts";

export type TypedAddress = { host: string; url: string } | { problem: string };

const example = "such as www.example.com";

/** @param localPort where the site listens, if only this machine reaches it: then its own address may be tried out */
export function readTypedAddress(text: string, localPort: number | null): TypedAddress {
  const typed = text.trim();
  const url = URL.parse(/^[a-z]+:\/\//i.test(typed) ? typed : `https://${typed}`);
  if (!typed || !url?.hostname || !/^https?:$/.test(url.protocol)) {
    return { problem: `Enter the address of your site, ${example}.` };
  }
  const host = url.hostname.replace(/\.$/, "");
  if (isLoopback(host)) {
    if (localPort !== null && Number(url.port) === localPort) {
      return { host, url: `http://${host}:${localPort}` };
    }
    return { problem: `Visitors cannot reach ${host}: it is the machine itself.` };
  }
  if (url.username || url.password || url.search || url.hash || url.pathname !== "/") {
    return { problem: `Enter the name alone, without anything after it: ${host}.` };
  }
  if (url.port) return { problem: `Enter the name without a number after it: ${host}.` };
  if (isIP(host) || host.startsWith("["))
    return { problem: `Enter a name, ${example}, not numbers.` };
  if (!isPublicAddress(`https://${host}`)) {
    return { problem: `Visitors cannot reach ${host}. Enter its address on the internet.` };
  }
  return { host, url: `https://${host}` };
}
