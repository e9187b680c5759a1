// Where the site still has contact data that was replaced.
import { expect, test } from "vitest";
import { publishSettings } from "../other-firm.ts";
import { newPost } from "../post-calls.ts";
import { setUpProject } from "../start-project.ts";

const { owner } = await setUpProject();

const places = async () => {
  const { data } = await owner.rpc("outdated_contact").throwOnError();
  return data.map(({ value, kind, title, thing }) => [value, kind, title || thing].join(" | "));
};
const paragraph = (text: string) => [{ type: "paragraph", text }];
const contact = {
  phone: "(503) 555-0142 ext. 12",
  email: "ada@old.example",
  street: "9 Old Road (rear)",
};

test("a former phone number, email address and street are found in posts, pages and other settings", async () => {
  await owner
    .from("posts")
    .insert([
      newPost({ title: "Dots", content: paragraph("Call 503.555.0142 today.") }),
      newPost({ title: "Link", content: paragraph("See tel:+15035550142.") }),
      newPost({ title: "Other", content: paragraph("Call (503) 555-01423, policy 15503555014.") }),
      newPost({ title: "Mail", content: paragraph("Write to Ada@Old.example.") }),
    ])
    .throwOnError();
  await owner
    .from("pages")
    .insert(newPost({ title: "Team", content: paragraph("Visit 9 old road (rear).") }))
    .throwOnError();
  await publishSettings(owner, {
    contact,
    disclosures: { footer: ["Complaints: ada@old.example"] },
  });
  // What the site has is not outdated, however it is written.
  expect(await places()).toEqual([]);
  await publishSettings(owner, { contact: { ...contact, phone: "503 555 0142" } });
  expect(await places()).toEqual([]);

  await publishSettings(owner, {
    contact: { phone: "(971) 555-0100", email: "ada@new.example", street: "1 New Road" },
  });
  expect(await places()).toEqual([
    "503 555 0142 | post | Dots",
    "503 555 0142 | post | Link",
    `${contact.street} | page | Team`,
    `${contact.email} | post | Mail`,
    `${contact.email} | section | disclosures`,
  ]);
  const [first] = (await owner.rpc("outdated_contact").throwOnError()).data;
  const { value = "", kind = "post", thing = "" } = first ?? {};
  for (const is_right of [true, true, false, true]) {
    await owner.rpc("keep_contact", { value, kind, thing, is_right }).throwOnError();
    expect((await places()).includes("503 555 0142 | post | Dots")).toBe(!is_right);
  }
  expect(await places()).toContain("503 555 0142 | post | Link");
  await publishSettings(owner, { disclosures: { footer: [] } });
  expect(await places()).not.toContain(`${contact.email} | section | disclosures`);
});
