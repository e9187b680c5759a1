// Asks the repository from which the site was installed, once a day, whether it has a newer release, and what that one changes.
// Covers: a clone whose `origin` is reached by https, ssh or a path. Does not cover: installing a release (deploy/upgrade.sh).
// What another machine answers is text: it is bounded, parsed, and never part of a command but as a version.
import { execFile } from "node:child_process";
import { existsSync, readFileSync, realpathSync } from "node:fs";
import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { z } from "zod";
import {
  changesSchema,
  isNewer,
  type Release,
  versionSchema,
} from "../../app/config/checks/release.ts";
import { replaceFile } from "../pages/replace-file.ts";
import { readChanges } from "./changelog.ts";

const minute = 60_000;
const day = 24 * 60 * minute;
const timeout = 2 * minute;
const maxAnswer = 1024 ** 2;
/** Exists when deploy/install.sh was asked to upgrade at night. */
const nightlyUpgrade = "/etc/systemd/system/timers.target.wants/adviser-site-upgrade.timer";

const stateSchema = z.object({
  askedAt: z.number(),
  newest: z.object({ version: versionSchema, changes: changesSchema }).nullable(),
});
type State = z.infer<typeof stateSchema>;

interface ReleaseCheckOptions {
  /** The folder of the site. */
  root: string;
  cacheFolder: string;
  /** The version that runs. */
  version: string;
  /** Whether the owner wants it. */
  isOn: () => boolean;
  /** The milliseconds between two looks at the clock, and before the first. Only tests set it. */
  pause?: number;
  /** Only tests set it. */
  timerFile?: string;
}

export type ReleaseCheck = ReturnType<typeof createReleaseCheck>;

/** @returns null where there is no clone */
export function createReleaseCheck(options: ReleaseCheckOptions) {
  const { root, cacheFolder, version, isOn } = options;
  const { pause = minute, timerFile = nightlyUpgrade } = options;
  // git would find the repository of a folder around it.
  if (!existsSync(join(root, ".git"))) return null;
  const file = join(cacheFolder, "newest-release.json");
  let state = readState(file);
  const stopped = new AbortController();
  const timer = setInterval(askWhenDue, pause).unref();
  return {
    /** The newest release, if the site is older. */
    newer(): Release | null {
      const { newest } = state;
      if (!newest || !isOn() || !isNewer(newest.version, version)) return null;
      return { ...newest, install: howToInstall(root, version, newest.version, timerFile) };
    },
    stop(): void {
      clearInterval(timer);
      stopped.abort();
    },
  };

  async function askWhenDue(): Promise<void> {
    if (!isOn() || Math.abs(Date.now() - state.askedAt) < day) return;
    // Also after a failure: the next attempt is tomorrow's.
    state = { ...state, askedAt: Date.now() };
    try {
      state.newest = await findNewest({ root, cacheFolder, version, signal: stopped.signal });
      stopped.signal.throwIfAborted();
      await replaceFile(file, JSON.stringify(state));
    } catch (error) {
      // What git prints could quote a password in the address.
      if (!stopped.signal.aborted) {
        console.warn(
          `The origin of the site could not be asked for a newer release: ${reasonOf(error)}`,
        );
      }
    }
  }
}

function readState(file: string): State {
  try {
    return stateSchema.parse(JSON.parse(readFileSync(file, "utf8")));
  } catch {
    return { askedAt: 0, newest: null };
  }
}

interface Question extends Pick<ReleaseCheckOptions, "root" | "cacheFolder" | "version"> {
  signal: AbortSignal;
}

async function findNewest({
  root,
  cacheFolder,
  version,
  signal,
}: Question): Promise<State["newest"]> {
  const tags = await git(root, ["ls-remote", "--tags", "--refs", "origin"], signal);
  const versions = tags
    .split("\n")
    .flatMap((line) => versionSchema.safeParse(/\trefs\/tags\/v(.*)$/.exec(line)?.[1]).data ?? []);
  const newest = versions.reduce((a, b) => (isNewer(b, a) ? b : a), version);
  if (newest === version) return null;
  const changelog = await readChangelog({ root, cacheFolder, version: newest, signal }).catch(
    () => "",
  );
  return { version: newest, changes: readChanges(changelog, version, newest) };
}

/**
 * Fetches one file of one commit, into a repository that is removed at once: the clone of a service is read-only, and a branch or
 * tag there must not change. An origin that cannot send single files sends those of the commit.
 */
async function readChangelog({ root, cacheFolder, version, signal }: Question): Promise<string> {
  const folder = join(cacheFolder, "newest-release.git");
  const run = (...args: string[]) => git(folder, args, signal);
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true, mode: 0o700 });
  try {
    const origin = (await git(root, ["remote", "get-url", "origin"], signal)).trim();
    await run("init", "--quiet", "--bare", "--template=");
    await run("remote", "add", "--", "origin", origin);
    await run(
      ...["fetch", "--quiet", "--depth=1", "--no-tags", "--filter=blob:none", "origin"],
      `refs/tags/v${version}`,
    );
    return await run("cat-file", "blob", "FETCH_HEAD:CHANGELOG.md");
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** @returns what git prints. Without the secrets of the site's environment, and without a question to anybody */
async function git(folder: string, args: string[], signal: AbortSignal): Promise<string> {
  const { PATH, HOME } = process.env;
  const { stdout } = await promisify(execFile)("git", args, {
    ...{ cwd: folder, timeout, signal, maxBuffer: maxAnswer },
    env: {
      ...{ PATH, HOME, LC_ALL: "C" },
      GIT_TERMINAL_PROMPT: "0",
      GIT_SSH_COMMAND: "ssh -oBatchMode=yes",
      GIT_ALLOW_PROTOCOL: "https:ssh:file",
    },
  });
  return stdout;
}

function reasonOf(error: unknown): string {
  const { code, signal } = Object(error);
  return String(code ?? signal ?? "no response");
}

/** See deploy/install.sh and deploy/upgrade.sh, which stays within a major version at night. */
function howToInstall(
  ...[root, version, newest, timerFile]: [string, string, string, string]
): Release["install"] {
  const current = join(root, "../../current");
  const isService = existsSync(current) && realpathSync(current) === realpathSync(root);
  if (!isService) return "pull";
  const isSameMajor = version.split(".")[0] === newest.split(".")[0];
  return isSameMajor && existsSync(timerFile) ? "tonight" : "upgrade";
}
