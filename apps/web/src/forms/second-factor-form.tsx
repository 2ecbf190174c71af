import { ApiError, type SecondFactor } from '@atelier/client';
import { useState, type ReactNode } from 'react';
import * as z from 'zod/mini';
import { texts } from '../texts/second-factor.ts';
import { Button } from '../ui/button.tsx';
import { Input } from '../ui/field.tsx';
import { Form } from './form.tsx';
import { PasskeyButton } from './passkey-button.tsx';

export type SecondFactorKind = SecondFactor['kind'];

const allKinds: Readonly<Record<SecondFactorKind, true>> = {
  passkey: true,
  totp: true,
  recovery: true,
};

function isKind(code: string): code is SecondFactorKind {
  return Object.hasOwn(allKinds, code);
}

/** Returns the kinds of a second factor that a sign-in asks for; null if it failed for another reason. */
export function kindsAskedFor(error: unknown): readonly SecondFactorKind[] | null {
  if (!(error instanceof ApiError) || error.code !== 'second_factor_required') return null;
  return error.issues.map(({ code }) => code).filter(isKind);
}

interface SecondFactorFormProps {
  readonly kinds: readonly SecondFactorKind[];
  /** Has the browser ask for a passkey. */
  readonly askPasskey: () => Promise<SecondFactor>;
  readonly onSubmit: (secondFactor: SecondFactor) => Promise<unknown>;
}

const schema = z.object({ code: z.string().check(z.trim(), z.minLength(1, texts.missing)) });

/** Asks for a passkey, the code of an authenticator app, or a recovery code. */
export function SecondFactorForm(props: SecondFactorFormProps): ReactNode {
  const { kinds, askPasskey, onSubmit } = props;
  const [chosen, setChosen] = useState<SecondFactorKind>();
  const kind = chosen ?? kinds[0] ?? 'totp';
  const others = kinds.filter((one) => one !== kind);
  return (
    <div className="flex flex-col gap-4">
      {kind === 'passkey' ? (
        <PasskeyButton
          tone="primary"
          label={texts.passkey}
          ask={async () => onSubmit(await askPasskey())}
        />
      ) : (
        <CodeForm key={kind} kind={kind} onSubmit={(code) => onSubmit({ kind, code })} />
      )}
      {others.map((other) => (
        <Button key={other} onClick={() => setChosen(other)}>
          {texts.use[other]}
        </Button>
      ))}
    </div>
  );
}

interface CodeFormProps {
  readonly kind: Exclude<SecondFactorKind, 'passkey'>;
  readonly onSubmit: (code: string) => Promise<unknown>;
}

function CodeForm({ kind, onSubmit }: CodeFormProps): ReactNode {
  return (
    <Form schema={schema} onSubmit={({ code }) => onSubmit(code)}>
      {({ isBusy }) => (
        <>
          <Input
            name="code"
            label={texts.labels[kind]}
            hint={texts.hints[kind]}
            inputMode={kind === 'totp' ? 'numeric' : 'text'}
            autoComplete="one-time-code"
            spellCheck={false}
            autoFocus
            data-autofocus
          />
          <Button type="submit" tone="primary" isBusy={isBusy}>
            {texts.submit}
          </Button>
        </>
      )}
    </Form>
  );
}
