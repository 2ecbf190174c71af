import type { UploadState } from '@atelier/client/upload';

const barWidth = 30;

/** Prints the progress of an upload in one line of constant length, which the next one overwrites. */
export function progressBar(state: UploadState): string {
  const share = state.totalBytes === 0 ? 1 : state.loadedBytes / state.totalBytes;
  const filled = Math.round(share * barWidth);
  const bar = '█'.repeat(filled) + '░'.repeat(barWidth - filled);
  const percent = `${Math.round(share * 100)} %`.padStart(5);
  const speed = state.bytesPerSecond > 0 ? `${sizeOf(state.bytesPerSecond)}/s` : '';
  return `${bar} ${percent}  ${state.phase.padEnd(10)} ${speed.padEnd(14)}`;
}

/** Formats a number of bytes for people. */
export function sizeOf(bytes: number): string {
  const units = ['B', 'kB', 'MB', 'GB'];
  const power = Math.min(units.length - 1, Math.floor(Math.log10(Math.max(1, bytes)) / 3));
  const amount = bytes / 1000 ** power;
  return `${amount.toFixed(power === 0 || amount >= 100 ? 0 : 1)} ${units[power]}`;
}
