/**
 * Prevents prototype pollution: when input such as `__proto__` tricks a library into changing a base prototype,
 * that one request fails instead of changing every object of the process.
 */
export function preventPrototypePollution(): void {
  for (const { prototype } of [Object, Array, Function]) Object.preventExtensions(prototype);
}
