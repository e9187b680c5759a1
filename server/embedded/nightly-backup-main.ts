// The process of a nightly backup: with its own memory, at a low priority, so that the site stays responsive. It ends with the
// site, whose end closes the standard input.
import { constants, setPriority } from "node:os";
import { z } from "zod";
import { runNight } from "./nightly-backup.ts";

const nightSchema = z.object({
  dataDir: z.string(),
  timeZone: z.string(),
  bytes: z.number(),
  isAsked: z.boolean().optional(),
});

process.stdin.resume().on("close", () => process.exit(1));
// Inherited by the PostgreSQL of a trial.
setPriority(constants.priority.PRIORITY_LOW);
await runNight(nightSchema.parse(JSON.parse(process.argv[2] ?? "")));
process.exit(0);
