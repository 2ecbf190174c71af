import type { UploadState } from '@atelier/client/upload';

const barWidth = 30;

/** One line that tells how far an upload is. Always of the same length, to be written over. */
export function progressBar(state: UploadState): string {
  const share = state.totalBytes === 0 ? 1 : state.loadedBytes / state.totalBytes;
  const filled = Math.round(share * barWidth);
  const bar = '█'.repeat(filled) + '░'.repeat(barWidth - filled);
  const percent = `${Math.round(share * 100)} %`.padStart(5);
  const speed = state.bytesPerSecond > 0 ? `${sizeOf(state.bytesPerSecond)}/s` : '';
  return `${bar} ${percent}  ${state.phase.padEnd(10)} ${speed.padEnd(14)}`;
}

/** A number of bytes for people. */
export function sizeOf(bytes: number): string {
  const units = ['B', 'KiB', 'MiB', 'GiB'];
  const power = Math.min(units.length - 1, Math.floor(Math.log2(Math.max(1, bytes)) / 10));
  const amount = bytes / 1024 ** power;
  return `${amount.toFixed(power === 0 || amount >= 100 ? 0 : 1)} ${units[power]}`;
}
