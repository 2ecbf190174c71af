import type { SignedIn } from '@atelier/client';
import { passkeyAutofillSupported, signInWithAutofill } from '@atelier/client/passkeys';
import { useEffect, useEffectEvent, useState } from 'react';
import { api } from '../session/api.ts';

interface PasskeyAutofill {
  /** Why the service refused the last choice; null without one. */
  readonly error: unknown;
  /** Offers them again, after another question for a passkey has ended this one. */
  readonly restart: () => void;
}

/** Offers passkeys in the field for the email, where the browser can, and calls back after a sign-in. */
export function usePasskeyAutofill(onSignedIn: (signedIn: SignedIn) => void): PasskeyAutofill {
  const signedIn = useEffectEvent(onSignedIn);
  // Each start has a state of its own, which starts the effect again.
  const [start, setStart] = useState<{ readonly error: unknown }>({ error: null });
  useEffect(() => {
    const leaving = new AbortController();
    let isChosen = false;
    const auth: typeof api.auth = {
      ...api.auth,
      loginWithPasskey(...args) {
        isChosen = true;
        return api.auth.loginWithPasskey(...args);
      },
    };
    async function wait(): Promise<void> {
      if (!(await passkeyAutofillSupported())) return;
      signedIn(await signInWithAutofill({ auth }, { signal: leaving.signal }));
    }
    wait().catch((error: unknown) => {
      // Before a choice, nothing was asked for: the form and the button are there.
      if (isChosen && !leaving.signal.aborted) setStart({ error });
    });
    return () => leaving.abort();
  }, [start]);
  return { error: start.error, restart: () => setStart({ error: null }) };
}
