// Looks at what visitors reach at the public address, for `npm run check-live`. Changes nothing.
import { once } from "node:events";
import { connect } from "node:tls";
import type { Findings } from "../../app/config/checks/facts.ts";
import { listenToChanges } from "../realtime/realtime-changes.ts";
import { createSecurityHeaders, type SecurityPolicy } from "../security-headers.ts";

/** When a certificate ends within this time, its renewal has failed. */
const soon = 14 * 24 * 60 * 60_000;

export async function inspectAddress(
  policy: SecurityPolicy,
  anonKey: string,
  timeout = 10_000,
): Promise<Findings> {
  const { supabaseUrl } = policy;
  const siteUrl = policy.siteUrl();
  const orNull = (inspection: Promise<string[]>) => inspection.catch(() => null);
  const inspections = [inspectHeaders(), inspectTls(), inspectChanges()].map(orNull);
  const [headers, tls, changes] = await Promise.all(inspections);
  return { headers, tls, changes };

  function ask(url: string): Promise<Response> {
    return fetch(url, { redirect: "manual", signal: AbortSignal.timeout(timeout) });
  }

  async function inspectHeaders(): Promise<string[]> {
    const { headers } = await ask(`${siteUrl}/`);
    // The policy lists the scripts of the page, which are unknown here.
    const isRight = (name: string, value: string) =>
      name === "content-security-policy" ? headers.has(name) : headers.get(name) === value;
    const pairs = createSecurityHeaders(policy).page([]);
    return pairs
      .filter(([name, value]) => !isRight(name, value))
      .map(([name]) => `The header ${name} is missing or changed`);
  }

  async function inspectTls(): Promise<string[]> {
    const { protocol, hostname: host, port } = new URL(siteUrl);
    if (protocol !== "https:") throw new Error("Not encrypted");
    const http = siteUrl.replace(/^https/, "http");
    // Nothing has to respond there.
    const response = await ask(`${http}/`).catch(() => null);
    // A port for TLS alone responds with 400.
    const isOpen =
      response && response.status < 400 && !response.headers.get("location")?.startsWith("https:");
    // The check of SITE_URL reports an invalid certificate.
    const target = { host, port: Number(port || 443), servername: host };
    const socket = connect({ ...target, rejectUnauthorized: false });
    const timer = setTimeout(() => socket.destroy(new Error("No response")), timeout);
    await once(socket, "secureConnect").finally(() => clearTimeout(timer));
    const end = new Date(socket.getPeerCertificate().valid_to);
    socket.destroy();
    const lastDay = end.toISOString().slice(0, 10);
    return [
      isOpen ? `${http} does not redirect to https` : [],
      end.getTime() - Date.now() < soon ? `The certificate is valid until ${lastDay} only` : [],
    ].flat();
  }

  /** The site learns from Realtime which pages have changed. Of several processes, one responds. */
  async function inspectChanges(): Promise<string[]> {
    const url = supabaseUrl ?? siteUrl;
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const timer = setTimeout(resolve, timeout, false);
    const tables = { posts: "id" };
    const options = { url, anonKey, tables, onChange() {}, onConnected: resolve };
    const changes = listenToChanges(options);
    const isConnected = await promise;
    clearTimeout(timer);
    await changes.stop();
    // Asked last: a site that has just started is connected by then.
    const { realtime, lastMissedAt } = await (await ask(`${siteUrl}/healthz/ready`)).json();
    const problems: Record<string, string[]> = {
      connected: [],
      deaf: [
        `Realtime is connected but did not send the last change (${lastMissedAt}), so pages may be 15 seconds old`,
      ],
    };
    return [
      problems[realtime] ?? "The site receives no changes and may show stale pages",
      isConnected ? [] : `Realtime does not respond at ${url}`,
    ].flat();
  }
}
