/** What nodemailer needs for an SMTP_URL. */
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
