// The process of a nightly backup: with its own memory, at a low priority, so that the site stays responsive. It ends with the
// site, whose end closes the standard input.
import { constants, setPriority } from "node:os";
import { nightSchema } from "./backup-plan.ts";
import { runNight } from "./nightly-backup.ts";

process.stdin.resume().on("close", () => process.exit(1));
// Inherited by the PostgreSQL of a trial.
setPriority(constants.priority.PRIORITY_LOW);
await runNight(nightSchema.parse(JSON.parse(process.argv[2] ?? "")));
process.exit(0);
