import { CircleAlert, RefreshCw, WifiOff, type LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { texts as shared } from '../texts/shared.ts';
import { texts } from '../texts/loading.ts';
import { Button } from '../ui/button.tsx';
import { EmptyState } from '../ui/states.tsx';
import type { ScriptFailure } from './failure.ts';
import { useRetryOnline } from './retry.ts';

interface NotLoadedProps {
  readonly failure: ScriptFailure;
  readonly onRetry: () => void;
}

const icons: Readonly<Record<ScriptFailure, LucideIcon>> = {
  offline: WifiOff,
  replaced: RefreshCw,
  failed: CircleAlert,
};

/** Shown in the place of a part whose code couldn't be loaded; tries again by itself. */
export function NotLoaded({ failure, onRetry }: NotLoadedProps): ReactNode {
  useRetryOnline(onRetry);
  const { title, hint } = texts.notLoaded[failure];
  return (
    <div role="status">
      <EmptyState
        icon={icons[failure]}
        title={title}
        action={
          failure === 'replaced' ? (
            <Button onClick={() => location.reload()}>{texts.reload}</Button>
          ) : (
            <Button onClick={onRetry}>{shared.retry}</Button>
          )
        }
      >
        {hint}
      </EmptyState>
    </div>
  );
}
