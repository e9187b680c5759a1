// What an anonymous caller with only the public key can write, bypassing the browser.
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openClient, type Project, startProject } from "../start-project.ts";

let project: Project;
let anonymous: ReturnType<typeof openClient>;
let owner: ReturnType<typeof openClient>;

beforeAll(async () => {
  project = await startProject();
  anonymous = openClient(project);
  owner = openClient(project);
  await owner.auth.signInWithPassword(project.owner);
});

afterAll(() => project.stop());

const insertable = {
  posts: { slug: "forged", title: "Forged", category: "x", author: "x" },
  contact_messages: { name: "Mallory", email: "m@example.com", message: "Straight into the table" },
} as const;

test.each(["posts", "contact_messages"] as const)("cannot insert into %s", async (table) => {
  const { error } = await anonymous.from(table).insert(insertable[table] as never);
  expect(error?.code).toBe("42501");
});

test.each(["posts", "testimonials", "contact_messages"] as const)(
  "cannot update %s",
  async (table) => {
    const before = await owner.from(table).select("*");
    const { data } = await anonymous
      .from(table)
      .update({ created_at: "2001-01-01" })
      .not("id", "is", null)
      .select("id");
    expect(data ?? []).toEqual([]);
    expect(await owner.from(table).select("*")).toMatchObject({ data: before.data });
  },
);

test.each(["posts", "testimonials", "contact_messages"] as const)(
  "cannot delete from %s",
  async (table) => {
    const before = await owner.from(table).select("id");
    const { data } = await anonymous.from(table).delete().not("id", "is", null).select("id");
    expect(data ?? []).toEqual([]);
    expect((await owner.from(table).select("id")).data).toEqual(before.data);
  },
);

test("cannot read existing messages", async () => {
  await anonymous.functions.invoke("send-email", {
    body: JSON.stringify({
      name: "Ada",
      email: "ada@example.com",
      phone: "",
      message: "For the owner.",
    }),
  });
  expect((await owner.from("contact_messages").select("id")).data?.length).toBeGreaterThan(0);
  const { data, error } = await anonymous.from("contact_messages").select("*");
  expect({ data, code: error?.code }).toEqual({ data: null, code: "42501" });
});

test("cannot upsert over an existing review", async () => {
  const { data } = await anonymous.from("testimonials").select("*").limit(1).single();
  const { error } = await anonymous
    .from("testimonials")
    .upsert({ id: data?.id, name: "Mallory", content: "Replaced", rating: 1 });
  expect(error).not.toBeNull();
  const after = await anonymous
    .from("testimonials")
    .select("*")
    .eq("id", data?.id ?? "")
    .single();
  expect(after.data).toEqual(data);
});

test("can insert a testimonial", async () => {
  const review = { id: randomUUID(), name: "Ada", content: "Kind and clear.", rating: 5 };
  expect((await anonymous.from("testimonials").insert(review)).error).toBeNull();
});

test("cannot become the owner or query the owner check", async () => {
  expect((await anonymous.rpc("is_owner")).data).toBe(false);
  expect((await anonymous.rpc("make_owner", { id: randomUUID() })).error?.code).toBe("42501");
});

test("cannot write or remove images", async () => {
  const images = anonymous.storage.from("images");
  const gif = Buffer.from("R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw==", "base64");
  const path = `public/${randomUUID()}.gif`;
  expect((await images.upload(path, gif, { contentType: "image/gif" })).error).not.toBeNull();
  await owner.storage.from("images").upload(path, gif, { contentType: "image/gif" });
  expect((await images.remove([path])).data ?? []).toEqual([]);
  expect((await fetch(images.getPublicUrl(path).data.publicUrl)).status).toBe(200);
  await owner.storage.from("images").remove([path]);
});

test.each(["", "sb_publishable_wrong", "sb_secret_wrong"])(
  "has no access with the key %j",
  async (apikey) => {
    const response = await fetch(`${project.url}/rest/v1/posts?select=id`, { headers: { apikey } });
    expect(response.status).toBe(401);
  },
);

test.each(["people", "users", "schema_migrations"])(
  "cannot reach the internal table %s",
  async (table) => {
    for (const schema of ["public", "private", "auth", "supabase_migrations"]) {
      const response = await fetch(`${project.url}/rest/v1/${table}?select=*`, {
        headers: { apikey: project.anonKey, "accept-profile": schema },
      });
      expect(response.status).toBeGreaterThanOrEqual(400);
    }
  },
);
