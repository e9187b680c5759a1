// The process that makes the reduced copy of one large image: from the standard input to the standard output.
import { writeFileSync } from "node:fs";
import { buffer } from "node:stream/consumers";
import type { SharpOptions } from "sharp";
import { ImageError } from "./image-sources.ts";
import { reduceHere } from "./reduce-image.ts";

try {
  // When memory runs out, Linux ends this process and not the site.
  writeFileSync("/proc/self/oom_score_adj", "1000");
} catch {
  // Other systems have no such file.
}
try {
  const failOn = process.argv[2] as SharpOptions["failOn"];
  process.stdout.write(await reduceHere(await buffer(process.stdin), failOn));
} catch (error) {
  const isExpected = error instanceof ImageError && error.status === 422;
  process.stderr.write(isExpected ? error.message : String(error));
  process.exitCode = isExpected ? 1 : 2;
}
