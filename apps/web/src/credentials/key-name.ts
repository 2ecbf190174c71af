import * as z from 'zod/mini';
import { texts } from '../texts/api-keys.ts';

const words = texts.creating;

/** The field for the name of a key. */
export const keyName = z
  .string()
  .check(z.trim(), z.minLength(1, words.missing), z.maxLength(80, words.tooLong));
