// Checks that the site can listen on HOST and PORT, before the database starts.
import { createServer } from "node:net";

interface Address {
  host: string;
  port: number;
}

/** Printed without a stack: the message says which setting to change. */
export class CannotListen extends Error {}

/** @throws {CannotListen} */
export async function assertCanListen({ host, port }: Address): Promise<void> {
  const server = createServer();
  await new Promise<void>((resolve, reject) => {
    server.once("error", (error) => reject(explainListenError(error, { host, port })));
    server.listen(port, host, () => server.close(() => resolve()));
  });
}

/** @returns the error itself when neither setting caused it. */
export function explainListenError(
  error: NodeJS.ErrnoException,
  { host, port }: Address,
): Error | CannotListen {
  const sentence = sentenceFor(error.code, host, port);
  return sentence ? new CannotListen(sentence, { cause: error }) : error;
}

function sentenceFor(code: string | undefined, host: string, port: number): string | null {
  switch (code) {
    case "EADDRINUSE":
      return `PORT ${port} on ${host} is in use, perhaps by this site. Stop that program, or set PORT to another number.`;
    case "EACCES":
    case "EPERM":
      return `PORT ${port} on ${host} may not be used by this user (${code}). Set PORT to a number above 1023.`;
    case "EADDRNOTAVAIL":
    case "EAFNOSUPPORT":
    case "EINVAL":
    case "ENOTFOUND":
    case "EAI_AGAIN":
      return `HOST ${host} is not an address of this machine (${code}). Set HOST to 127.0.0.1, or to 0.0.0.0 for every interface.`;
    default:
      return null;
  }
}
