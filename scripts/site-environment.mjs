// The environment in which `npm start` and the tests run the site. It bounds memory that holds no data (docs/scaling.md).
import { getHeapStatistics } from "node:v8";

const { MALLOC_ARENA_MAX = "2", NODE_OPTIONS = "" } = process.env;
/** Megabytes. From 2 GB on, V8 lets garbage grow to several times the live data. A small machine has a lower limit. */
const heapLimit = Math.min(1536, Math.floor(getHeapStatistics().heap_size_limit / 2 ** 20));

export const siteEnvironment = {
  ...process.env,
  NODE_ENV: "production",
  // By default, glibc keeps freed memory in up to eight arenas per processor.
  MALLOC_ARENA_MAX,
  // The last value of an option counts, so the operator's own options win.
  NODE_OPTIONS: `--max-semi-space-size=16 --max-old-space-size=${heapLimit} ${NODE_OPTIONS}`.trim(),
};
