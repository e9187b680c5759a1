import { expect, test } from "vitest";
import { needsKey } from "./function-settings.ts";

const config = `
[functions.open]
# verify_jwt = true
verify_jwt = false # for visitors

[functions."quoted"]
verify_jwt=false

[functions.closed]
verify_jwt = true

[functions.other]
enabled = true

[auth]
verify_jwt = false
`;

test.each([
  ["open", false],
  ["quoted", false],
  ["closed", true],
  ["other", true],
  ["unmentioned", true],
])("the function %s needs a key: %s", (name, expected) => {
  expect(needsKey(config, name)).toBe(expected);
});
