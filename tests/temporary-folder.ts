import { chmod, mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Creates a folder that other users can enter, because PostgreSQL runs as another user under root. */
export async function createTemporaryFolder(name: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), `${name}-`));
  await chmod(folder, 0o711);
  return folder;
}
