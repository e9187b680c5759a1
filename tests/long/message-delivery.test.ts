// No contact message is lost: each one is delivered once, whatever the mail server does. The real
// supabase-js sends the messages through the function to a real mail server on this machine.
import { randomUUID } from "node:crypto";
import { join } from "node:path";
import type { SupabaseClient } from "@supabase/supabase-js";
import { type Functions, startFunctions } from "embedded-supabase/functions/functions.ts";
import { afterEach, beforeAll, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { embeddedConfig } from "../../embedded.config.ts";
import { mailNames, sampleOf } from "../mail-samples.ts";
import { publishSettings } from "../other-firm.ts";
import { setUpFolder } from "../set-up.ts";
import { decodeMail, type Fault, headerOf, type SmtpServer } from "../smtp-server.ts";
import { openClient, setUpProject, setUpSmtp } from "../start-project.ts";

/** Short pauses, with so many attempts that no message fails permanently. */
const manyPauses = Array.from({ length: 200 }, () => 0.2).join(",");

const smtp = await setUpSmtp();
const folder = await setUpFolder("message-delivery");
const sending = await setUpProject<SupabaseClient>({
  ...{ smtpUrl: smtp.url, retryPauses: manyPauses, jobIntervals: { mail: 200 } },
});
/** It has no mail service: only the senders of the tests send. */
const silent = await setUpProject<SupabaseClient>();
let { project, admin, owner } = sending;

beforeEach(async () => {
  // Close the previous test's connections to the mail server.
  await smtp.stopListening();
  await smtp.listenAgain();
  smtp.fault = null;
  smtp.mails.length = 0;
  smtp.mostConnections = 0;
  smtp.connections = 0;
});

function send(text: string, headers: Record<string, string> = {}) {
  const body = { name: "Ada Lovelace", email: "ada@example.com", phone: "", message: text };
  return openClient(project).functions.invoke("send-email", {
    body: JSON.stringify(body),
    headers,
  });
}

async function rows() {
  // Not the texts, because one response could not hold those of all messages.
  const { data, error } = await admin
    .from("contact_messages")
    .select("id,status,sent_at,last_error")
    .order("created_at");
  if (error) throw error;
  return data;
}

/** The mails of messages. */
async function mails() {
  const { data } = await admin
    .from("mails")
    .select("recipient,status,attempts,last_error,next_attempt_at")
    .eq("kind", "message")
    .order("created_at")
    .throwOnError();
  return data;
}

async function clear() {
  for (const table of ["mails", "contact_messages"]) {
    await admin.from(table).delete().not("id", "is", null).throwOnError();
  }
}

const statuses = async () => (await rows()).map(({ status }) => status);

/** Sends this many messages, a few at a time. @returns their texts. */
async function sendMany(count: number): Promise<string[]> {
  const texts = Array.from({ length: count }, () => `Please call me. ${randomUUID()}`);
  const waiting = [...texts];
  const visitor = async () => {
    for (let text = waiting.pop(); text; text = waiting.pop()) {
      const { error } = await send(text);
      expect(error).toBeNull();
    }
  };
  await Promise.all(Array.from({ length: 10 }, visitor));
  return texts;
}

const textOf = (mail: SmtpServer["mails"][number]) =>
  decodeMail(mail).match(/Please call me\. [0-9a-f-]{36}/)?.[0];

describe("the embedded backend", () => {
  afterEach(clear);

  // Many times as many messages as a delivery claims at once.
  const faults: [Fault | "is unreachable", number][] = [
    ["is unreachable", 200],
    ["rejects permanently", 60],
    ["tarpit", 60],
    ["disconnects before accepting the mail", 60],
  ];

  test.each(faults)(
    "messages sent while the mail server fails (%s) all arrive once afterwards: %i",
    async (fault, count) => {
      if (fault === "is unreachable") await smtp.stopListening();
      else smtp.fault = fault;
      const texts = await sendMany(count);
      await expect
        .poll(async () => (await rows()).some(({ last_error }) => last_error), { timeout: 20_000 })
        .toBe(true);
      expect(smtp.mails).toEqual([]);
      expect(await statuses()).toEqual(Array(count).fill("stored"));

      if (fault === "is unreachable") await smtp.listenAgain();
      else smtp.fault = null;
      await expect.poll(statuses, { timeout: 60_000 }).toEqual(Array(count).fill("sent"));
      expect(smtp.mails.map(textOf).sort()).toEqual(texts.sort());
      const ids = smtp.mails.map((mail) => headerOf(mail, "Message-ID"));
      expect(ids.sort()).toEqual((await rows()).map(({ id }) => `<${id}@example.com>`).sort());
    },
    100_000,
  );

  test("200 messages to a working server use few connections", async () => {
    const texts = await sendMany(200);
    await expect.poll(statuses, { timeout: 60_000 }).toEqual(Array(200).fill("sent"));
    expect(smtp.mails.map(textOf).sort()).toEqual(texts.sort());
    expect(smtp.mostConnections).toBeLessThanOrEqual(5);
    expect(smtp.connections).toBeLessThanOrEqual(20);
  }, 100_000);

  // SMTP cannot tell this case apart: the server has the mail, but the sender cannot know it. The
  // mail is sent again with the same Message-ID, by which mailboxes, and here the test, detect a
  // copy.
  test("a mail whose acceptance was not confirmed is sent again with the same Message-ID", async () => {
    smtp.fault = "disconnects after accepting the mail";
    const texts = await sendMany(10);
    await expect
      .poll(() => new Set(smtp.mails.map(textOf)).size, { timeout: 30_000 })
      .toBe(texts.length);
    smtp.fault = null;
    await expect.poll(statuses, { timeout: 60_000 }).toEqual(Array(10).fill("sent"));
    const byId = new Map(smtp.mails.map((mail) => [headerOf(mail, "Message-ID"), textOf(mail)]));
    expect(smtp.mails.length).toBeGreaterThan(10);
    expect([...byId.values()].sort()).toEqual(texts.sort());
  }, 100_000);
});

describe("several senders on one database", () => {
  const senders: Functions[] = [];

  beforeAll(() => {
    ({ project, admin, owner } = silent);
  });

  afterEach(async () => {
    await Promise.all(senders.splice(0).map((sender) => sender.stop()));
    await clear();
  });

  function startSender(environment: Record<string, string> = {}): Functions {
    const { backend } = project;
    if (!backend) throw new Error("These tests need the embedded backend");
    const sender = startFunctions({
      config: embeddedConfig,
      sql: backend.sql,
      siteUrl: project.url,
      publishableKey: project.anonKey,
      secretKey: project.secretKey,
      authenticate: async () => null,
      visitorAddress: () => null,
      environments: {
        "send-email": {
          SMTP_URL: smtp.url,
          CONTACT_TO: "adviser@example.com",
          CONTACT_FROM: "website@example.com",
          ...environment,
        },
      },
      cacheDir: join(folder, "deno"),
      log: () => {},
    });
    senders.push(sender);
    return sender;
  }

  /** Tells a sender to deliver the due messages. */
  function deliver(sender: Functions): Promise<Response> {
    const address = `${project.url}/functions/v1/send-email/deliver`;
    return sender.fetch(
      new Request(address, { method: "POST", headers: { apikey: project.secretKey } }),
    );
  }

  async function makeDue() {
    const next_attempt_at = "2000-01-01T00:00:00Z";
    await admin.from("mails").update({ next_attempt_at }).eq("status", "waiting").throwOnError();
  }

  test("messages stored without a mail service are sent once one is configured", async () => {
    const texts = await sendMany(3);
    expect(await mails()).toMatchObject(Array(3).fill({ status: "waiting", attempts: 0 }));
    expect(await (await deliver(startSender())).json()).toEqual({});
    await expect.poll(statuses).toEqual(Array(3).fill("sent"));
    expect(smtp.mails.map(textOf).sort()).toEqual(texts.sort());
  });

  test("a visitor gets a confirmation in fixed words when the adviser enables it", async () => {
    const [text = ""] = await sendMany(1);
    await deliver(startSender({ CONTACT_CONFIRMATION: "on" }));
    await expect.poll(() => smtp.mails.length).toBe(2);
    const confirmation = smtp.mails.find(({ envelope }) => /ada@/.test(envelope.join()));
    expect(confirmation?.envelope.at(-1)).toBe("RCPT TO:<ada@example.com>");
    // tests/mails has its words.
    expect(confirmation?.text).toContain("Your message has arrived");
    expect(confirmation?.text).not.toContain(text);
    // A stranger's address gets one an hour, however often somebody types it.
    await sendMany(1);
    await deliver(startSender({ CONTACT_CONFIRMATION: "on" }));
    await expect.poll(statuses).toEqual(["sent", "sent"]);
    const kinds = await admin.from("mails").select("id").eq("kind", "confirmation");
    expect(kinds.data).toHaveLength(1);
  });

  test("of two recipients, one refused: the other gets the message once, and the message names both states", async () => {
    const [text] = await sendMany(1);
    const recipients = ["one@example.com", "two@example.com"];
    await publishSettings(owner, { mail: { recipients, sender: "website@example.com" } });
    smtp.refuses = "two@example.com";
    onTestFinished(async () => {
      smtp.refuses = null;
      await admin.from("site_settings").delete().eq("section", "mail");
    });
    const sender = startSender();
    await deliver(sender);
    await expect
      .poll(mails)
      .toMatchObject(
        expect.arrayContaining([
          expect.objectContaining({ recipient: "one@example.com", status: "sent" }),
          expect.objectContaining({ recipient: "two@example.com", status: "waiting" }),
        ]),
      );
    await expect.poll(rows).toMatchObject([
      {
        status: "stored",
        sent_at: expect.any(String),
        last_error: expect.stringMatching(/^two@.*550/),
      },
    ]);
    // The owner replaces the address that is refused.
    await publishSettings(owner, { mail: { recipients: ["one@example.com", "new@example.com"] } });
    await makeDue();
    await deliver(sender);
    await expect.poll(statuses).toEqual(["sent"]);
    const got = smtp.mails.map(({ envelope }) => envelope.at(-1)).toSorted();
    expect(got).toEqual(["RCPT TO:<new@example.com>", "RCPT TO:<one@example.com>"]);
    expect(smtp.mails.map(textOf)).toEqual([text, text]);
  });

  test("greylisting, an outage of an hour and a restart in between lose no mail of any kind", async () => {
    const [text = ""] = await sendMany(1);
    const inAnHour = new Date(Date.now() + 3_600_000).toISOString();
    const others = mailNames
      .map((name) => ({ name, ...sampleOf(name) }))
      .filter(({ kind }) => kind !== "message" && kind !== "testimonial");
    const queued = others.map(({ name, kind, data }) => ({
      ...{ kind, data, recipient: `${name}@example.com`, expires_at: inAnHour },
    }));
    await admin.from("mails").insert(queued).throwOnError();
    smtp.fault = "rejects temporarily";
    const first = startSender();
    const all = async () =>
      (await admin.from("mails").select("status, last_error").throwOnError()).data;
    // Each run stops after a batch of which none was sent.
    await expect
      .poll(
        async () => {
          await deliver(first);
          return (await all()).filter(({ last_error }) => !last_error);
        },
        { timeout: 60_000 },
      )
      .toEqual([]);
    await first.stop();
    await smtp.stopListening();

    const second = startSender();
    await makeDue();
    await deliver(second);
    await expect
      .poll(
        async () => (await all()).filter(({ last_error }) => !last_error.includes("451")).length,
      )
      .toBeGreaterThan(0);
    await second.stop();
    // 59 minutes later: the link in the mail for a new password is valid for one minute more.
    const later = new Date(Date.now() + 60_000).toISOString();
    await admin.from("mails").update({ expires_at: later }).neq("kind", "message").throwOnError();
    smtp.fault = null;
    await smtp.listenAgain();
    await makeDue();
    await deliver(startSender());
    const states = async () => new Set((await all()).map(({ status }) => status));
    await expect.poll(states, { timeout: 60_000 }).toEqual(new Set(["sent"]));
    const got = smtp.mails.map(({ envelope }) => envelope.at(-1)?.slice(9, -13)).toSorted();
    expect(got).toEqual([...others.map(({ name }) => name), "adviser"].toSorted());
    expect(smtp.mails.map(textOf)).toContain(text);
    const { data: kept } = await admin.from("mails").select("data").throwOnError();
    expect(kept?.every(({ data }) => JSON.stringify(data) === "{}")).toBe(true);
  }, 200_000);

  test("concurrent claims never overlap", async () => {
    for (let round = 0; round < 5; round++) {
      await clear();
      const waiting = Array(30).fill({
        ...{ name: "Ada", email: "ada@example.com", message: "Please call me." },
      });
      await admin.from("contact_messages").insert(waiting);
      const leases = { max_count: 5, lease_seconds: 60, max_attempts: 3 };
      const team = JSON.stringify(["one@example.com", "two@example.com"]);
      const claims = await Promise.all(
        Array.from({ length: 10 }, () => admin.rpc("claim_mails", { ...leases, team })),
      );
      const claimed = claims.flatMap(({ data }) => data.map(({ id }: { id: string }) => id));
      expect(new Set(claimed).size).toBe(claimed.length);
      expect((await mails()).map(({ attempts }) => attempts)).not.toContain(2);
      expect(await mails()).toHaveLength(60);
    }
  });

  test("another sender takes over after a crash, but only when the claim has expired", async () => {
    const [text] = await sendMany(1);
    smtp.fault = "never confirms the mail";
    const first = startSender();
    await deliver(first);
    await expect.poll(mails).toMatchObject([{ status: "waiting", attempts: 1 }]);
    await first.stop();
    smtp.fault = null;

    const second = startSender();
    await deliver(second);
    const [mail] = await mails();
    expect(Date.parse(mail?.next_attempt_at ?? "") - Date.now()).toBeGreaterThan(60_000);
    expect(smtp.mails).toEqual([]);

    await makeDue();
    await deliver(second);
    await expect.poll(mails).toMatchObject([{ status: "sent", attempts: 2 }]);
    expect(smtp.mails.map(textOf)).toEqual([text]);
  });

  test("a claim that expires during the last attempt ends as failed, an earlier one does not", async () => {
    await sendMany(1);
    // Its recipients are known since its first attempt.
    smtp.fault = "rejects temporarily";
    await deliver(startSender());
    await expect.poll(mails).toMatchObject([{ attempts: 1, last_error: expect.any(String) }]);
    await admin.from("mails").update({ attempts: 3 }).not("id", "is", null).throwOnError();
    await makeDue();
    await deliver(startSender({ CONTACT_RETRY_PAUSES: "60,300" }));
    await expect
      .poll(rows)
      .toMatchObject([
        { status: "failed", last_error: expect.stringMatching(/The last attempt was cut off$/) },
      ]);
  });

  test("a visitor's message also delivers what is due", async () => {
    const earlier = await sendMany(2);
    const sender = startSender();
    const body = JSON.stringify({ name: "Ada", email: "a@b.example", message: "Please call me." });
    const address = `${project.url}/functions/v1/send-email`;
    const response = await sender.fetch(new Request(address, { method: "POST", body }));
    expect(response.status).toBe(200);
    await expect.poll(statuses).toEqual(Array(3).fill("sent"));
    expect(smtp.mails.map(textOf)).toEqual(expect.arrayContaining(earlier));
  });

  test("resubmitting a form whose message was sent creates no second mail", async () => {
    const sender = startSender();
    const once = () =>
      sender.fetch(
        new Request(`${project.url}/functions/v1/send-email`, {
          method: "POST",
          headers: { "idempotency-key": "the same" },
          body: JSON.stringify({ name: "Ada", email: "a@b.example", message: "Please call me." }),
        }),
      );
    await once();
    await expect.poll(statuses).toEqual(["sent"]);
    expect((await once()).status).toBe(200);
    const [other] = await sendMany(1);
    await deliver(sender);
    await expect.poll(statuses).toEqual(["sent", "sent"]);
    expect(smtp.mails).toHaveLength(2);
    expect(smtp.mails.map(textOf)).toContain(other);
  });
});
