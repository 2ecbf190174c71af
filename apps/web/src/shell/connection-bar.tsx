import { WifiOff } from 'lucide-react';
import type { ReactNode } from 'react';
import { texts } from '../texts/shell.ts';
import { useOnline } from '../ui/use-online.ts';
import { useWaitingCount } from '../unsent/waiting.ts';

const { connection: words } = texts;

/**
 * Says that there is no network, and how many changes wait for it. Always in the page, so that screen readers
 * announce its text.
 */
export function ConnectionBar(): ReactNode {
  const isOnline = useOnline();
  const count = useWaitingCount();
  return (
    <div role="status" className="sticky top-13 z-30 lg:top-0">
      {isOnline && count === 0 ? null : (
        <p className="flex items-center justify-center gap-2 bg-warning-soft px-4 py-1.5 text-sm text-warning">
          <WifiOff aria-hidden className="size-4" />
          <span className="font-medium">{isOnline ? words.unreachable : words.offline}</span>
          {count === 0 ? null : <span>{words.unsent(count)}</span>}
        </p>
      )}
    </div>
  );
}
