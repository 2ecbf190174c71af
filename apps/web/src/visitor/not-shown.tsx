import type { ReactNode } from 'react';
import { texts } from '../texts/share.ts';
import { texts as shared } from '../texts/shared.ts';
import { Button } from '../ui/button.tsx';
import { isRefused, shareErrorText } from './errors.ts';

interface NotShownProps {
  readonly error: unknown;
  readonly onRetry: () => void;
}

/** Says in the place of a file why it couldn't be loaded. */
export function NotShown({ error, onRetry }: NotShownProps): ReactNode {
  const isGone = isRefused(error);
  return (
    <div
      role="alert"
      className="flex size-full flex-col items-center justify-center gap-4 px-14 text-center"
    >
      <p>{isGone ? texts.gone : shareErrorText(error)}</p>
      {isGone ? null : <Button onClick={onRetry}>{shared.retry}</Button>}
    </div>
  );
}
