// How an owner enters a mail service, what of it can be read, and that all mails then go that way. The browser is bypassed.
import { randomUUID } from "node:crypto";
import { createServer } from "node:net";
import { loadSecrets } from "embedded-supabase/secrets.ts";
import { afterAll, expect, onTestFinished, test } from "vitest";
import { encryptSecret } from "../../server/embedded/stored-secrets.ts";
import { decodeMail, headerOf, loopbackAddress, startSmtp } from "../smtp-server.ts";
import { openClient, setUpProject, signIn } from "../start-project.ts";

const host = loopbackAddress();
const smtp = await startSmtp(host);
afterAll(() => smtp.stopListening());
const password = `secret ${randomUUID()}`;
smtp.password = password;
const { project, sql, owner, visitor, signInAs } = await setUpProject({
  jobIntervals: { mail: 300 },
});
const service = { kind: "smtp", host, port: 2525, user: "a@b" };

type Client = typeof owner;

async function call(client: Client, method: "GET" | "POST", body?: unknown) {
  const { data } = await client.auth.getSession();
  const response = await fetch(`${project.url}/functions/v1/send-email/service`, {
    method,
    headers: {
      apikey: project.anonKey,
      ...(data.session && { authorization: `Bearer ${data.session.access_token}` }),
    },
    body: body === undefined ? null : JSON.stringify(body),
  });
  return { status: response.status, said: await response.text() };
}

const enter = (changes: object = {}, secret: string = password, client: Client = owner) =>
  call(client, "POST", { service: { ...service, ...changes }, secret });
const state = async () => JSON.parse((await call(owner, "GET")).said);
const sendTest = async () => (await owner.functions.invoke("send-email/test", { body: "" })).data;
const stored = async () => (await sql`select service, secret from private.mail_service`)[0];

test("only an owner who has just signed in enters a mail service", async () => {
  for (const client of [
    visitor,
    await signIn(project, await project.createStranger()),
    (await signInAs("editor")).client,
    (await signInAs("assistant")).client,
  ]) {
    expect(await enter({}, password, client)).toMatchObject({ status: 403 });
    expect(await call(client, "GET")).toMatchObject({ status: 403 });
  }
  await sql`update auth.sessions set created_at = now() - interval '10 minutes'`;
  expect(await enter()).toEqual({
    ...{ status: 403, said: JSON.stringify({ error: "Please enter your password again." }) },
  });
  const values = { service: JSON.stringify(service), secret: "A".repeat(60) };
  expect((await owner.rpc("store_mail_service", values)).error?.code).toBe("42501");
  await sql`update auth.sessions set created_at = now()`;
  expect(await stored()).toBeUndefined();
});

test.each([
  [{ host: "mail server" }, "Please enter the name of the server alone, such as smtp.example.com."],
  [{ host: "smtp://smtp.example.com" }, "Please enter the name of the server alone"],
  [{ host: "smtp.example.com", port: 22 }, "The port must be one of 587, 465, 2525, 25."],
  [{ user: "a\nb" }, "The user name must be one line."],
  [{ kind: "resend" }, "Please enter the API key.", ""],
  [{}, "Please enter the password.", ""],
])("%j is not accepted: %s", async (changes, problem, secret = password) => {
  expect(await enter(changes, secret)).toMatchObject({
    ...{ status: 400, said: expect.stringContaining(problem) },
  });
});

test.each([
  ["a port of another service", { ...service, host: "smtp.example.com", port: 6379 }],
  ["another kind", { kind: "http", host: "smtp.example.com" }],
  ["a field that is not known", { ...service, password: "hunter2" }],
  ["a name with a path", { ...service, host: "smtp.example.com/a" }],
])("the database rejects %s", async (_what, given) => {
  const values = { service: JSON.stringify(given), secret: "A".repeat(60) };
  expect((await owner.rpc("store_mail_service", values)).error?.code).toBe("23514");
});

test("the database stores no secret that is not encrypted", async () => {
  const values = { service: JSON.stringify(service), secret: password };
  expect((await owner.rpc("store_mail_service", values)).error?.code).toBe("23514");
});

test("without a mail service, the test mail says so and mails wait", async () => {
  expect(await state()).toMatchObject({ setBy: null, stored: null, isUnreadable: false });
  expect(await sendTest()).toEqual({ accepted: false, text: "Emails are not set up yet." });
});

test("what is entered is used for all mails at once, and its password is never shown", async () => {
  await visitor.functions.invoke("send-email", {
    body: JSON.stringify({ name: "Ada", email: "ada@example.com", message: "Waited until now." }),
  });
  expect(await enter()).toEqual({ status: 200, said: "{}" });
  await expect.poll(() => smtp.mails.map(decodeMail).join()).toContain("Waited until now.");
  smtp.mails.length = 0;

  expect(await sendTest()).toMatchObject({ accepted: true });
  const [mail] = smtp.mails;
  expect(mail && headerOf(mail, "To")).toBe(project.owner.email);
  await visitor.auth.resetPasswordForEmail(project.owner.email);
  await expect.poll(() => smtp.mails.map(decodeMail).join()).toContain("/confirm#");

  const shown = await state();
  expect(shown).toMatchObject({
    stored: { service, by: project.owner.email, at: expect.any(String) },
    ...{ setBy: null, isUnreadable: false, email: project.owner.email },
  });
  expect(await stored()).toEqual({
    service,
    secret: expect.stringMatching(/^[A-Za-z0-9+/=]{40,}$/),
  });
  const { secretKey } = loadSecrets(project.dataDir);
  const answers = [
    ...[shown, (await owner.rpc("mail_service")).data, await stored()],
    ...(await sql`select to_jsonb(mails) as mail from public.mails`),
    await (
      await fetch(`${project.url}/rest/v1/mail_service`, { headers: { apikey: secretKey } })
    ).text(),
  ];
  expect(JSON.stringify(answers)).not.toContain(password);
  expect((await owner.rpc("read_mail_service")).error?.code).toBe("42501");
  expect((await openClient(project).rpc("read_mail_service")).error?.code).toBe("42501");
});

test("a wrong password is named, with the status line of the server and nothing else", async () => {
  expect(await enter({}, "another password")).toMatchObject({ status: 200 });
  expect(await sendTest()).toEqual({
    ...{ accepted: false, answer: "535 5.7.8 Authentication failed" },
    text: expect.stringContaining("refused the user name or the password"),
    sender: expect.toBeOneOf([null, expect.any(Array)]),
  });
  const other = createServer((socket) => socket.end("HTTP/1.1 200 OK\r\n\r\n<b>secret page</b>"));
  const elsewhere = loopbackAddress();
  other.listen(2525, elsewhere);
  onTestFinished(() => void other.close());
  expect(await enter({ host: elsewhere })).toMatchObject({ status: 200 });
  const web = await sendTest();
  expect(web).toMatchObject({ text: expect.stringContaining("no mail server"), accepted: false });
  expect(JSON.stringify(web)).not.toMatch(/HTTP|secret page/i);
});

test("a password that was encrypted on another machine has to be entered again", async () => {
  await enter();
  const folder = project.dataDir.replace(/data$/, "");
  await sql`update private.mail_service set secret = ${encryptSecret(folder, "mail service", password)}`;
  expect(await state()).toMatchObject({ stored: { service }, isUnreadable: true });
  expect(await sendTest()).toMatchObject({
    text: "The stored password cannot be read on this machine. Enter it again.",
  });
  const facts = await project.backend?.readLiveFacts();
  expect(facts?.enteredMail).toEqual({ service: null });
  expect(await project.backend?.sendsMail()).toBe(false);
  await enter();
  expect(await project.backend?.sendsMail()).toBe(true);
});

test("what is removed is gone", async () => {
  expect(await call(owner, "POST", null)).toMatchObject({ status: 200 });
  expect(await stored()).toBeUndefined();
  expect(await project.backend?.sendsMail()).toBe(false);
});
