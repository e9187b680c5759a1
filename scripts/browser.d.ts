/** TypeScript does not read browser.mjs, which is plain JavaScript because npm test runs it on Node 20. */
declare module "*/browser.mjs" {
  export const chromiums: readonly string[];
  export function ensureBrowser(): Promise<string>;
}
