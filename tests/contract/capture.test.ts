// A site on a hosted project keeps the pages that it serves, as a visitor gets them.
import { expect, onTestFinished, test } from "vitest";
import { defaultSettings } from "../../app/config/site.ts";
import { publishSettings } from "../other-firm.ts";
import { newPost } from "../post-calls.ts";
import { setUpProject } from "../start-project.ts";
import { startNewSite } from "../start-site.ts";

const { project, sql, owner } = await setUpProject();

async function copiesOf(path: string) {
  return sql<{ digest: string | null; files: string[]; html: string }[]>`
    select digest, files, convert_from(bytes, 'UTF8') as html
      from private.archive_pages left join private.archive_files on archive_files.hash = digest
      where path = ${path} order by number`;
}

test("a site keeps each page once, with its files, and its end when it leaves the site", {
  tags: "long",
}, async () => {
  // Each pass renders every page. One post is enough to keep the blog in the menu.
  await sql`delete from posts where id <> (select id from posts limit 1)`;
  const callConsent = "I agree to calls.";
  await publishSettings(owner, { disclosures: { ...defaultSettings.disclosures, callConsent } });
  const { data: key } = await owner.rpc("create_site_key").throwOnError();
  const post = newPost({ content: [{ type: "paragraph", text: "First words." }] });
  await owner.from("posts").insert(post).throwOnError();
  const path = `/blog/${post.slug}`;
  const keys = { SUPABASE_URL: project.url, SUPABASE_ANON_KEY: project.anonKey };
  const environment = { ...keys, SITE_KEY: key ?? "", ARCHIVE_INTERVAL: "1" };
  const site = await startNewSite(environment, { prepare: null });
  onTestFinished(site.stop);
  const calculator = "/savings-calculator?calculator=retirement";
  await expect.poll(() => copiesOf(calculator), { timeout: 60_000 }).toHaveLength(1);
  expect((await copiesOf(calculator))[0]?.html).toContain("$1,193,434");
  const [copy] = await copiesOf(path);
  expect(copy?.html).toContain("First words.");
  expect(copy?.files.length).toBeGreaterThan(1);

  await owner.from("posts").delete().eq("id", post.id).throwOnError();
  await expect.poll(() => copiesOf(path), { timeout: 60_000 }).toHaveLength(2);
  expect((await copiesOf(path))[1]?.digest).toBeNull();
  expect(await copiesOf("/contact")).toMatchObject([
    { html: expect.stringContaining(callConsent) },
  ]);
  expect((await copiesOf("/rss.xml"))[0]?.html).toContain("First words.");
  expect(await sql`select private.verify_archive()`).toEqual([]);
});
