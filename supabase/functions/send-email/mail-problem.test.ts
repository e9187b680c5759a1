import { expect, test } from "vitest";
import { describeMailProblem, explainMailProblem } from "./mail-problem.ts";

const failed = (fields: object, message = "failed") => Object.assign(new Error(message), fields);

test.each([
  ["a wrong password", { code: "EAUTH", responseCode: 535 }, "user name or the password"],
  ["an unknown name", { code: "ENOTFOUND" }, "no mail server of this name"],
  ["a closed port", { code: "ECONNREFUSED" }, "Nothing answers at this port"],
  ["silence", { code: "ETIMEDOUT" }, "does not answer"],
  ["a private network", { code: "EPRIVATE" }, "leads to a private network"],
  ["a wrong certificate", { code: "ERR_TLS_CERT_ALTNAME_INVALID" }, "certificate"],
  ["no encryption", { code: "ETLS" }, "does not encrypt"],
  ["another protocol", { code: "EPROTOCOL" }, "no mail server"],
  [
    "a sender",
    { code: "EENVELOPE", command: "MAIL FROM", responseCode: 550 },
    "refused the sender",
  ],
  ["a recipient", { code: "EENVELOPE", command: "RCPT TO", responseCode: 550 }, "the recipient"],
  ["a busy server", { code: "EENVELOPE", command: "RCPT TO", responseCode: 451 }, "few minutes"],
  ["a refused mail", { code: "EMESSAGE", command: "DATA", responseCode: 554 }, "refused the mail"],
  ["a key of Resend", { responseCode: 401, service: "Resend" }, "Resend refused the key"],
  ["a domain at Resend", { responseCode: 403, service: "Resend" }, "Verify the domain"],
  ["anything else", {}, "could not be sent"],
])("%s has a sentence that says what to do", (_what, fields, words) => {
  const { text } = explainMailProblem(failed(fields));
  expect(text).toContain(words);
  expect(text).toMatch(/^[A-Z].*\.$/);
});

test("Deno's words for certificates and protocols are known", () => {
  const text = (message: string) => explainMailProblem(failed({ code: "ESOCKET" }, message)).text;
  expect(text("invalid peer certificate: UnknownIssuer")).toContain("certificate");
  expect(text("received corrupt message of type InvalidContentType")).toContain("does not encrypt");
});

test("only the status line of a server is passed on", () => {
  const answer = (response: string) => explainMailProblem(failed({ response })).answer;
  expect(answer("535 5.7.8 Authentication failed\r\nsecond line")).toBe(
    "535 5.7.8 Authentication failed",
  );
  expect(answer("HTTP/1.1 200 OK\r\nset-cookie: session=1")).toBe(null);
  expect(answer("-ERR unknown command")).toBe(null);
  expect(answer(`550 ${"x".repeat(500)}`)).toHaveLength(200);
});

test("the list of mails has the sentence and the answer, or what else went wrong", () => {
  const refused = failed({ code: "EAUTH", responseCode: 535, response: "535 no" });
  expect(describeMailProblem(refused)).toMatch(/^The mail server refused the user .* \(535 no\)$/);
  expect(describeMailProblem(new Error("There is no letter a"))).toBe("There is no letter a");
});
