import { texts } from '../texts/downloads.ts';
import { notify } from '../ui/notices.tsx';
import type { ZipSource } from './download-list.ts';

/** Downloads files as one ZIP. Call it after a click. */
export function requestZip(source: ZipSource): Promise<void> {
  return startZip(async () => (await import('./zip.ts')).downloadZip(source));
}

/** @param start - loads the code and begins: most visits download nothing */
export async function startZip(start: () => Promise<void>): Promise<void> {
  try {
    await start();
  } catch {
    // Without its code, or too long after the click to ask for a file.
    const action = { label: texts.retry, run: () => void startZip(start) };
    notify(texts.notStarted, { tone: 'danger', action });
  }
}
