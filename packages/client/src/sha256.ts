/**
 * Hashes a text with SHA-256: with the platform, or on plain HTTP, where browsers lack `crypto.subtle`, with
 * {@link digestBlock}.
 *
 * @param text - at most 55 ASCII characters
 */
export async function sha256(text: string): Promise<Uint8Array> {
  const bytes = new TextEncoder().encode(text);
  // The types claim that it always exists.
  const { subtle } = crypto as Partial<Crypto>;
  return subtle ? new Uint8Array(await subtle.digest('SHA-256', bytes)) : digestBlock(bytes);
}

/** Returns the first 32 bits of the fractional part. */
const fraction = (value: number) => (value * 2 ** 32) | 0;
const rotate = (word: number, bits: number) => (word >>> bits) | (word << (32 - bits));

/**
 * Hashes a message of a single block with SHA-256 (FIPS 180-4). Names are those of the standard.
 *
 * @param message - at most 55 bytes
 */
export function digestBlock(message: Uint8Array): Uint8Array {
  const primes = firstPrimes(64);
  const k = primes.map((prime) => fraction(Math.cbrt(prime)));
  const initial = primes.slice(0, 8).map((prime) => fraction(Math.sqrt(prime)));

  const block = new DataView(new ArrayBuffer(64));
  message.forEach((byte, index) => block.setUint8(index, byte));
  block.setUint8(message.length, 0x80);
  block.setUint32(60, message.length * 8);
  const w: number[] = [];
  const at = (index: number) => w[index] ?? 0;

  let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = initial;
  k.forEach((constant, t) => {
    const [x, y] = [at(t - 15), at(t - 2)];
    const s0 = rotate(x, 7) ^ rotate(x, 18) ^ (x >>> 3);
    const s1 = rotate(y, 17) ^ rotate(y, 19) ^ (y >>> 10);
    const word = t < 16 ? block.getInt32(t * 4) : (s1 + at(t - 7) + s0 + at(t - 16)) | 0;
    w.push(word);
    const sum1 = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25);
    const sum0 = rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22);
    const t1 = h + sum1 + ((e & f) ^ (~e & g)) + constant + word;
    const t2 = sum0 + ((a & b) ^ (a & c) ^ (b & c));
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + t1) | 0, c, b, a, (t1 + t2) | 0];
  });

  const digest = new DataView(new ArrayBuffer(32));
  [a, b, c, d, e, f, g, h].forEach((word, index) => {
    digest.setInt32(index * 4, word + (initial[index] ?? 0));
  });
  return new Uint8Array(digest.buffer);
}

function firstPrimes(count: number): number[] {
  const primes: number[] = [];
  for (let number = 2; primes.length < count; number++) {
    if (primes.every((prime) => number % prime !== 0)) primes.push(number);
  }
  return primes;
}
