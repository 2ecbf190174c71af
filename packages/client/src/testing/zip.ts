import { crc32 } from 'node:zlib';

/**
 * Reads the files of a ZIP that stores them uncompressed, in order.
 *
 * @throws Error for one whose checksum is wrong
 */
export function filesInZip(zip: Buffer): readonly (readonly [name: string, content: Buffer])[] {
  const end = zip.lastIndexOf(Buffer.from('PK\u0005\u0006'));
  if (end === -1) throw new Error('the ZIP has no end');
  let at = zip.readUInt32LE(end + 16);
  return Array.from({ length: zip.readUInt16LE(end + 10) }, () => {
    const [crc, size] = [zip.readUInt32LE(at + 16), zip.readUInt32LE(at + 24)];
    const [nameLength, extraLength] = [zip.readUInt16LE(at + 28), zip.readUInt16LE(at + 30)];
    const name = zip.toString('utf8', at + 46, at + 46 + nameLength);
    const header = zip.readUInt32LE(at + 42);
    const start = header + 30 + zip.readUInt16LE(header + 26) + zip.readUInt16LE(header + 28);
    const content = zip.subarray(start, start + size);
    if (crc32(content) !== crc) throw new Error(`the checksum of ${name} is wrong`);
    at += 46 + nameLength + extraLength + zip.readUInt16LE(at + 32);
    return [name, content] as const;
  });
}
