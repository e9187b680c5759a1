import type { APIResponse } from "@playwright/test";
import { HtmlValidate } from "html-validate";
import { expect, test } from "../test.ts";

const validator = new HtmlValidate({ root: true, extends: ["html-validate:standard"] });

test("every served page is valid HTML", async ({ request }) => {
  const sitemap = await (await request.get("/sitemap.xml")).text();
  const others = ["/login", "/forgot-password", "/confirm", "/blog/new", "/no-such-page"];
  const listed = [...sitemap.matchAll(/<loc>https?:\/\/[^/]+([^<]*)<\/loc>/g)].map(
    ([, path]) => path || "/",
  );
  expect(listed).toContain("/services/life-insurance");
  for (const path of [...listed, ...others, "/contact?sent"]) {
    expect(await errorsOf(await request.get(path)), path).toEqual([]);
  }
});

test("the response to a form posted without JavaScript is valid HTML", async ({ request }) => {
  for (const [path, form] of [
    ["/contact", { name: 'A" <b>', email: "", message: "" }],
    ["/savings-calculator", { calculator: "coverage" }],
    ["/savings-calculator", { calculator: "retirement" }],
  ] as const) {
    expect(await errorsOf(await request.post(path, { form })), path).toEqual([]);
  }
});

async function errorsOf(response: APIResponse): Promise<string[]> {
  expect(response.headers()["content-type"]).toContain("text/html");
  const { results } = await validator.validateString(await response.text());
  return results.flatMap(({ messages }) =>
    messages.map(({ ruleId, message, selector }) => `${ruleId} at ${selector}: ${message}`),
  );
}
