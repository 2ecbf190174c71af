import pLimit from 'p-limit';
import type Sharp from 'sharp';
import type { OverlayOptions } from 'sharp';
import { Failure } from '../kernel/errors.ts';
import type { Pictures, PictureType, Thumbnail } from '../ports/pictures.ts';

const edgePixels = 512;
/** Maximum pixels: a decoded picture takes up to four bytes per pixel, or 100 MB. */
const maxInputPixels = 25_000_000;
const timeoutSeconds = 10;
/** Maximum of the longer side of a cover that a client made. */
const coverPixels = 2048;
/** Maximum of the longer side of pictures for visitors. */
const sharedPixels = 2048;
/** Limits of a thumbnail's source; the job runner holds a few of them at once. */
const maxOriginalBytes = 64 * 1024 * 1024;
const maxOriginalPixels = 100_000_000;
/** Maximum decoded size of a rotated or progressive picture, which is decoded as a whole. */
const maxDecodedBytes = 400_000_000;
const originalTimeoutSeconds = 30;
// Password hashing may use two of the four threads in Node's pool; a large picture takes a tenth of a second.
const decodedAtOnce = 1;
/** Maximum number of requests that have a picture of up to 5 MiB in memory; more are refused with a retry. */
const maxAtOnce = 20;

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
  let held = 0;

  async function holding<Result>(work: () => Promise<Result>): Promise<Result> {
    if (held >= maxAtOnce) {
      throw new Failure('service_unavailable', { headers: { 'retry-after': '2' } });
    }
    held += 1;
    try {
      return await work();
    } finally {
      held -= 1;
    }
  }

  return {
    holding,
    knows: ({ type, bytes }) => originalTypes.has(type) && bytes <= maxOriginalBytes,
    thumbnail: (content) => thumbnailLimit(() => makeSmall(content)),
    shared: (content, watermark) => thumbnailLimit(() => makeShared(content, watermark)),
    async squareWebp(content, declaredType) {
      if ((await typeOf(content)) !== declaredType) return null;
      return limit(() => reencode(content, { fit: 'cover', maxPixels: maxInputPixels }));
    },
    async cover(content) {
      if ((await typeOf(content)) !== 'image/jpeg') return null;
      return holding(() =>
        limit(() => reencode(content, { fit: 'inside', maxPixels: coverPixels ** 2 })),
      );
    },
  };
}

async function typeOf(content: Buffer): Promise<string | undefined> {
  const { fileTypeFromBuffer } = await import('file-type');
  const found = await fileTypeFromBuffer(content).catch(() => undefined);
  // An animated PNG is a PNG whose first frame every decoder reads.
  return found?.mime === 'image/apng' ? ('image/png' satisfies PictureType) : found?.mime;
}

interface Reencoding {
  /** `cover` crops to a square, `inside` keeps the shape. */
  readonly fit: 'cover' | 'inside';
  readonly maxPixels: number;
}

async function reencode(content: Buffer, { fit, maxPixels }: Reencoding): Promise<Buffer | null> {
  const sharp = await loadSharp();
  try {
    return await sharp(content, { limitInputPixels: maxPixels, failOn: 'error' })
      .autoOrient()
      .resize(edgePixels, edgePixels, { fit, withoutEnlargement: fit === 'inside' })
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

async function makeShared(content: Buffer, watermark: string | null): Promise<Buffer | null> {
  const sharp = await loadSharp();
  try {
    const original = sharp(content, { limitInputPixels: maxOriginalPixels, failOn: 'error' });
    const { autoOrient, channels, depth } = await original.metadata();
    const decodedBytes = autoOrient.width * autoOrient.height * channels * bytesOfSample(depth);
    if (decodedBytes > maxDecodedBytes) return null;
    const { data, info } = await original
      .autoOrient()
      .resize(sharedPixels, sharedPixels, { fit: 'inside', withoutEnlargement: true })
      .flatten({ background: '#ffffff' })
      .toColourspace('srgb')
      .timeout({ seconds: originalTimeoutSeconds })
      .raw()
      .toBuffer({ resolveWithObject: true });
    const { width, height, channels: count } = info;
    const upright = sharp(data, { raw: { width, height, channels: count } });
    const marked =
      watermark === null
        ? upright
        : upright.composite(await watermarkOf(sharp, watermark, { width, height }));
    return await marked
      .jpeg({ quality: 85 })
      .timeout({ seconds: originalTimeoutSeconds })
      .toBuffer();
  } catch {
    // The library doesn't distinguish a broken picture from its other failures. Without its watermark there is no picture.
    return null;
  }
}

/** Repeats a text over a picture, light with a dark edge, so that it shows on any ground. */
async function watermarkOf(
  sharp: typeof Sharp,
  text: string,
  { width, height }: { readonly width: number; readonly height: number },
): Promise<OverlayOptions[]> {
  const heightPixels = Math.max(12, Math.round(Math.min(width, height) / 14));
  const written = await sharp({
    text: { text: escapedMarkup(text), font: 'sans bold', height: heightPixels, width: width * 4 },
  })
    .extractChannel(0)
    .raw()
    .toBuffer({ resolveWithObject: true });
  // Without any font of the system, the library draws nothing.
  if (!written.data.some((coverage) => coverage > 0)) throw new Error('no font draws the text');
  const { width: textWidth, height: textHeight } = written.info;
  const coverage = { width: textWidth, height: textHeight, channels: 1 } as const;
  const inColor = (color: string, opacity: number) =>
    sharp({ create: { width: textWidth, height: textHeight, channels: 3, background: color } })
      .joinChannel(Buffer.from(written.data.map((value) => Math.round(value * opacity))), {
        raw: coverage,
      })
      .png()
      .toBuffer();
  const edge = Math.max(1, Math.round(textHeight / 24));
  const word = await sharp({
    create: {
      width: textWidth + edge,
      height: textHeight + edge,
      channels: 4,
      background: '#00000000',
    },
  })
    .composite([
      { input: await inColor('#000000', 0.45), left: edge, top: edge },
      { input: await inColor('#ffffff', 0.55), left: 0, top: 0 },
    ])
    .png()
    .toBuffer();
  const turned = await sharp(word)
    .rotate(-30, { background: '#00000000' })
    .extend({ top: textHeight, bottom: 0, left: textHeight, right: 0, background: '#00000000' })
    .png()
    .toBuffer({ resolveWithObject: true });
  // A tile has to fit into the picture.
  const tile = await sharp(turned.data)
    .resize(Math.min(turned.info.width, width), Math.min(turned.info.height, height), {
      fit: 'inside',
      withoutEnlargement: true,
    })
    .png()
    .toBuffer();
  return [{ input: tile, tile: true, gravity: 'centre' }];
}

/** The library reads the text as markup of Pango. */
function escapedMarkup(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/** @param depth - in the library's terms; pictures of the known types have no deeper samples */
function bytesOfSample(depth: string): number {
  return depth === 'uchar' ? 1 : 2;
}
