import { passkeyAutofillSupported, signInWithAutofill } from '@atelier/client/passkeys';
import { useEffect, useEffectEvent } from 'react';
import { api } from '../session/api.ts';

/** Offers passkeys in the field for the email, where the browser can, and calls back after a sign-in. */
export function usePasskeyAutofill(onSignedIn: () => void): void {
  const signedIn = useEffectEvent(onSignedIn);
  useEffect(() => {
    const leaving = new AbortController();
    async function wait(): Promise<void> {
      if (!(await passkeyAutofillSupported())) return;
      await signInWithAutofill(api, { signal: leaving.signal });
      signedIn();
    }
    // Nothing was asked for: the form and the button are there.
    wait().catch(() => {});
    return () => leaving.abort();
  }, []);
}
