import { crc32, deflateSync } from 'node:zlib';
import sharp from 'sharp';

const red = { r: 255, g: 0, b: 0 };
const blue = { r: 0, g: 0, b: 255 };

interface Size {
  readonly width: number;
  readonly height: number;
}

const landscape: Size = { width: 400, height: 200 };

/** The left half red, the right half blue. */
function halves({ width, height }: Size = landscape) {
  const half = { width: Math.ceil(width / 2), height, channels: 3 as const };
  return sharp({ create: { width, height, channels: 3, background: blue } }).composite([
    { input: { create: { ...half, background: red } }, left: 0, top: 0 },
  ]);
}

export const somePng = (size?: Size): Promise<Buffer> => halves(size).png().toBuffer();
export const someJpeg = (size?: Size): Promise<Buffer> => halves(size).jpeg().toBuffer();
export const someWebp = (size?: Size): Promise<Buffer> => halves(size).webp().toBuffer();

/** A rotated photograph, as from a phone: the red left side is meant to be on top. */
export async function photoOfPhone(camera: string): Promise<Buffer> {
  return halves()
    .withMetadata({ orientation: 6 })
    .withExifMerge({
      IFD0: { Make: camera },
      IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '51/1 30/1 3230/100' },
    })
    .withIccProfile('p3')
    .jpeg({ quality: 95 })
    .toBuffer();
}

/** Two frames, the first of them red. */
export async function animatedWebp(): Promise<Buffer> {
  const frames = [red, blue].map((background) =>
    sharp({ create: { width: 64, height: 64, channels: 3, background } })
      .png()
      .toBuffer(),
  );
  return sharp(await Promise.all(frames), { join: { animated: true } })
    .webp()
    .toBuffer();
}

/** A PNG with an animation header; a decoder without support shows the default image. */
export async function animatedPng(): Promise<Buffer> {
  const picture = await somePng();
  const afterHeader = 33;
  return Buffer.concat([
    picture.subarray(0, afterHeader),
    pngChunk('acTL', Buffer.from([0, 0, 0, 1, 0, 0, 0, 0])),
    picture.subarray(afterHeader),
  ]);
}

/** A few kilobytes that claim this many pixels, with real data for up to 5,000 rows. */
export function pixelBomb({ width, height }: Size): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  // One bit per pixel, grey.
  header.set([1, 0, 0, 0, 0], 8);
  const rows = deflateSync(Buffer.alloc((Math.ceil(width / 8) + 1) * Math.min(height, 5_000)));
  return Buffer.concat([
    pngSignature,
    pngChunk('IHDR', header),
    pngChunk('IDAT', rows),
    pngChunk('IEND', Buffer.alloc(0)),
  ]);
}

export const pngSignature = Buffer.from('89504e470d0a1a0a', 'hex');

function pngChunk(type: string, content: Buffer): Buffer {
  const typed = Buffer.concat([Buffer.from(type, 'latin1'), content]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(content.length);
  const checksum = Buffer.alloc(4);
  checksum.writeUInt32BE(crc32(typed));
  return Buffer.concat([length, typed, checksum]);
}

/** Returns the names of the colours at the middle of the four edges, and the file's metadata. */
export async function look(picture: Buffer) {
  const { width, height, format, pages, exif, icc, xmp, iptc, orientation } =
    await sharp(picture).metadata();
  const { data, info } = await sharp(picture)
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  const colourAt = (x: number, y: number) => {
    const at = (y * info.width + x) * info.channels;
    const [r = 0, g = 0, b = 0] = data.subarray(at, at + 3);
    if (r > 180 && g < 80 && b < 80) return 'red';
    return b > 180 && g < 80 && r < 80 ? 'blue' : `rgb(${r},${g},${b})`;
  };
  const middle = { x: Math.floor(info.width / 2), y: Math.floor(info.height / 2) };
  return {
    width,
    height,
    format,
    frames: pages ?? 1,
    metadata: { exif, icc, xmp, iptc, orientation },
    left: colourAt(2, middle.y),
    right: colourAt(info.width - 3, middle.y),
    top: colourAt(middle.x, 2),
    bottom: colourAt(middle.x, info.height - 3),
  };
}

/** Two frames, the first of them red. */
export async function animatedGif(): Promise<Buffer> {
  return sharp(await animatedWebp(), { animated: true })
    .gif()
    .toBuffer();
}

export const someGif = (size?: Size): Promise<Buffer> => halves(size).gif().toBuffer();
export const someAvif = (size?: Size): Promise<Buffer> => halves(size).avif().toBuffer();
export const someTiff = (size?: Size): Promise<Buffer> => halves(size).tiff().toBuffer();

/** A picture with this many real pixels, in a format that has to be decoded as a whole. */
export const deepPng = ({ width, height }: Size): Promise<Buffer> =>
  sharp({ create: { width, height, channels: 4, background: { ...red, alpha: 1 } } })
    .toColourspace('rgb16')
    .png({ progressive: true })
    .toBuffer();
