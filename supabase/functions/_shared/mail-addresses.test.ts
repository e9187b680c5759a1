import { expect, test } from "vitest";
import { chooseAddresses } from "./mail-addresses.ts";

const environment = {
  to: "to@env.example",
  from: "from@env.example",
  fallback: "new@site.example",
};
const published = {
  mail: { recipients: ["one@firm.example", "two@firm.example"], sender: "website@firm.example" },
  contact: { email: "hello@firm.example" },
};

test("published recipients and sender come first", () => {
  expect(chooseAddresses(published, environment)).toEqual({
    to: ["one@firm.example", "two@firm.example"],
    from: "website@firm.example",
    hasSender: true,
    publicAddress: "hello@firm.example",
  });
});

test("without a sender, mails come from the first recipient, which strangers must not see", () => {
  const { from, hasSender } = chooseAddresses({ mail: { recipients: ["a@b.example"] } }, {});
  expect([from, hasSender]).toEqual(["a@b.example", false]);
});

test("of a sender with a name only the address counts", () => {
  const { from } = chooseAddresses({}, { from: "Ash & Oak <website@firm.example>" });
  expect(from).toBe("website@firm.example");
});

test.each([
  ["the environment", {}, environment, "to@env.example", "from@env.example"],
  [
    "the published address",
    published,
    { fallback: "x@y.example" },
    "one@firm.example",
    "website@firm.example",
  ],
  [
    "the contact address",
    { contact: published.contact },
    { fallback: "x@y.example" },
    "hello@firm.example",
    "hello@firm.example",
  ],
  [
    "the address of a new site",
    {},
    { fallback: "new@site.example" },
    "new@site.example",
    "new@site.example",
  ],
])("messages go to %s", (_what, documents, settings, to, from) => {
  expect(chooseAddresses(documents, settings)).toMatchObject({
    to: expect.arrayContaining([to]),
    from,
  });
});

test("without any address there is no recipient", () => {
  const documents = { mail: { recipients: [3, ""] }, contact: null };
  expect(chooseAddresses(documents, {})).toMatchObject({ to: [], from: "" });
});
