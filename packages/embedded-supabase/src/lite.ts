// Loads @supabase/lite, which replaces process.emitWarning by a function that throws when Node passes an Error, as it does
// for too many listeners. Imports could be reordered, so these are dynamic.
const { emitWarning } = process;
export const { App } = await import("@supabase/lite");
export const { PostgresConnection } = await import("@supabase/lite/postgres");
process.emitWarning = emitWarning;
