import { texts } from '../texts/downloads.ts';
import { notify } from '../ui/notices.tsx';
import type { ZipSource } from './download-list.ts';

/** Downloads assets as one ZIP. Call it after a click. */
export async function requestZip(source: ZipSource): Promise<void> {
  try {
    // Loaded on demand: most visits download nothing.
    const { downloadZip } = await import('./zip.ts');
    await downloadZip(source);
  } catch {
    // Without its code, or too long after the click to ask for a file.
    const action = { label: texts.retry, run: () => void requestZip(source) };
    notify(texts.notStarted, { tone: 'danger', action });
  }
}
