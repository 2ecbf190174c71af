interface Entry {
  readonly name: string;
  readonly text: string;
}

const encoder = new TextEncoder();
const polynomial = 0xedb88320;
/** 1 January 1980, the first date that the format has. */
const date = 0x21;
/** Names are in UTF-8. */
const flags = 0x0800;
const version = 20;

/** Builds a ZIP whose entries are stored without compression. */
export function zipOf(entries: readonly Entry[]): Uint8Array {
  const parts: Uint8Array[] = [];
  const directory: Uint8Array[] = [];
  let offset = 0;
  for (const { name, text } of entries) {
    const [nameBytes, content] = [encoder.encode(name), encoder.encode(text)];
    const common = [
      ...halves(flags, 0, 0, date),
      ...words(crc32(content), content.length, content.length),
      ...halves(nameBytes.length, 0),
    ];
    const header = bytesOf([...words(0x04034b50), ...halves(version), ...common], nameBytes);
    const about = [...words(0x02014b50), ...halves(version, version), ...common];
    directory.push(bytesOf([...about, ...halves(0, 0, 0), ...words(0, offset)], nameBytes));
    parts.push(header, content);
    offset += header.length + content.length;
  }
  const directoryBytes = directory.reduce((sum, one) => sum + one.length, 0);
  const end = [
    ...words(0x06054b50),
    ...halves(0, 0, entries.length, entries.length),
    ...words(directoryBytes, offset),
    ...halves(0),
  ];
  return bytesOf([], ...parts, ...directory, Uint8Array.from(end));
}

function bytesOf(first: readonly number[], ...more: readonly Uint8Array[]): Uint8Array {
  const parts = [Uint8Array.from(first), ...more];
  const all = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

const halves = (...values: readonly number[]) =>
  values.flatMap((value) => [value & 0xff, (value >>> 8) & 0xff]);
const words = (...values: readonly number[]) =>
  values.flatMap((value) => halves(value & 0xffff, value >>> 16));

function crc32(bytes: Uint8Array): number {
  let crc = 0xffffffff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit += 1) crc = (crc >>> 1) ^ (crc & 1 ? polynomial : 0);
  }
  return (crc ^ 0xffffffff) >>> 0;
}
