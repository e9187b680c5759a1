// What supabase/config.toml says about a function.
// Covers: verify_jwt. Does not cover: the rest of TOML, which has no reader in Node.

/** Whether callers need a valid key or token; they do unless the file says otherwise. */
export function needsKey(config: string, name: string): boolean {
  let section = "";
  for (const line of config.split(/\r?\n/)) {
    const header = line.match(/^\s*\[([^[\]]+)\]\s*(?:#.*)?$/)?.[1];
    if (header) section = header.replaceAll('"', "").trim();
    const value = line.match(/^\s*verify_jwt\s*=\s*(true|false)\s*(?:#.*)?$/)?.[1];
    if (value && section === `functions.${name}`) return value === "true";
  }
  return true;
}
