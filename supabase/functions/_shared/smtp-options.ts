// Connects to a mail server: what nodemailer needs for its address, and the connection itself.
// Covers: a server that the environment names; one that an owner entered, by IPv4, at the address that was checked. Does not cover
// for an entered server: IPv6, and names that DNS does not know.
import { Resolver } from "node:dns/promises";
import { connect, isIP, type Socket } from "node:net";
import { isPublicAddress } from "./private-networks.ts";

/** How mails are sent. */
export type Service =
  | {
      smtpUrl: URL;
      /** Of a server that an owner entered. */
      reach?: Reach;
    }
  | { resendApiKey: string };
/** Where a mail server may be that an owner entered: on a hosted project not in private networks, which are the platform's. */
export type Reach = "internet" | "anywhere";

export function smtpOptions({ protocol, hostname, port, username, password }: URL) {
  const secure = protocol === "smtps:";
  const host = hostname.replace(/^\[|\]$/g, "");
  const isHere = /^(localhost|127\.\d+\.\d+\.\d+|::1)$/.test(host);
  return {
    ...{ host, port: Number(port) || (secure ? 465 : 587), secure, isHere },
    // Never sends a password unencrypted to another machine.
    requireTLS: username !== "" && !isHere,
    ...(username && {
      auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) },
    }),
  };
}

type SocketCallback = (error: Error | null, options?: { connection: Socket }) => void;

/**
 * What opens the connections of nodemailer, which would resolve the name itself and connect to an IP address: the function's
 * network permissions name the host, and the address of an entered server must be the one that was checked.
 * @param timeout in milliseconds
 */
export function socketOpener(url: URL, reach: Reach | undefined, timeout: number) {
  const { host, port, isHere } = smtpOptions(url);
  return (_options: unknown, done: SocketCallback): void => {
    const address = reach ? findAddress(host, isHere, reach) : Promise.resolve(host);
    address.then(open, done);

    function open(address: string): void {
      const socket = connect({ host: address, port });
      socket.setTimeout(timeout, () =>
        socket.destroy(withCode("The mail server does not respond", "ETIMEDOUT")),
      );
      socket.once("error", (error) => done(error));
      socket.once("connect", () => {
        socket.removeAllListeners("error");
        socket.setTimeout(0);
        done(null, { connection: socket });
      });
    }
  };
}

/** @throws for an address that an entered server must not have */
async function findAddress(host: string, isHere: boolean, reach: Reach): Promise<string> {
  const resolver = new Resolver({ timeout: 3_000, tries: 2 });
  const addresses = isIP(host) ? [host] : isHere ? ["127.0.0.1"] : await resolver.resolve4(host);
  const [address] = addresses;
  const isAllowed = reach === "anywhere" || addresses.every(isPublicAddress);
  if (address !== undefined && isAllowed) return address;
  throw withCode("The mail server is in a private network", "EPRIVATE");
}

function withCode(message: string, code: string): Error {
  return Object.assign(new Error(message), { code });
}
