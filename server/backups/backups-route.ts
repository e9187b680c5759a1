// /manage/backups: the backups of the embedded backend, for its owners.
//   GET  /manage/backups/list.json   with the token of an owner's session
//   POST /manage/backups/ticket      {name}, with the token of a session that has just begun: allows one download
//   POST /manage/backups/bucket      the settings of a bucket, or null, with the token of a session that has just begun
//   POST /manage/backups/start       with the token of an owner's session: makes a backup at once
//   POST /manage/backups/test        with the token of an owner's session: tests the bucket
//   POST /manage/backups/download    a form, which carries the cookie of the ticket alone
// A download is a form, because a browser streams its response to the disk. Its cookie is never in an address, belongs to one
// browser, works once and for a minute. Does not cover: a hosted project, whose platform makes the backups.
import { createHash, randomBytes } from "node:crypto";
import { Hono } from "hono";
import { getCookie, setCookie } from "hono/cookie";
import { z } from "zod";
import { type BucketForm, bucketSchema } from "../../app/config/bucket.ts";
import { type OwnersRouteOptions, rejectOthers } from "../reject-others.ts";
import { limitPageBodies, rejectCrossSiteWrites } from "../request-checks.ts";

interface BackupsRouteOptions extends OwnersRouteOptions {
  /** Null with a hosted project. */
  backups: {
    list(): object;
    start(): void;
    open(name: string): { bytes: number; content: ReadableStream } | null;
    changeBucket(form: BucketForm | null): string | null;
    testBucket(): Promise<string | null>;
  } | null;
}

interface Ticket {
  name: string;
  expires: number;
}

const newSession = ["is_owner", "has_just_signed_in"] as const;
const cookie = "backup-download";
const ticketSeconds = 60;
const maxTickets = 20;

export function createBackupsRoute(options: BackupsRouteOptions): Hono {
  const { backups } = options;
  /** By the hash of the cookie. */
  const tickets = new Map<string, Ticket>();

  return new Hono()
    .use(async (context, next) => {
      context.header("cache-control", "no-store");
      await next();
    })
    .get("/list.json", async (context) => {
      const rejected = await rejectOthers(context, options, "is_owner");
      return rejected ?? context.json(backups ? backups.list() : { isHosted: true });
    })
    .use(rejectCrossSiteWrites, limitPageBodies)
    .post("/ticket", async (context) => {
      const rejected = await rejectOthers(context, options, ...newSession);
      if (rejected) return rejected;
      const { data } = z
        .object({ name: z.string().max(100) })
        .safeParse(await context.req.json().catch(() => null));
      const backup = data && backups?.open(data.name);
      await backup?.content.cancel();
      if (!data || !backup) return context.json({ error: missing }, 404);
      const secret = randomBytes(32).toString("base64url");
      addTicket(digest(secret), { name: data.name, expires: Date.now() + ticketSeconds * 1000 });
      setCookie(context, cookie, secret, {
        ...{ httpOnly: true, sameSite: "Strict", path: "/manage/backups", maxAge: ticketSeconds },
        // Behind a proxy, the address of the request is http://.
        secure: context.req.header("origin")?.startsWith("https:") ?? false,
      });
      return context.body(null, 204);
    })
    .post("/bucket", async (context) => {
      const rejected = await rejectOthers(context, options, ...newSession);
      if (rejected) return rejected;
      const { data, error } = z
        .nullable(bucketSchema)
        .safeParse(await context.req.json().catch(() => undefined));
      const problem = error ? error.issues[0]?.message : backups?.changeBucket(data);
      return problem ? context.json({ error: problem }, 400) : context.body(null, 204);
    })
    .post("/start", async (context) => {
      const rejected = await rejectOthers(context, options, "is_owner");
      if (rejected) return rejected;
      backups?.start();
      return context.body(null, 202);
    })
    .post("/test", async (context) => {
      const rejected = await rejectOthers(context, options, "is_owner");
      if (rejected) return rejected;
      return context.json({ problem: (await backups?.testBucket()) ?? null });
    })
    .post("/download", (context) => {
      const key = digest(getCookie(context, cookie) ?? "");
      const ticket = tickets.get(key);
      tickets.delete(key);
      if (!ticket || ticket.expires < Date.now()) {
        return context.text("This download has expired. Please start it again.", 403);
      }
      const backup = backups?.open(ticket.name);
      if (!backup) return context.text(missing, 404);
      console.log(`A backup was downloaded: ${ticket.name}`);
      return context.body(backup.content, 200, {
        "content-type": "application/gzip",
        "content-length": String(backup.bytes),
        "content-disposition": `attachment; filename="${ticket.name}"`,
      });
    });

  function addTicket(key: string, ticket: Ticket): void {
    for (const [other, { expires }] of tickets) {
      if (expires < Date.now() || tickets.size >= maxTickets) tickets.delete(other);
    }
    tickets.set(key, ticket);
  }
}

const missing = "This backup is not there any more.";

/** The memory of the process holds no cookie that works. */
function digest(secret: string): string {
  return createHash("sha256").update(secret).digest("hex");
}
