// `npm start` and, with --dev, `npm run dev`: starts the site, and stops it when the process is asked to end.

import { StartError } from "embedded-supabase/errors.ts";
import { readServerSettings } from "../app/config/read-settings.ts";
import { SettingsError } from "../app/config/server-settings.ts";
import { CannotListen } from "./can-listen.ts";
import { writeConsoleAsLog } from "./log.ts";
import { preventPrototypePollution } from "./prevent-prototype-pollution.ts";
import { root, startSite } from "./start-site.ts";

const secondSignal = new AbortController();
let stop: ((signal: AbortSignal) => Promise<void>) | null = null;
let isStopping = false;

preventPrototypePollution();
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
  process.on(signal, () => {
    // A second signal skips waiting for slow requests. The database still shuts down cleanly.
    if (isStopping) secondSignal.abort();
    else end();
  });
}
// The parent process, scripts/start.mjs, has ended or wants this process to end.
process.on("disconnect", end);
if (process.connected === false) end();
// The process that reads the output may have ended. That must not interrupt the shutdown.
for (const stream of [process.stdout, process.stderr]) stream.on("error", () => {});

try {
  const settings = readServerSettings(root, (line) => process.stderr.write(`${line}\n`));
  const { smtpUrl, resendApiKey } = settings.mail;
  const log = { json: !process.stdout.isTTY, hideAddresses: Boolean(smtpUrl || resendApiKey) };
  writeConsoleAsLog(log);
  ({ stop } = await startSite(settings, {
    development: process.argv.includes("--dev"),
    isPreviousBuild: process.argv.includes("--previous-build"),
    // Printed for the person who starts the site. Later events go to the log.
    print: (line) => process.stdout.write(`${line}\n`),
    // Links of accounts are printed with their addresses only while no mail is sent.
    onMailChoice: (hasService) => {
      log.hideAddresses = hasService;
    },
  }));
} catch (error) {
  // The messages of these errors say which setting to change.
  const kinds = [SettingsError, CannotListen, StartError];
  if (!(error instanceof Error) || !kinds.some((kind) => error instanceof kind)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exit(1);
}

function end(): void {
  // A PostgreSQL that runs already ends with this process.
  if (!stop) process.exit(1);
  if (isStopping) return;
  isStopping = true;
  console.log("Stopping");
  void stop(secondSignal.signal).then(() => process.exit(0));
}
