/**
 * Returns a checksum that detects changes of content; it protects against no attacker. Unlike the hashes of Web
 * Crypto, it needs neither the whole content in memory nor HTTPS.
 */
export async function checksumOf(content: Blob): Promise<string> {
  // Two rounds of FNV-1a with different primes.
  let [one, other] = [0x811c9dc5, 0x9e3779b9];
  const reader = content.stream().getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    for (const byte of value) {
      one = Math.imul(one ^ byte, 0x01000193);
      other = Math.imul(other ^ byte, 0x85ebca6b);
    }
  }
  return [one, other].map((half) => (half >>> 0).toString(36)).join('.');
}
