import { texts } from '../texts/clipboard.ts';
import { notify } from './notices.tsx';

/** Copies a text and notifies the user of the outcome. */
export async function copyText(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    notify(texts.copied);
  } catch {
    // The clipboard is missing without HTTPS, and the user can deny access to it.
    notify(texts.failed, { tone: 'danger' });
  }
}
