import { build, type Plugin } from "vite";

/** Imports a TypeScript file with the suffix `?inline` as a string of minified JavaScript. */
export function inlineScript(): Plugin {
  return {
    name: "inline-script",
    enforce: "pre",
    load: {
      filter: { id: /\.ts\?inline$/ },
      async handler(id) {
        const file = id.replace("?inline", "");
        this.addWatchFile(file);
        const bundle = await build({
          configFile: false,
          logLevel: "warn",
          build: { write: false, lib: { entry: file, formats: ["iife"], name: "inline" } },
        });
        const [chunk] = [bundle]
          .flat()
          .flatMap((result) => ("output" in result ? result.output : []));
        if (chunk?.type !== "chunk") return this.error(`${file} could not be bundled`);
        return `export default ${JSON.stringify(chunk.code.trim())};`;
      },
    },
  };
}
