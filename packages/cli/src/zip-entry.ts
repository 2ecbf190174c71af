import { open, type FileHandle } from 'node:fs/promises';

const endBytes = 22;
/** The end may be followed by a comment. */
const tailBytes = endBytes + 0xffff;
const endSignature = Buffer.from([0x50, 0x4b, 0x05, 0x06]);
const directoryBytes = 46;
const headerBytes = 30;
/** What a field of 32 bits has if the value needs 64. */
const inZip64 = 0xffffffff;

/**
 * Reads an entry of a ZIP that is stored without compression.
 *
 * @throws Error if there is none
 */
export async function readZipEntry(path: string, name: string): Promise<string> {
  const file = await open(path);
  try {
    const entry = await findEntry(file, name);
    if (!entry) throw new Error(`${path} has no ${name}`);
    const header = await readAt(file, entry.offset, headerBytes);
    const start = entry.offset + headerBytes + header.readUInt16LE(26) + header.readUInt16LE(28);
    return (await readAt(file, start, entry.sizeBytes)).toString('utf8');
  } finally {
    await file.close();
  }
}

async function findEntry(file: FileHandle, name: string) {
  const { size } = await file.stat();
  const tail = await readAt(file, Math.max(0, size - tailBytes), Math.min(size, tailBytes));
  const end = tail.lastIndexOf(endSignature);
  if (end < 0) throw new Error('The export is no ZIP');
  const [directorySize, offset] = [tail.readUInt32LE(end + 12), tail.readUInt32LE(end + 16)];
  if (offset === inZip64) throw new Error('The export has more than 4 GB');
  const directory = await readAt(file, offset, directorySize);
  for (let at = 0; at + directoryBytes <= directory.length;) {
    const nameEnd = at + directoryBytes + directory.readUInt16LE(at + 28);
    if (directory.toString('utf8', at + directoryBytes, nameEnd) === name) {
      return {
        sizeBytes: directory.readUInt32LE(at + 20),
        offset: directory.readUInt32LE(at + 42),
      };
    }
    at = nameEnd + directory.readUInt16LE(at + 30) + directory.readUInt16LE(at + 32);
  }
  return null;
}

async function readAt(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, position);
  if (bytesRead !== length) throw new Error('The export is incomplete');
  return buffer;
}
