import pLimit from 'p-limit';
import type Sharp from 'sharp';
import { Failure } from '../kernel/errors.ts';
import type { Pictures, PictureType, Thumbnail } from '../ports/pictures.ts';

const edgePixels = 512;
/** A decoded picture takes up to four bytes a pixel: 100 MB. */
const maxInputPixels = 25_000_000;
const timeoutSeconds = 10;
/** Of a picture that is made small; the job runner holds a few of them at once. */
const maxOriginalBytes = 64 * 1024 * 1024;
const maxOriginalPixels = 100_000_000;
/** A picture that lies on its side, or that comes in several passes, is decoded as a whole. */
const maxDecodedBytes = 400_000_000;
const originalTimeoutSeconds = 30;
// Two threads of Node's pool of four may be hashing passwords; a large picture takes a tenth of a second.
const decodedAtOnce = 1;
/** Callers that may wait for a turn, each with up to 5 MiB in memory; more are told to come back. */
const maxWaiting = 20;

/** Of contents that became assets; the library reads these as the types that their bytes name. */
const originalTypes: ReadonlySet<string | null> = new Set([
  'image/png',
  'image/apng',
  'image/jpeg',
  'image/webp',
  'image/gif',
  'image/avif',
]);
let loading: Promise<typeof Sharp> | undefined;

/** The library, from the first picture on: it brings megabytes that many a process never needs. */
function loadSharp(): Promise<typeof Sharp> {
  loading ??= import('sharp').then(({ default: sharp }) => {
    // Of the many formats that it knows, only these are let near its parsers.
    sharp.block({ operation: ['VipsForeignLoad'] });
    sharp.unblock({
      operation: [
        'VipsForeignLoadPngBuffer',
        'VipsForeignLoadJpegBuffer',
        'VipsForeignLoadWebpBuffer',
        'VipsForeignLoadNsgifBuffer',
        'VipsForeignLoadHeifBuffer',
      ],
    });
    // Every picture comes once.
    sharp.cache(false);
    sharp.concurrency(1);
    return sharp;
  });
  return loading;
}

/** Pictures through libvips, in its own threads. */
export function createSharpPictures(): Pictures {
  const limit = pLimit(decodedAtOnce);
  // Apart: people wait for their own picture, and not behind those of a large upload.
  const thumbnailLimit = pLimit(decodedAtOnce);
  return {
    knows: ({ type, bytes }) => originalTypes.has(type) && bytes <= maxOriginalBytes,
    thumbnail: (content) => thumbnailLimit(() => makeSmall(content)),
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
  const { fileTypeFromBuffer } = await import('file-type');
  const found = await fileTypeFromBuffer(content).catch(() => undefined);
  // An animated PNG is a PNG whose first frame everybody can read.
  return found?.mime === 'image/apng' ? ('image/png' satisfies PictureType) : found?.mime;
}

async function reencode(content: Buffer): Promise<Buffer | null> {
  const sharp = await loadSharp();
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

async function makeSmall(content: Buffer): Promise<Thumbnail | null> {
  const sharp = await loadSharp();
  try {
    const original = sharp(content, { limitInputPixels: maxOriginalPixels, failOn: 'error' });
    const { autoOrient, channels, depth } = await original.metadata();
    const { width: originalWidth, height: originalHeight } = autoOrient;
    const decodedBytes = originalWidth * originalHeight * channels * bytesOfSample(depth);
    if (decodedBytes > maxDecodedBytes) return null;
    const small = await original
      .autoOrient()
      .resize(edgePixels, edgePixels, { fit: 'inside', withoutEnlargement: true })
      .webp({ quality: 80 })
      .timeout({ seconds: originalTimeoutSeconds })
      .toBuffer();
    return { content: small, originalWidth, originalHeight };
  } catch {
    // The library tells no broken picture from another failure of its own.
    return null;
  }
}

/** @param depth - as the library names it; pictures of the known types have no deeper samples */
function bytesOfSample(depth: string): number {
  return depth === 'uchar' ? 1 : 2;
}
