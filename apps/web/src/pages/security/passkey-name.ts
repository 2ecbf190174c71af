import * as z from 'zod/mini';
import { texts } from '../../texts/passkeys.ts';

/** Checks the form with the name of a passkey. */
export const passkeyName = z.object({
  name: z.string().check(z.trim(), z.minLength(1, texts.missing)),
});
