import pLimit from 'p-limit';
import type Sharp from 'sharp';
import { Failure } from '../kernel/errors.ts';
import type { Pictures, PictureType, Thumbnail } from '../ports/pictures.ts';

const edgePixels = 512;
/** Maximum pixels: a decoded picture takes up to four bytes per pixel, or 100 MB. */
const maxInputPixels = 25_000_000;
const timeoutSeconds = 10;
/** Limits of a thumbnail's source; the job runner holds a few of them at once. */
const maxOriginalBytes = 64 * 1024 * 1024;
const maxOriginalPixels = 100_000_000;
/** Maximum decoded size of a rotated or progressive picture, which is decoded as a whole. */
const maxDecodedBytes = 400_000_000;
const originalTimeoutSeconds = 30;
// Password hashing may use two of the four threads in Node's pool; a large picture takes a tenth of a second.
const decodedAtOnce = 1;
/** Maximum number of waiting requests, each with up to 5 MiB in memory; more are refused with a retry. */
const maxWaiting = 20;

/** Types of asset content with thumbnails; the library recognizes them by their bytes. */
const originalTypes: ReadonlySet<string | null> = new Set([
  'image/png',
  'image/apng',
  'image/jpeg',
  'image/webp',
  'image/gif',
  'image/avif',
]);
let loading: Promise<typeof Sharp> | undefined;

/** Loads the library on first use: it takes megabytes that many processes never need. */
function loadSharp(): Promise<typeof Sharp> {
  loading ??= import('sharp').then(({ default: sharp }) => {
    // Of the library's many formats, only these may reach its parsers.
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
    // No picture repeats.
    sharp.cache(false);
    sharp.concurrency(1);
    return sharp;
  });
  return loading;
}

/** Processes pictures with libvips, in its own threads. */
export function createSharpPictures(): Pictures {
  const limit = pLimit(decodedAtOnce);
  // Separate queues: users wait for their own picture, and not behind those of a large upload.
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
  // An animated PNG is a PNG whose first frame every decoder reads.
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
    // The library doesn't distinguish a broken picture from its other failures.
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
    // The library doesn't distinguish a broken picture from its other failures.
    return null;
  }
}

/** @param depth - in the library's terms; pictures of the known types have no deeper samples */
function bytesOfSample(depth: string): number {
  return depth === 'uchar' ? 1 : 2;
}
