import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { generateMigrations, generateTypes } from "../../scripts/generated-files.ts";
import { setUpPreparedDatabase } from "../set-up.ts";

const { sql } = await setUpPreparedDatabase();

/** Without what the formatter changes. */
const bare = (text: string) => text.replace(/[\s,;|"]+/g, "");

test("the files that `npm run types` writes are up to date", async () => {
  const generated = [...generateMigrations(), ...(await generateTypes(sql))];
  const outdated = generated.filter(
    ([file, text]) => bare(readFileSync(file, "utf8")) !== bare(text),
  );
  expect(outdated.map(([file]) => file)).toEqual([]);
});
