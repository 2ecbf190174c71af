import { fileTypeFromBuffer } from 'file-type';
import { markupTypeOf } from './markup-type.ts';

/** Length of the sample that determines the type. */
export const sampleBytes = 64 * 1024;

/**
 * Detects the media type of a content from its first bytes, without parameters.
 *
 * @param sample - its first {@link sampleBytes}
 * @returns null if the bytes don't identify a type, as in plain text
 */
export async function detectedTypeOf(sample: Buffer): Promise<string | null> {
  const markup = markupTypeOf(sample);
  if (markup !== null) return markup;
  const found = await fileTypeFromBuffer(sample).catch(() => undefined);
  return found?.mime.split(';', 1)[0] ?? null;
}
