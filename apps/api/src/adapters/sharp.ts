import { fileTypeFromBuffer } from 'file-type';
import pLimit from 'p-limit';
import sharp from 'sharp';
import { Failure } from '../kernel/errors.ts';
import type { Pictures, PictureType } from '../ports/pictures.ts';

const edgePixels = 512;
/** A decoded picture takes up to four bytes a pixel: 100 MB. */
const maxInputPixels = 25_000_000;
const timeoutSeconds = 10;
// Two threads of Node's pool of four may be hashing passwords; a large picture takes a tenth of a second.
const decodedAtOnce = 1;
/** Callers that may wait for a turn, each with up to 5 MiB in memory; more are told to come back. */
const maxWaiting = 20;

// Of the many formats that the library knows, only these are let near its parsers.
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({
  operation: ['VipsForeignLoadPngBuffer', 'VipsForeignLoadJpegBuffer', 'VipsForeignLoadWebpBuffer'],
});
// Every picture comes once.
sharp.cache(false);
sharp.concurrency(1);

/** Pictures through libvips, in its own threads. */
export function createSharpPictures(): Pictures {
  const limit = pLimit(decodedAtOnce);
  return {
    async squareWebp(content, declaredType) {
      if ((await typeOf(content)) !== declaredType) return null;
      if (limit.pendingCount >= maxWaiting) {
        throw new Failure('service_unavailable', { headers: { 'retry-after': '2' } });
      }
      return limit(() => reencode(content));
    },
  };
}

async function typeOf(content: Buffer): Promise<string | undefined> {
  const found = await fileTypeFromBuffer(content).catch(() => undefined);
  // An animated PNG is a PNG whose first frame everybody can read.
  return found?.mime === 'image/apng' ? ('image/png' satisfies PictureType) : found?.mime;
}

async function reencode(content: Buffer): Promise<Buffer | null> {
  try {
    return await sharp(content, { limitInputPixels: maxInputPixels, failOn: 'error' })
      .autoOrient()
      .resize(edgePixels, edgePixels, { fit: 'cover' })
      .webp({ quality: 85 })
      .timeout({ seconds: timeoutSeconds })
      .toBuffer();
  } catch {
    // The library tells no broken picture from another failure of its own.
    return null;
  }
}
