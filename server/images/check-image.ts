// Checks an uploaded image: its variants can be made, with the code that makes them, and nothing of it is missing.
import { readFile } from "node:fs/promises";
import { createQueue } from "embedded-supabase/rate-limits/shared-work.ts";
import { ImageError } from "./image-sources.ts";
import { isJpeg } from "./load-sharp.ts";
import { damaged, reduceImage } from "./reduce-image.ts";

/** Images are read and checked one at a time, so that few of them are in memory. */
const checking = createQueue("for the site", 1);
const endMarker = Buffer.from("ffd9", "hex");

/** @returns a sentence for the owner; null when every variant of the image in this file can be made */
export function findImageProblem(path: string): Promise<string | null> {
  return checking.run(async () => {
    const bytes = await readFile(path);
    const problem = await findProblem(bytes, "error");
    if (problem !== damaged || !isJpeg(bytes)) return problem;
    // Browsers show a JPEG whose end marker is missing. With one, the decoder warns of any other missing data.
    return findProblem(Buffer.concat([bytes, endMarker]), "warning");
  });
}

async function findProblem(bytes: Buffer, failOn: "error" | "warning"): Promise<string | null> {
  try {
    await reduceImage(bytes, failOn);
    return null;
  } catch (error) {
    if (!(error instanceof ImageError)) throw error;
    return error.message;
  }
}
