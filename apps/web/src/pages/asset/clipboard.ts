import { texts } from '../../texts/asset.ts';
import { notify } from '../../ui/notices.tsx';

/** Copies a text, and tells whether that worked. */
export async function copyText(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    notify(texts.link.copied);
  } catch {
    // Missing without a secure connection, or refused by the person.
    notify(texts.link.copyFailed, { tone: 'danger' });
  }
}
