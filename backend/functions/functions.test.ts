import { expect, test } from "vitest";
import { verifiesJwt } from "./functions.ts";

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
])("verify_jwt of the function %s is %s", (name, expected) => {
  expect(verifiesJwt(config, name)).toBe(expected);
});
