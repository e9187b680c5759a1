/**
 * Replaces halves of surrogate pairs in the strings of a JSON text, which PostgREST and PostgreSQL reject. JSON.stringify
 * escapes them and writes whole pairs as they are.
 */
export function wellFormedJson(json: string): string {
  return json.replace(/\\(?:u(d[89a-f][0-9a-f]{2})|.)/gs, (escaped, half) =>
    half ? "\ufffd" : escaped,
  );
}
