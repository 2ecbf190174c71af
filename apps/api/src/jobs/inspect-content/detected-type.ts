import { fileTypeFromBuffer } from 'file-type';
import { markupTypeOf } from './markup-type.ts';

/** First bytes of a content that its type is looked for in. */
export const sampleBytes = 64 * 1024;

/**
 * The media type of a content by its own first bytes, without parameters.
 *
 * @param sample - its first {@link sampleBytes}
 * @returns null for what tells nothing of itself, such as plain text
 */
export async function detectedTypeOf(sample: Buffer): Promise<string | null> {
  const markup = markupTypeOf(sample);
  if (markup !== null) return markup;
  const found = await fileTypeFromBuffer(sample).catch(() => undefined);
  return found?.mime.split(';', 1)[0] ?? null;
}
