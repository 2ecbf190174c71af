import { crc32, deflateSync } from 'node:zlib';

type Colour = readonly [red: number, green: number, blue: number];

export interface Palette {
  /** Colours of the sky at the top and at the horizon. */
  sky: readonly [Colour, Colour];
  /** Colours of far and near hills. */
  hills: readonly [Colour, Colour];
  sun: Colour;
  /** Seed of the shape of the hills. */
  seed: number;
}

interface Size {
  readonly width: number;
  readonly height: number;
}

const usualSize: Size = { width: 960, height: 640 };
const layers = 5;

/** Paints a landscape of hills before an evening sky, as PNG. */
export function paintLandscape(palette: Palette, size: Size = usualSize): Buffer {
  const { width, height } = size;
  const rows = Buffer.alloc(height * (1 + width * 3));
  const crests = Array.from({ length: layers }, (_, layer) =>
    crestOf(layer, { seed: palette.seed, height }),
  );
  const picture = { palette, crests, size };
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const at = y * (1 + width * 3) + 1 + x * 3;
      rows.set(colourAt(x, y, picture), at);
    }
  }
  return png(rows, size);
}

type Crest = (x: number) => number;

interface Picture {
  readonly palette: Palette;
  readonly crests: readonly Crest[];
  readonly size: Size;
}

function colourAt(x: number, y: number, { palette, crests, size }: Picture): Colour {
  const { width, height } = size;
  const scale = height / usualSize.height;
  const layer = crests.findLastIndex((crest) => y >= crest(x));
  if (layer >= 0) return mix(...palette.hills, layer / (layers - 1));
  const fromSun = Math.hypot(x - width * 0.68, y - height * 0.34);
  if (fromSun < 52 * scale) return palette.sun;
  const sky = mix(...palette.sky, y / (height * 0.75));
  return mix(palette.sun, sky, Math.min(1, 0.55 + fromSun / (700 * scale)));
}

function crestOf(layer: number, { seed, height }: { seed: number; height: number }): Crest {
  const scale = height / usualSize.height;
  const base = height * (0.46 + layer * 0.115);
  const wave = (length: number, shift: number) => (x: number) =>
    Math.sin(x / (length * scale) + shift) * scale;
  const [slow, fast, finest] = [
    wave(190 - layer * 14, seed * 1.7 + layer * 2.1),
    wave(71 + layer * 5, seed * 0.9 + layer),
    wave(23, seed + layer * 3.3),
  ];
  return (x) => base + slow(x) * (46 - layer * 5) + fast(x) * 14 + finest(x) * 2.5;
}

function mix(from: Colour, to: Colour, share: number): Colour {
  const at = (index: 0 | 1 | 2) =>
    Math.round(from[index] + (to[index] - from[index]) * clamp(share));
  return [at(0), at(1), at(2)];
}

const clamp = (value: number): number => Math.min(1, Math.max(0, value));

function png(rows: Buffer, { width, height }: Size): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  // Eight bits per colour, no alpha.
  header.set([8, 2, 0, 0, 0], 8);
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(rows, { level: 3 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(name: string, content: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(name, 'latin1'), content]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(content.length);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
}
