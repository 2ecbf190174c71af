const endSignature = 0x06054b50;
const entrySignature = 0x02014b50;

/** Reads the entries of a ZIP whose entries are stored as they are. @returns their texts by name */
export function zipEntries(zip: Buffer): ReadonlyMap<string, string> {
  const end = zip.lastIndexOf(Buffer.from([0x50, 0x4b, 0x05, 0x06]));
  if (end < 0 || zip.readUInt32LE(end) !== endSignature) throw new Error('This is no ZIP');
  const entries = new Map<string, string>();
  let at = zip.readUInt32LE(end + 16);
  for (let left = zip.readUInt16LE(end + 10); left > 0; left -= 1) {
    if (zip.readUInt32LE(at) !== entrySignature || zip.readUInt16LE(at + 10) !== 0) {
      throw new Error('This is no stored entry');
    }
    const [sizeBytes, offset] = [zip.readUInt32LE(at + 20), zip.readUInt32LE(at + 42)];
    const lengths = [28, 30, 32].map((place) => zip.readUInt16LE(at + place));
    const [nameLength = 0, extraLength = 0, commentLength = 0] = lengths;
    const name = zip.toString('utf8', at + 46, at + 46 + nameLength);
    const start = offset + 30 + zip.readUInt16LE(offset + 26) + zip.readUInt16LE(offset + 28);
    entries.set(name, zip.toString('utf8', start, start + sizeBytes));
    at += 46 + nameLength + extraLength + commentLength;
  }
  return entries;
}

/** Parses JSON Lines. */
export function linesOf(text = ''): Record<string, unknown>[] {
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
}
