// Unpacks images of a zip file. Loaded when one is chosen.
import { Unzip, UnzipInflate } from "fflate";

export interface ImageFile {
  /** In the folder or zip file. */
  path: string;
  /** Null for an image of a zip file that is too large to be unpacked. */
  file: Blob | null;
}

interface Limits {
  maxFileBytes: number;
  maxBytes: number;
}

/**
 * Reads the file once from start to end, so that it need not fit into memory.
 * @throws an Error with a message for the owner: not a zip file, or more than the limits unpacked
 */
export async function unzipImages(
  file: Blob,
  isWanted: (path: string) => boolean,
  { maxFileBytes, maxBytes }: Limits,
): Promise<ImageFile[]> {
  const start = new Uint8Array(await file.slice(0, 4).arrayBuffer());
  if (String.fromCharCode(...start.subarray(0, 2)) !== "PK")
    throw new Error("This is not a zip file.");
  const images: ImageFile[] = [];
  let unpacked = 0;
  const state: { failure?: Error } = {};
  const unzip = new Unzip((entry) => {
    const { name } = entry;
    // macOS adds a file of its own beside each one.
    if (!isWanted(name) || /(?:^|\/)(?:__MACOSX\/|\._)/.test(name)) return;
    const chunks: Uint8Array<ArrayBuffer>[] = [];
    let size = 0;
    entry.ondata = (error, chunk, isLast) => {
      if (error) state.failure = new Error(`${name} in the zip file is damaged.`);
      if (error || state.failure) return entry.terminate();
      size += chunk.length;
      unpacked += chunk.length;
      if (unpacked > maxBytes)
        state.failure = new Error(
          "The zip file has too many images: unpack it, and choose some at a time.",
        );
      const isTooLarge = size > maxFileBytes;
      if (isTooLarge) chunks.length = 0;
      else chunks.push(new Uint8Array(chunk));
      if (!isLast) return;
      images.push({ path: name, file: isTooLarge ? null : new Blob(chunks) });
    };
    entry.start();
  });
  unzip.register(UnzipInflate);
  const reader = file.stream().getReader();
  for (;;) {
    const { done, value } = await reader.read();
    try {
      unzip.push(value ?? new Uint8Array(), done);
    } catch (error) {
      throw new Error(
        "The zip file is damaged or incomplete, or packed in an unusual way: unpack it, and choose the folder.",
        { cause: error },
      );
    }
    if (state.failure) {
      await reader.cancel();
      throw state.failure;
    }
    if (done) return images;
  }
}
