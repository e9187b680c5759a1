// A database of its own for a moment, with all migrations and without content.
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Sql } from "embedded-supabase/database.ts";
import { startDatabase } from "embedded-supabase/start-database.ts";
import { embeddedConfig } from "../embedded.config.ts";
import type { ProjectFact } from "../server/checks/inspect-project.ts";

export async function withNewDatabase<Result>(use: (sql: Sql) => Promise<Result>): Promise<Result> {
  const dataDir = await mkdtemp(join(tmpdir(), "new-database-"));
  // Under root, PostgreSQL runs as another user.
  await chmod(dataDir, 0o711);
  try {
    const siteUrl = "http://127.0.0.1";
    const database = await startDatabase({
      ...{ config: embeddedConfig, dataDir, siteUrl },
      onStep: () => {},
    });
    return await use(database.sql).finally(database.stop);
  } finally {
    await rm(dataDir, { recursive: true });
  }
}

/** What public.project_facts() returns for a complete project of this version. */
export function listExpectedFacts(projectUrl: string) {
  return withNewDatabase(
    (sql) => sql<ProjectFact[]>`
      select * from public.project_facts()
      union all select 'Jobs', name, concat_ws(' ', schedule, command) from private.scheduled_jobs()
      union all values ('Secrets of the Vault', 'project_url', ${projectUrl}), ('Secrets of the Vault', 'secret_key', '')`,
  );
}
