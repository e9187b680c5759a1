// `npm run types`: see generated-files.ts.
import { writeFileSync } from "node:fs";
import { generateMigrations, generateTypes } from "./generated-files.ts";
import { withNewDatabase } from "./new-database.ts";

// The types follow from the migrations.
for (const [file, text] of generateMigrations()) writeFileSync(file, text);
for (const [file, text] of await withNewDatabase(generateTypes)) writeFileSync(file, text);
