const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
const periodMs = 30_000;

/** Returns the step of a timestamp in milliseconds. */
export function stepAt(ms: number): number {
  return Math.floor(ms / periodMs);
}

/** Makes 160 bits in base32 of text that can't be guessed. */
export function base32Of(text: string): string {
  return Array.from({ length: 32 }, (_, index) => alphabet[text.charCodeAt(index) % 32]).join('');
}

/**
 * Returns the code of a step (RFC 6238 with SHA-1). By hand: the mock responds synchronously, also in browsers, where
 * hashes are asynchronous.
 */
export function codeOf(secret: string, step: number): string {
  const counter = [0, 0, 0, 0, 0, 0, 0, 0].map(
    (_, index) => Math.floor(step / 256 ** (7 - index)) & 255,
  );
  const mac = hmac(bytesOf(secret), counter);
  const offset = (mac[19] ?? 0) & 15;
  const [a = 0, b = 0, c = 0, d = 0] = mac.slice(offset, offset + 4);
  const number = ((a & 127) << 24) | (b << 16) | (c << 8) | d;
  return String(number % 1_000_000).padStart(6, '0');
}

function bytesOf(base32: string): number[] {
  const bits = Array.from(base32, (one) => alphabet.indexOf(one).toString(2).padStart(5, '0')).join(
    '',
  );
  return (bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2));
}

/** The key is shorter than a block. */
function hmac(key: readonly number[], message: readonly number[]): number[] {
  const padded = (mask: number) =>
    Array.from({ length: 64 }, (_, index) => (key[index] ?? 0) ^ mask);
  return sha1([...padded(0x5c), ...sha1([...padded(0x36), ...message])]);
}

function sha1(message: readonly number[]): number[] {
  const zeros = (119 - (message.length % 64)) % 64;
  const bits = message.length * 8;
  const bytes = [
    ...message,
    0x80,
    ...Array<number>(zeros).fill(0),
    0,
    0,
    0,
    0,
    bits >>> 24,
    (bits >>> 16) & 255,
    (bits >>> 8) & 255,
    bits & 255,
  ];
  let state = [0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0];
  for (let start = 0; start < bytes.length; start += 64) {
    state = added(state, rounds(state, bytes.slice(start, start + 64)));
  }
  return state.flatMap((word) => [
    word >>> 24,
    (word >>> 16) & 255,
    (word >>> 8) & 255,
    word & 255,
  ]);
}

function rounds(state: readonly number[], block: readonly number[]): number[] {
  const words: number[] = [];
  let [a = 0, b = 0, c = 0, d = 0, e = 0] = state;
  for (let index = 0; index < 80; index += 1) {
    words[index] = index < 16 ? wordAt(block, index) : expanded(words, index);
    const [mixed, constant] = mix(index, [b, c, d]);
    const next = (rotated(a, 5) + mixed + e + constant + (words[index] ?? 0)) | 0;
    [a, b, c, d, e] = [next, a, rotated(b, 30), c, d];
  }
  return [a, b, c, d, e];
}

function mix(
  round: number,
  [b, c, d]: readonly [number, number, number],
): readonly [number, number] {
  if (round < 20) return [(b & c) | (~b & d), 0x5a827999];
  if (round < 40) return [b ^ c ^ d, 0x6ed9eba1];
  if (round < 60) return [(b & c) | (b & d) | (c & d), 0x8f1bbcdc];
  return [b ^ c ^ d, 0xca62c1d6];
}

function wordAt(block: readonly number[], index: number): number {
  const [a = 0, b = 0, c = 0, d = 0] = block.slice(index * 4, index * 4 + 4);
  return (a << 24) | (b << 16) | (c << 8) | d;
}

function expanded(words: readonly number[], index: number): number {
  const [a = 0, b = 0, c = 0, d = 0] = [3, 8, 14, 16].map((back) => words[index - back]);
  return rotated(a ^ b ^ c ^ d, 1);
}

function rotated(word: number, bits: number): number {
  return (word << bits) | (word >>> (32 - bits));
}

function added(a: readonly number[], b: readonly number[]): number[] {
  return a.map((word, index) => (word + (b[index] ?? 0)) | 0);
}
