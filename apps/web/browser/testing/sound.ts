/** A second of a quiet tone. */
export function tone(): Blob {
  const samples = 8000;
  const header = new DataView(new ArrayBuffer(44));
  const write = (at: number, text: string) =>
    Array.from(text, (letter, index) => header.setUint8(at + index, letter.charCodeAt(0)));
  write(0, 'RIFF');
  header.setUint32(4, 36 + samples, true);
  write(8, 'WAVEfmt ');
  header.setUint32(16, 16, true);
  header.setUint16(20, 1, true);
  header.setUint16(22, 1, true);
  header.setUint32(24, samples, true);
  header.setUint32(28, samples, true);
  header.setUint16(32, 1, true);
  header.setUint16(34, 8, true);
  write(36, 'data');
  header.setUint32(40, samples, true);
  const sound = Uint8Array.from({ length: samples }, (_, at) => 128 + 20 * Math.sin(at / 3));
  return new Blob([header, sound]);
}
