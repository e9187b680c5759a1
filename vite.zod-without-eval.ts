import type { Plugin } from "vite";

/** Without this setting zod tries `eval`, which the Content-Security-Policy forbids and reports. */
export function zodWithoutEval(): Plugin {
  return {
    name: "zod-without-eval",
    apply: "build",
    applyToEnvironment: ({ name }) => name === "client",
    transform: {
      filter: { id: /\/zod\/v4\/core\/core\.js$/ },
      handler: (code) => `(globalThis.__zod_globalConfig ??= {}).jitless = true;\n${code}`,
    },
  };
}
