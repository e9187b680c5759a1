/**
 * Limit in bytes of the site process's resident memory under attack (docs/security.md). It is about
 * 200 MB at rest.
 */
export const MAX_MEMORY_BYTES = 512 * 1024 * 1024;
