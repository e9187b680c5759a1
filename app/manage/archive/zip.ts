// Writes zip files (APPNOTE.TXT 6.3) of files that are compressed already, with Zip64 from 65,535 entries or 4 GB.

/** Numbers that are each written with `size` bytes, the lowest byte first. */
type Field = [size: number, ...values: number[]];

type GzipFile = Uint8Array<ArrayBuffer>;

const max16 = 0xffff;
const max32 = 0xffff_ffff;

/** @param start the place in the file at which it begins */
export function createZip(writable: WritableStream<Uint8Array>, start = 0) {
  const file = writable.getWriter();
  const directory: Uint8Array[] = [];
  const now = new Date();
  const day = ((now.getFullYear() - 1980) * 16 + now.getMonth() + 1) * 32 + now.getDate();
  const time = ((day * 32 + now.getHours()) * 64 + now.getMinutes()) * 32;
  let offset = start;

  async function write(bytes: Uint8Array): Promise<void> {
    await file.write(bytes);
    offset += bytes.length;
  }

  return {
    /** Adds a file of less than 4 GB. */
    async add(path: string, compressed: GzipFile): Promise<void> {
      // Without the header of gzip (10 bytes) and its end (CRC-32 and size).
      const content = compressed.subarray(10, -8);
      const name: Field = [1, ...new TextEncoder().encode(path)];
      const about: Field[] = [
        // Names in UTF-8, deflate.
        [2, 0x800, 8],
        [4, time],
        [1, ...compressed.subarray(-8, -4)],
        [4, content.length],
        [1, ...compressed.subarray(-4)],
        [2, name.length - 1],
      ];
      const isFar = offset >= max32;
      const entry: Field[] = [
        [4, 0x02014b50],
        // Made on Unix, so that unzip takes the names for UTF-8. It needs the mode below.
        [2, 0x32d, 45],
        ...about,
        [2, isFar ? 12 : 0, 0, 0, 0],
        [4, 0o100644 * 2 ** 16, Math.min(offset, max32)],
        name,
      ];
      if (isFar) entry.push([2, 1, 8], [8, offset]);
      directory.push(bytesOf(...entry));
      await write(bytesOf([4, 0x04034b50], [2, 20], ...about, [2, 0], name));
      await write(content);
    },

    async close(): Promise<void> {
      const from = offset;
      for (const entry of directory) await write(entry);
      const [end, count] = [offset, directory.length];
      if (count >= max16 || end >= max32) {
        const sizes: Field = [8, count, count, end - from, from];
        await write(bytesOf([4, 0x06064b50], [8, 44], [2, 45, 45], [4, 0, 0], sizes));
        await write(bytesOf([4, 0x07064b50, 0], [8, end], [4, 1]));
      }
      const counts: Field = [2, 0, 0, Math.min(count, max16), Math.min(count, max16)];
      const sizes: Field = [4, end - from, Math.min(from, max32)];
      await write(bytesOf([4, 0x06054b50], counts, sizes, [2, 0]));
      await file.close();
    },
  };
}

export async function compress(content: Blob): Promise<GzipFile> {
  const stream = content.stream().pipeThrough(new CompressionStream("gzip"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

function bytesOf(...fields: Field[]): Uint8Array {
  return Uint8Array.from(
    fields.flatMap(([size, ...values]) =>
      values.flatMap((value) => Array.from({ length: size }, (_, index) => value / 256 ** index)),
    ),
  );
}
