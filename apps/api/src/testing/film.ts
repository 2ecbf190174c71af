import sharp from 'sharp';

interface Film {
  readonly seconds: number;
  /** Bytes between the frames, so that no player loads all of it at once. */
  readonly paddingBytes?: number;
}

const size = { width: 400, height: 200 };

/** A WebM with one key frame each second: red first, later blue. Its index comes first, so that players can seek. */
export async function someFilm({ seconds, paddingBytes = 0 }: Film): Promise<Buffer> {
  const [red, blue] = [await frame('#ff0000'), await frame('#0000ff')];
  const clusters = Array.from({ length: seconds }, (_, second) => {
    const picture = second === 0 ? red : blue;
    // Track 1, at the time of its cluster, a key frame.
    const block = element(0xa3, Buffer.from([0x81, 0, 0, 0x80]), picture);
    const cluster = element(0x1f43b675, number(0xe7, second * 1000), block);
    return Buffer.concat([cluster, ...(paddingBytes ? [padding(paddingBytes)] : [])]);
  });
  const head = Buffer.concat([info(seconds), tracks()]);
  // Of the same length for any positions.
  const start = head.length + cues(clusters, 0).length;
  const segment = element(0x18538067, head, cues(clusters, start), ...clusters);
  return Buffer.concat([header(), segment]);
}

/** A frame of VP8: the one of a WebP. */
async function frame(background: string): Promise<Buffer> {
  const webp = await sharp({ create: { ...size, channels: 3, background } })
    .webp({ quality: 90 })
    .toBuffer();
  const start = webp.indexOf('VP8 ');
  return webp.subarray(start + 8, start + 8 + webp.readUInt32LE(start + 4));
}

function header(): Buffer {
  const versions = [number(0x4286, 1), number(0x42f7, 1), number(0x42f2, 4), number(0x42f3, 8)];
  const type = [element(0x4282, Buffer.from('webm')), number(0x4287, 4), number(0x4285, 2)];
  return element(0x1a45dfa3, ...versions, ...type);
}

function info(seconds: number): Buffer {
  const duration = Buffer.alloc(8);
  duration.writeDoubleBE(seconds * 1000);
  const names = [element(0x4d80, Buffer.from('test')), element(0x5741, Buffer.from('test'))];
  return element(0x1549a966, number(0x2ad7b1, 1_000_000), element(0x4489, duration), ...names);
}

function tracks(): Buffer {
  const picture = element(0xe0, number(0xb0, size.width), number(0xba, size.height));
  const codec = element(0x86, Buffer.from('V_VP8'));
  const entry = [number(0xd7, 1), number(0x73c5, 1), number(0x83, 1), codec, picture];
  return element(0x1654ae6b, element(0xae, ...entry));
}

function cues(clusters: readonly Buffer[], start: number): Buffer {
  let position = start;
  const points = clusters.map(({ length }, second) => {
    const place = element(0xb7, number(0xf7, 1), number(0xf1, position));
    position += length;
    return element(0xbb, number(0xb3, second * 1000), place);
  });
  return element(0x1c53bb6b, ...points);
}

function padding(bytes: number): Buffer {
  return element(0xec, Buffer.alloc(bytes));
}

function number(id: number, value: number): Buffer {
  const content = Buffer.alloc(4);
  content.writeUInt32BE(value);
  return element(id, content);
}

/** Id, length in eight bytes, content. */
function element(id: number, ...contents: readonly Buffer[]): Buffer {
  const content = Buffer.concat(contents);
  const length = Buffer.alloc(8);
  length.writeUInt32BE(0x01000000, 0);
  length.writeUInt32BE(content.length, 4);
  return Buffer.concat([Buffer.from(id.toString(16), 'hex'), length, content]);
}
