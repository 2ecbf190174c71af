import { openShare, type ShareVisit } from '@atelier/client/shares';
import { useEffect, useRef, useState, type FormEvent, type ReactNode } from 'react';
import { PasswordInput } from '../forms/password-input.tsx';
import { api } from './api.ts';
import { texts } from '../texts/share.ts';
import { Button } from '../ui/button.tsx';
import { isShareGone, shareErrorText } from './errors.ts';
import { ShareFrame } from './frame.tsx';

const words = texts.password;

interface SharePasswordProps {
  readonly token: string;
  readonly onOpened: (visit: ShareVisit) => void;
  /** Called when the share has ended in the meantime. */
  readonly onFailed: (error: unknown) => void;
}

/** Asks for the password of a share. */
export default function SharePassword({
  token,
  onOpened,
  onFailed,
}: SharePasswordProps): ReactNode {
  const input = useRef<HTMLInputElement>(null);
  const [problem, setProblem] = useState<{ readonly text: string }>();
  const [isBusy, setBusy] = useState(false);
  useEffect(() => {
    if (problem) input.current?.select();
  }, [problem]);

  async function open(event: FormEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault();
    const password = input.current?.value ?? '';
    if (isBusy) return;
    if (password === '') {
      setProblem({ text: words.missing });
      return;
    }
    setBusy(true);
    try {
      onOpened(await openShare(api, { token, password }));
    } catch (error) {
      setBusy(false);
      if (isShareGone(error)) onFailed(error);
      else setProblem({ text: shareErrorText(error) });
    }
  }

  return (
    <ShareFrame title={words.title}>
      <p>{words.hint}</p>
      <form
        noValidate
        className="mt-5 flex flex-col gap-4 text-ink"
        onSubmit={(event) => void open(event)}
      >
        <PasswordInput
          ref={input}
          name="password"
          label={words.label}
          autoComplete="off"
          autoFocus
          maxLength={128}
          error={problem?.text}
        />
        <Button type="submit" tone="primary" isBusy={isBusy}>
          {words.submit}
        </Button>
      </form>
    </ShareFrame>
  );
}
