// An owner confirms the address of a running site, which all links then have, without a restart. Nobody can store one otherwise.
import { createClient } from "@supabase/supabase-js";
import { decodeJwt } from "jose";
import { expect, onTestFinished, test } from "vitest";
import { setUpProject, setUpSmtp, signIn } from "../start-project.ts";
import { type NewSite, startNewSite, stopSite } from "../start-site.ts";

const { project, sql, owner, admin, signInAs } = await setUpProject();
const smtp = await setUpSmtp();

interface Confirmation {
  url: string;
  token?: string | undefined;
  headers?: Record<string, string>;
}

async function confirm(address: string, { url, token, headers }: Confirmation) {
  const response = await fetch(`${url}/manage/address.json`, {
    method: "POST",
    headers: {
      ...{ "content-type": "application/json", origin: url },
      ...(token && { authorization: `Bearer ${token}` }),
      ...headers,
    },
    body: JSON.stringify({ address }),
  });
  return { status: response.status, body: await response.json() };
}

async function tokenOf(site: Pick<NewSite, "url" | "anonKey" | "owner">): Promise<string> {
  const { data } = await (await signIn(site)).auth.getSession();
  return data.session?.access_token ?? "";
}

/** The origins to which a page or file of the site links. */
async function originsIn(url: string, pattern: RegExp): Promise<string[]> {
  const text = await (await fetch(url)).text();
  return [
    ...new Set([...text.matchAll(pattern)].map(([, address = ""]) => new URL(address).origin)),
  ];
}

const linksOf: [path: string, pattern: RegExp][] = [
  ["/", /<link rel="canonical" href="([^"]+)"/g],
  ["/", /<meta property="og:url" content="([^"]+)"/g],
  ["/", /"@id":"(https?:[^"]+)"/g],
  ["/sitemap.xml", /<loc>([^<]+)<\/loc>/g],
  ["/robots.txt", /Sitemap: (\S+)/g],
  ["/rss.xml", /<link>([^<]+)<\/link>/g],
  ["/atom.xml", /<link rel="self"[^>]*href="([^"]+)"/g],
];

async function allOrigins(url: string): Promise<string[]> {
  const found = await Promise.all(linksOf.map(([path, kind]) => originsIn(url + path, kind)));
  // Each kind of link was there.
  expect(found.map(({ length }) => length)).not.toContain(0);
  return [...new Set(found.flat())];
}

test("after an owner has confirmed the address, pages, files and mails have it at once", async () => {
  const site = await startNewSite({ SMTP_URL: smtp.url });
  onTestFinished(site.stop);
  const token = await tokenOf(site);
  const address = `http://localhost:${site.port}`;
  expect(await allOrigins(site.url)).toEqual([site.url]);
  // The page is in the cache.
  const cached = await fetch(site.url);
  expect(cached.headers.get("cache-status")).toContain("hit");

  for (const wrong of ["http://localhost:1", "intranet", "10.0.0.5", "169.254.169.254", ""]) {
    expect(await confirm(wrong, { url: site.url, token })).toMatchObject({
      status: 422,
      body: { error: expect.stringMatching(/\.$/) },
    });
  }
  // Where others reach the site, this machine's own address is none.
  expect(
    (await confirm(address, { url: site.url, token, headers: { origin: "https://a.example" } }))
      .status,
  ).toBe(403);
  expect(await allOrigins(site.url)).toEqual([site.url]);

  const facts = { address, source: "confirmed", mayConfirm: true };
  expect(await confirm(address, { url: site.url, token })).toEqual({ status: 200, body: facts });
  expect(await allOrigins(site.url)).toEqual([address]);
  const read = await fetch(`${site.url}/manage/address.json`, {
    headers: { authorization: `Bearer ${token}` },
  });
  expect(await read.json()).toEqual(facts);

  const client = createClient(site.url, site.anonKey, { auth: { persistSession: false } });
  await client.auth.resetPasswordForEmail(site.owner.email);
  const message = { name: "Ada", email: "ada@example.com", message: "Please call me back." };
  await client.functions.invoke("send-email", { body: message });
  await expect.poll(() => smtp.mails.length, { timeout: 30_000 }).toBe(2);
  for (const { text } of smtp.mails) {
    const words = text.replaceAll("=\r\n", "").replaceAll("=3D", "=");
    expect(words).toContain(`${address}/`);
    expect(words).not.toContain(site.url);
  }

  await site.restart();
  expect(await allOrigins(site.url)).toEqual([address]);
  // SITE_URL comes first.
  await stopSite(site.process);
  await site.start({ SITE_URL: site.url });
  expect(await allOrigins(site.url)).toEqual([site.url]);
  expect((await confirm(address, { url: site.url, token: await tokenOf(site) })).status).toBe(409);
});

test("a site on a hosted project stores it with the site key, and other processes follow", async () => {
  const { data: key } = await owner.rpc("create_site_key").throwOnError();
  const keys = { SUPABASE_URL: project.url, SUPABASE_ANON_KEY: project.anonKey };
  const start = () => startNewSite({ ...keys, SITE_KEY: key ?? "" }, { prepare: null });
  const [site, other] = await Promise.all([start(), start()]);
  onTestFinished(async () => void (await Promise.all([site.stop(), other.stop()])));
  const newOwner = await signIn(project);
  const { data } = await newOwner.auth.getSession();
  const token = data.session?.access_token;
  const address = `http://localhost:${site.port}`;
  expect(await confirm(address, { url: site.url, token })).toMatchObject({ status: 200 });
  expect(await allOrigins(site.url)).toEqual([address]);
  await expect
    .poll(() => originsIn(`${other.url}/sitemap.xml`, /<loc>([^<]+)<\/loc>/g), { timeout: 20_000 })
    .toEqual([address]);
  expect(await confirm(`http://localhost:${other.port}`, { url: other.url, token })).toMatchObject({
    status: 200,
  });

  const { client: editor } = await signInAs("editor");
  const { data: session } = await editor.auth.getSession();
  for (const caller of [undefined, session.session?.access_token, "forged"]) {
    const { status } = await confirm(address, { url: site.url, token: caller });
    expect([401, 403]).toContain(status);
  }

  const call = (client: typeof owner, address: string, site_key = key ?? "") =>
    client.rpc("confirm_site_address", { address, site_key });
  expect((await call(newOwner, "https://www.ash.com", "guessed")).error?.code).toBe("42501");
  expect((await call(editor, "https://www.ash.com")).error?.code).toBe("42501");
  for (const malformed of [
    "http://www.ash.com",
    "https://a.com/b",
    "javascript:1",
    "https://",
    "",
  ]) {
    expect((await call(newOwner, malformed)).error?.code).toBe("23514");
  }
  // An unlocked computer gives the address away to nobody.
  await sql`
    update auth.sessions set created_at = now() - interval '6 minutes'
      where id = (${decodeJwt(token ?? "").session_id as string})::uuid`;
  const again = "Please enter your password again.";
  expect(await confirm(address, { url: site.url, token })).toEqual({
    status: 403,
    body: { error: again },
  });
  expect((await call(newOwner, "https://www.ash.com")).error).toMatchObject({
    ...{ code: "42501", message: again },
  });
  const row = { section: "address", document: { origin: "https://evil.example" }, version: 1 };
  for (const client of [owner, admin]) {
    // The types of the tables allow no such call.
    const table = (client as ReturnType<typeof createClient>).from("public_site_settings");
    expect((await table.upsert(row as never)).error).not.toBeNull();
    expect((await table.update(row as never).eq("section", "address")).error).not.toBeNull();
  }
  expect(await sql`select document from public_site_settings where section = 'address'`).toEqual([
    { document: { origin: `http://localhost:${other.port}` } },
  ]);
});

test("a section that is published leaves the address as it is", async () => {
  await sql`select private.store_site_address('https://www.ash.com')`;
  await sql`select private.publish_document('blog', '{"heading": "News", "lead": ""}')`;
  const rows = await sql`select document from public_site_settings where section = 'address'`;
  expect(rows).toEqual([{ document: { origin: "https://www.ash.com" } }]);
  await expect(sql`select private.store_site_address('https://Ash.com/x')`).rejects.toThrow(
    "public_site_settings_address",
  );
});
