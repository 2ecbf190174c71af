import { recoveryCodeCount } from '@atelier/contract';
import { base32Of } from '../one-time-codes.ts';
import type { State } from '../state/model.ts';
import type { Stored } from '../state/store.ts';

/** Returns the codes of an account that still work. */
export function recoveryCodesOf({ hidden }: Stored): readonly string[] {
  return (hidden['recoveryCodes'] ?? []) as readonly string[];
}

/** Gives an account ten codes in the place of the earlier ones. */
export function newRecoveryCodes(state: State, user: Stored): string[] {
  const recoveryCodes = Array.from({ length: recoveryCodeCount }, () => {
    // Crockford's alphabet has no letter that looks like a digit, and base32 no 0, 1, 8 or 9.
    const text = base32Of(state.newSecret())
      .replaceAll(/[ILOU]/g, '8')
      .slice(0, 16);
    return text.replaceAll(/.{4}(?=.)/g, '$&-');
  });
  user.hidden['recoveryCodes'] = recoveryCodes;
  return recoveryCodes;
}
