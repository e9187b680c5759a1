// The archive: the chain over the versions of posts and settings, and what owners read of it.
import type { SupabaseClient } from "@supabase/supabase-js";
import { afterAll, beforeAll, expect, test } from "vitest";
import { otherFirm, publishSettings } from "../other-firm.ts";
import { openClient, type Project, startProject } from "../start-project.ts";

let project: Project;
let owner: SupabaseClient;

beforeAll(async () => {
  project = await startProject();
  owner = openClient(project);
  await owner.auth.signInWithPassword(project.owner);
});

afterAll(async () => {
  await project.stop();
});

const post = { slug: "archived", title: "Whole life", category: "A", author: "A" };
const content = [{ type: "paragraph", text: "Ünique advice, in a paragraph" }];

async function call(name: string, values: Record<string, unknown> = {}) {
  return (await owner.rpc(name, values).throwOnError()).data;
}

test("owners read what visitors could read at a moment, and find it by its words", async () => {
  const insert = owner.from("posts").insert({ ...post, content });
  const { id } = (await insert.select("id").single().throwOnError()).data;
  const moment = (await call("archive_summary")).last_at;
  await owner.from("posts").update({ title: "Renamed" }).eq("id", id).throwOnError();
  const changed = (await call("archive_summary")).last_at;
  await publishSettings(owner, { blog: otherFirm.blog });
  const wanted = { wanted_kind: "post", wanted_item: id, first: 0, count: 10 };
  expect(await call("archive_at", { moment, ...wanted })).toEqual({
    total: 1,
    rows: [
      {
        ...{ number: 9, kind: "post", item: id, since: moment, until: changed },
        ...{ by: project.owner.email, document: expect.objectContaining({ ...post, content }) },
      },
    ],
  });
  const found = { kind: "post", item: id, by: project.owner.email };
  const search = { query: "para unique", first: 0, count: 1 };
  expect(await call("search_archive", search)).toEqual({
    total: 2,
    rows: [{ ...found, number: 10, title: "Renamed", since: changed, until: null }],
  });
  const period = { starts: changed, ends: "2200-01-01", after: 8, count: 100 };
  expect((await call("archive_period", period)).rows).toEqual([
    expect.objectContaining({ ...found, number: 10, event: "published", is_public: true }),
    expect.objectContaining({ number: 11, kind: "settings", item: "blog", until: null }),
  ]);
});
