import { useMutation } from '@tanstack/react-query';
import { Fingerprint } from 'lucide-react';
import type { ReactNode } from 'react';
import { texts } from '../texts/passkeys.ts';
import { Button, type ButtonTone } from '../ui/button.tsx';
import { errorText } from '../ui/error-texts.ts';

interface PasskeyButtonProps {
  readonly label: string;
  readonly tone?: ButtonTone | undefined;
  /** Has the browser ask for a passkey, and sends what it signs. */
  readonly ask: () => Promise<unknown>;
}

/** Uses a passkey, and shows why that failed. */
export function PasskeyButton({ label, tone, ask }: PasskeyButtonProps): ReactNode {
  const asking = useMutation({ mutationFn: ask });
  return (
    <div className="flex flex-col gap-2">
      <Button
        icon={Fingerprint}
        tone={tone}
        isBusy={asking.isPending}
        onClick={() => asking.mutate()}
      >
        {label}
      </Button>
      <PasskeyProblem error={asking.error} />
    </div>
  );
}

/** Shows why a passkey could not be used, if there is an error. */
export function PasskeyProblem({ error }: { readonly error: unknown }): ReactNode {
  return error ? (
    <p role="alert" className="text-sm text-danger">
      {passkeyErrorText(error)}
    </p>
  ) : null;
}

/** Returns the message for an error of the browser's question, or of the request after it. */
export function passkeyErrorText(error: unknown): string {
  if (!(error instanceof DOMException)) return errorText(error);
  return error.name === 'InvalidStateError' ? texts.known : texts.cancelled;
}
