import type { SecondFactor } from '@atelier/client';
import { useState, type ReactNode } from 'react';
import { kindsAskedFor, SecondFactorForm, type SecondFactorKind } from './second-factor-form.tsx';

interface Proof<Body> {
  /** Sends the request; a refusal that asks for a second factor shows the form. */
  readonly submit: (body: Body) => Promise<void>;
  /** Asks for the second factor, and sends the same request with it; null until then. */
  readonly form: ReactNode;
  /** Forgets the request, and leads back to its form. */
  readonly reset: () => void;
}

/**
 * Sends a request with a password. The password stays in memory while the second factor is asked for.
 *
 * @param askPasskey - has the browser ask for a passkey
 * @param send - throws an ApiError `second_factor_required` if the account has one and the request doesn't
 */
export function useSecondFactor<Body>(
  askPasskey: () => Promise<SecondFactor>,
  send: (body: Body | (Body & { readonly secondFactor: SecondFactor })) => Promise<unknown>,
): Proof<Body> {
  const [waiting, setWaiting] = useState<{
    readonly body: Body;
    readonly kinds: readonly SecondFactorKind[];
  }>();

  async function submit(body: Body): Promise<void> {
    try {
      await send(body);
    } catch (error) {
      const kinds = kindsAskedFor(error);
      if (!kinds) throw error;
      setWaiting({ body, kinds });
    }
  }

  const form = waiting ? (
    <SecondFactorForm
      kinds={waiting.kinds}
      askPasskey={askPasskey}
      onSubmit={(secondFactor) => send({ ...waiting.body, secondFactor })}
    />
  ) : null;
  return { submit, form, reset: () => setWaiting(undefined) };
}
