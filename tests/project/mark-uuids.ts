// Vitest loads this before each file of `npm run test:project`: every UUID that a test makes gets the mark.
import crypto from "node:crypto";
import { syncBuiltinESMExports } from "node:module";
import { mark } from "./marked.ts";

const randomUUID = crypto.randomUUID.bind(crypto);
crypto.randomUUID = (options) =>
  `${mark}-${randomUUID(options).slice(mark.length + 1)}` as ReturnType<typeof randomUUID>;
syncBuiltinESMExports();
