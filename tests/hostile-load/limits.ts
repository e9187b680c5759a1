/** Resident memory of the site's process under attack (docs/security.md). At rest it takes about 200 MB. */
export const MAX_MEMORY_BYTES = 512 * 1024 * 1024;
