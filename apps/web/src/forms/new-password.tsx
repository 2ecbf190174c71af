import { useEffect, useState, type ReactNode } from 'react';
import { texts } from '../texts/password-strength.ts';
import { PasswordInput } from './password-input.tsx';
import { classNames } from '../ui/class-names.ts';
import type { Strength } from './password-strength.ts';

interface NewPasswordProps {
  readonly name: string;
  readonly label: string;
  /** What an attacker knows, such as the email. */
  readonly known?: readonly string[] | undefined;
  readonly autoFocus?: boolean | undefined;
}

/** A field for a new password, with a hint how hard it is to guess. The hint refuses nothing. */
export function NewPassword({
  name,
  label,
  known = [],
  autoFocus = false,
}: NewPasswordProps): ReactNode {
  const [password, setPassword] = useState('');
  const strength = useStrength(password, known);
  return (
    <div className="flex flex-col gap-1.5">
      <PasswordInput
        name={name}
        label={label}
        hint={texts.hint}
        autoComplete="new-password"
        autoFocus={autoFocus}
        onChange={({ target }) => setPassword(target.value)}
      />
      <div aria-live="polite" className="min-h-4 text-xs text-ink-muted">
        {strength === undefined ? null : <Meter strength={strength} />}
      </div>
    </div>
  );
}

const colors = ['bg-danger', 'bg-danger', 'bg-warning', 'bg-success', 'bg-success'];

function Meter({ strength }: { readonly strength: Strength }): ReactNode {
  return (
    <div className="flex items-center gap-2">
      <span aria-hidden className="flex w-24 gap-1">
        {[1, 2, 3, 4].map((step) => (
          <span
            key={step}
            className={classNames(
              'h-1 flex-1 rounded-full',
              step <= Math.max(strength, 1) ? colors[strength] : 'bg-line',
            )}
          />
        ))}
      </span>
      <span>
        {texts.label} {texts.levels[strength]}
      </span>
    </div>
  );
}

/** Milliseconds without typing before the strength is estimated. */
const pauseMs = 200;

/** Returns the strength of a password; undefined while there is none, or its estimator can't be loaded. */
function useStrength(password: string, known: readonly string[]): Strength | undefined {
  const [estimated, setEstimated] = useState<{ password: string; strength: Strength }>();
  const words = known.join(' ');
  useEffect(() => {
    if (password === '') return undefined;
    let isCurrent = true;
    const timer = setTimeout(() => {
      import('./password-strength.ts')
        .then(({ strengthOf }) => {
          if (isCurrent) setEstimated({ password, strength: strengthOf(password, [words]) });
        })
        // A hint is worth no error.
        .catch(() => {});
    }, pauseMs);
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [password, words]);
  return password === '' ? undefined : estimated?.strength;
}
