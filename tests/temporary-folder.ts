import { chmod } from "node:fs/promises";

/** As root, PostgreSQL runs as another user, who must be able to enter the temporary folder. */
export async function makePassable(folder: string): Promise<void> {
  await chmod(folder, 0o711);
}
