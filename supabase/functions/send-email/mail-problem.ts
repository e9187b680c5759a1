// Why a mail was not sent, in words that say what to do, and what the server answered, for whoever helps.
// Covers: errors of nodemailer, of connections in Node and Deno, and of Resend.
import { messageOf } from "../_shared/message-of.ts";

export interface MailProblem {
  text: string;
  /** The status line of the server, or a code; never anything else that it sent. */
  answer: string | null;
}

const wrongPassword =
  "The mail server refused the user name or the password. Enter both again. Some services, such as Gmail and Outlook, want a password that is made for apps.";
const wrongSender =
  "The mail server refused the sender. Enter an address as sender that belongs to your account there.";
const wrongCertificate =
  "The certificate of the mail server is not valid for this name. Enter the name exactly as your mail service writes it.";
const noEncryption =
  "The mail server does not encrypt its connection on this port. Choose port 465 or 587.";
const noMailServer = "What answers there is no mail server. Check the name and the port.";
const noAnswer =
  "The mail server does not answer. Check its name, and try another port: some machines may not use 25 and 587.";

/** By the code of the error. */
const byCode: Readonly<Record<string, string>> = {
  EAUTH: wrongPassword,
  ENOAUTH: wrongPassword,
  ENOTFOUND: "There is no mail server of this name. Check how it is written.",
  EDNS: "There is no mail server of this name. Check how it is written.",
  ENODATA: "There is no mail server of this name. Check how it is written.",
  ECONNREFUSED: "Nothing answers at this port. Try 587 or 465.",
  ETIMEDOUT: noAnswer,
  ETIMEOUT: noAnswer,
  EHOSTUNREACH: noAnswer,
  ENETUNREACH: noAnswer,
  EPRIVATE:
    "The site connects to mail servers on the internet only. This name leads to a private network.",
  EPROTOCOL: noMailServer,
  ERR_SSL_WRONG_VERSION_NUMBER: noEncryption,
  ERR_TLS_CERT_ALTNAME_INVALID: wrongCertificate,
};

const byResendStatus: Readonly<Record<number, string>> = {
  400: "Resend refused the key. Make a new one there, and enter it here.",
  401: "Resend refused the key. Make a new one there, and enter it here.",
  403: "Resend refused the sender. Verify the domain of your sender there.",
  422: "Resend refused the sender. Verify the domain of your sender there.",
  429: "Resend wants fewer mails at a time. Try again in a few minutes.",
};

/** @param error what the library or the connection threw */
export function explainMailProblem(error: unknown): MailProblem {
  const { code, command, response, responseCode, message, service } = Object(error);
  const isResend = service === "Resend";
  const answer = statusLine(response) ?? (isWord(code) ? code : null);
  return { text: describe(), answer: isResend ? `Resend: ${responseCode}` : answer };

  function describe(): string {
    if (isResend) {
      const other = "Resend could not take the mail. Try again in a few minutes.";
      return byResendStatus[responseCode] ?? other;
    }
    // Deno gives no code for a certificate.
    if (/certificate|self.signed|altname/i.test(String(message))) return wrongCertificate;
    if (code === "ETLS" || /wrong version number|InvalidContentType/i.test(String(message))) {
      return noEncryption;
    }
    if (/^Invalid greeting/i.test(String(message))) return noMailServer;
    if (typeof code === "string" && byCode[code]) return byCode[code];
    // It closed the connection, or said nothing within the timeout.
    if (code === "ECONNECTION" || code === "ESOCKET" || code === "ECONNRESET") return noAnswer;
    if (responseCode === 530 || responseCode === 535) return wrongPassword;
    if (responseCode >= 400 && responseCode < 500) {
      return "The mail server takes no mail just now. Try again in a few minutes.";
    }
    if (command === "MAIL FROM" || responseCode === 553) return wrongSender;
    if (command === "RCPT TO") return "The mail server refused the address of the recipient.";
    if (responseCode >= 500) {
      return "The mail server refused the mail. Ask your mail service for the reason.";
    }
    return "The mail could not be sent. Try again in a few minutes.";
  }
}

/** One line for the list of mails. */
export function describeMailProblem(error: unknown): string {
  const { code, responseCode } = Object(error);
  if (code === undefined && responseCode === undefined) return messageOf(error);
  const { text, answer } = explainMailProblem(error);
  return answer ? `${text} (${answer})` : text;
}

/** The first line of an answer of SMTP; null for anything else. */
function statusLine(response: unknown): string | null {
  const [line] = /^[2-5]\d\d[ -][\x20-\x7e]*/.exec(String(response ?? "")) ?? [];
  return line?.slice(0, 200) ?? null;
}

function isWord(code: unknown): code is string {
  return typeof code === "string" && /^\w{1,40}$/.test(code);
}
