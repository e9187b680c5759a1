// A synthetic photograph as large as a 12-megapixel camera's file. It has what makes real
// photographs expensive to compress: contrast at every scale, hard edges, color and sensor grain.
import sharp from "sharp";

const width = 4000;
const height = 3000;

/** A JPEG of about 8 MB with location, camera and time in its EXIF. */
export async function cameraPhoto(): Promise<Buffer> {
  const random = createRandom(7);
  const light = new Float32Array(width * height).fill(118);
  let contrast = 42;
  for (let across = 4; across < 4096; across *= 2) {
    const layer = await noiseLayer(across, random);
    for (let index = 0; index < light.length; index++) {
      light[index] = (light[index] ?? 0) + (((layer[index] ?? 0) - 127) / 127) * contrast;
    }
    contrast *= 0.9;
  }
  const pixels = Buffer.alloc(width * height * 3);
  for (let index = 0; index < light.length; index++) {
    const tile = ((index % width) >> 8) + (Math.floor(index / width) >> 8);
    const edge = tile % 3 === 0 ? 18 : 0;
    for (const [channel, tint] of [12 + edge, 0, edge - 20].entries()) {
      const grain = (random() + random() + random() - 1.5) * 26;
      const value = (light[index] ?? 0) + tint + grain;
      pixels[index * 3 + channel] = Math.max(0, Math.min(255, value));
    }
  }
  return sharp(pixels, { raw: { width, height, channels: 3 } })
    .jpeg({ quality: 96 })
    .withExif({
      IFD0: { Make: "Secret Camera", Model: "Pocket 9" },
      IFD3: { GPSLatitude: "45/1 31/1 0/1", GPSLatitudeRef: "N" },
    })
    .toBuffer();
}

async function noiseLayer(across: number, random: () => number): Promise<Buffer> {
  const down = Math.round((across * height) / width);
  const noise = Buffer.from(Array.from({ length: across * down }, () => random() * 255));
  return sharp(noise, { raw: { width: across, height: down, channels: 1 } })
    .resize(width, height, { fit: "fill" })
    .toColourspace("b-w")
    .raw()
    .toBuffer();
}

/** A seeded generator (xorshift), the same in every run. */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
}
