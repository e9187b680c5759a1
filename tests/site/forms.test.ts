// The forms of the site in a browser without JavaScript.
import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { defaultSite } from "../default-site.ts";
import { find, type Page, pressed, setUpSite, textOf } from "./site.ts";

const { owner, open } = await setUpSite();

const valid = { name: "Ada", email: "ada@example.com", message: "Could we talk next week?" };

function send(page: Page, values: Record<string, string>): Promise<Page> {
  return open(...pressed(page, "Send Message", values));
}

/** The value of a form's field. */
function fieldValue({ document }: Page, name: string): string | null {
  const field = find(document, `main form [name=${name}]`);
  return field.getAttribute("value") ?? field.textContent;
}

/** What a screen reader adds to a field's name. */
function descriptionOf({ document }: Page, name: string): string {
  const ids = find(document, `main form [name=${name}]`).getAttribute("aria-describedby") ?? "";
  return ids
    .split(" ")
    .map((id) => textOf(document.getElementById(id)))
    .join(" ");
}

function alertOf({ document }: Page): string {
  return textOf(find(document, "main [role=alert]"));
}

function statusOf({ document }: Page): string {
  return textOf(document.querySelector("main [role=status]"));
}

test("the contact page shows the errors, keeps the input, and then sends", async () => {
  const name = `Ada ${randomUUID()}`;
  const wrong = { name: "A", email: "ada@", phone: "555 12", message: "Short" };
  const rejected = await send(await open("/contact"), wrong);
  expect(rejected.status).toBe(400);
  expect(alertOf(rejected)).toContain("Please check 3 answers:");
  expect(descriptionOf(rejected, "name")).toBe("Name must be at least 2 characters.");
  expect(descriptionOf(rejected, "email")).toBe("Please enter a valid email address.");
  expect(descriptionOf(rejected, "message")).toBe("Message must be at least 10 characters.");
  expect(fieldValue(rejected, "email")).toBe("ada@");
  expect(fieldValue(rejected, "phone")).toBe("555 12");

  const sent = await send(rejected, { ...valid, name });
  expect(sent.path).toBe("/contact?sent");
  expect(statusOf(sent)).toContain("Message Sent!");
  expect(statusOf(sent)).toContain("I'll be in touch shortly.");
  expect(fieldValue(sent, "name")).toBe("");
  const another = await open(...pressed(sent, "Write another message"));
  expect([another.path, another.status, statusOf(another)]).toEqual(["/contact", 200, ""]);
  const { data } = await owner.from("contact_messages").select("*").eq("name", name);
  expect(data).toMatchObject([{ ...valid, name, phone: "555 12" }]);
});

test("the home page shows the function's error, keeps the input, and then sends once", async () => {
  const name = `G ${randomUUID()}`;
  const values = { name, email: `grace@${randomUUID()}`, message: "Call me" };
  const rejected = await send(await open("/"), { ...values, message: "          " });
  expect(alertOf(rejected)).toBe("Please enter your message.");
  expect(fieldValue(rejected, "name")).toBe(name);

  for (let time = 1; time <= 2; time++) {
    const sent = await send(time === 1 ? rejected : await open("/"), values);
    expect(sent.path).toBe("/?sent");
    expect(statusOf(sent)).toContain("We'll be in touch soon.");
    expect(statusOf(await open("/"))).toBe("");
  }
  const { data } = await owner
    .from("contact_messages")
    .select("id")
    .eq("name", name)
    .throwOnError();
  expect(data).toHaveLength(1);
});

test.each(["/contact", "/"])(
  "a message of %s with a filled-in honeypot is stored as spam",
  async (path) => {
    const name = `Filled ${randomUUID()}`;
    const sent = await send(await open(path), { ...valid, name, subject: "Ada Lovelace" });
    expect(statusOf(sent)).toContain("Message Sent!");
    const { data } = await owner.from("contact_messages").select("*").eq("name", name);
    expect(data).toMatchObject([{ ...valid, name, spam_at: expect.any(String) }]);
  },
);

test("both calculators compute their result from corrected numbers", async () => {
  let page = await open("/savings-calculator");
  page = await open(...pressed(page, "Calculate Coverage"));
  expect(page.html).toContain("$2,320,000");
  page = await open(...pressed(page, "Project Savings"));
  expect(page.html).toContain("$1,193,434");

  const { document } = await open("/savings-calculator");
  const income = find(document, "input[aria-label='Annual Income, as a number']");
  const name = income.getAttribute("name") ?? "";
  page = await open(...pressed(page, "Calculate Coverage", { [name]: "$99,999,999" }));
  expect(page.html).toContain("$150,070,000");
  expect(fieldValue(page, name)).toBe("5,000,000");
});

test("a calculator's result gets into the contact form on request, where nothing is sent yet", async () => {
  const calculator = await open("/savings-calculator");
  const result = await open(...pressed(calculator, "Calculate Coverage"));
  const contact = await open(
    ...pressed(result, `Send this result to ${defaultSite.adviser.fullName}`),
  );
  expect(contact.path).toBe("/contact");
  expect(fieldValue(contact, "message")).toMatch(
    /^Life Insurance Calculator\nEstimated Coverage Needed: \$2,320,000\n30 years of today's income/,
  );
  expect(contact.document.querySelector("main [role=alert]")).toBeNull();
  const { data } = await owner.from("contact_messages").select("message").throwOnError();
  expect(data.filter(({ message }) => message.includes("$2,320,000"))).toEqual([]);
});

test("features that need scripts say so, and put no password into a URL", async () => {
  const noScript = ({ document }: Page) => textOf(find(document, "main noscript"));
  const login = await open("/login");
  expect(noScript(login)).toContain("Signing in needs JavaScript.");
  const password = "do-not-show-me";
  const rejected = await open(
    ...pressed(login, "Log In", { email: "owner@example.com", password }),
  );
  expect(alertOf(rejected)).toContain("needs JavaScript");
  expect(rejected.path).toBe("/login");
  expect(rejected.html).not.toContain(password);
  for (const path of ["/blog/new", "/blog/anything/edit", "/messages", "/manage/settings"]) {
    expect(noScript(await open(path)), path).toContain("This page needs JavaScript.");
  }
  expect(noScript(await open("/testimonials"))).toContain(
    "Writing a review here needs JavaScript.",
  );
});
