// The environment in which `npm start` and the tests run the site. It bounds memory that holds no data (docs/scaling.md).
import { getHeapStatistics } from "node:v8";

const {
  MALLOC_ARENA_MAX = "2",
  MALLOC_MMAP_THRESHOLD_ = "131072",
  NODE_OPTIONS = "",
} = process.env;
/** Megabytes. From 2 GB on, V8 lets garbage grow to several times the live data. A small machine has a lower limit. */
const heapLimit = Math.min(1536, Math.floor(getHeapStatistics().heap_size_limit / 2 ** 20));

export const siteEnvironment = {
  ...process.env,
  NODE_ENV: "production",
  // By default, glibc keeps freed memory in up to eight arenas per processor.
  MALLOC_ARENA_MAX,
  // Returns larger blocks to the system when they are freed. By default, glibc raises this limit to the largest block that it
  // has seen (an image, a compressor), keeps such blocks, and cannot reuse the gaps between them.
  MALLOC_MMAP_THRESHOLD_,
  // The last value of an option counts, so the operator's own options win.
  NODE_OPTIONS: `--max-semi-space-size=16 --max-old-space-size=${heapLimit} ${NODE_OPTIONS}`.trim(),
};
