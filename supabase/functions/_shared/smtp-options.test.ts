import { expect, test } from "vitest";
import { openService } from "./mail-service.ts";
import { smtpOptions, socketOpener } from "./smtp-options.ts";

function enter(host: string, port = 587) {
  const service = { kind: "smtp", host, port, user: "ada" } as const;
  const opened = openService({ service, secret: "p@ss:/ word" }, (secret) => secret, "internet");
  if (!opened || !("smtpUrl" in opened)) throw new Error("No server");
  return opened;
}

test.each(["127.0.0.1", "localhost", "10.1.2.3", "169.254.169.254", "192.168.1.1", "0.0.0.0"])(
  "a hosted project does not connect to an entered server at %s",
  async (host) => {
    const { smtpUrl, reach } = enter(host);
    const open = socketOpener(smtpUrl, reach, 1000);
    const error = await new Promise((resolve) => open(null, resolve));
    expect(error).toMatchObject({ code: "EPRIVATE" });
  },
);

test.each([
  [587, { secure: false, requireTLS: true }],
  [465, { secure: true }],
])("a password for port %i is only sent encrypted", (port, options) => {
  expect(smtpOptions(enter("smtp.example.com", port).smtpUrl)).toMatchObject({
    ...{ port, ...options, auth: { user: "ada", pass: "p@ss:/ word" } },
  });
});
