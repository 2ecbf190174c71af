import { Undo2 } from 'lucide-react';
import type { ReactNode } from 'react';
import { texts } from '../texts/unsent-changes.ts';
import { texts as unsent } from '../texts/unsent.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { notify } from '../ui/notices.tsx';
import { describe } from './describe.ts';
import type { PendingChange } from './pending.ts';
import { takeBack } from './take-back.ts';
import { useWaitingChanges } from './waiting.ts';

/** Lists the changes that wait for the network; each can be taken back. */
export default function WaitingList({ onClose }: { readonly onClose: () => void }): ReactNode {
  const changes = useWaitingChanges();
  return (
    <Dialog isOpen onClose={onClose} title={texts.title} size="sm">
      <div className="flex flex-col gap-3 pb-3">
        {changes.length === 0 ? (
          <p className="text-ink-muted">{texts.none}</p>
        ) : (
          <>
            <p className="text-ink-muted">{texts.hint}</p>
            <ol aria-label={texts.list} className="divide-y divide-line">
              {changes.map((change) => (
                <WaitingItem key={change.variables.idempotencyKey} change={change} />
              ))}
            </ol>
          </>
        )}
      </div>
    </Dialog>
  );
}

function WaitingItem({ change }: { readonly change: PendingChange }): ReactNode {
  const text = describe(change);
  return (
    <li className="flex items-center gap-3 py-2">
      <span className="min-w-0 flex-1 wrap-anywhere">{text}</span>
      <Button
        size="sm"
        icon={Undo2}
        aria-label={texts.takeBackOf(text)}
        onClick={() => {
          const notice = takeBack(change) ? texts.takenBack(text) : unsent.alreadySent;
          notify(notice, { tone: 'info' });
        }}
      >
        {texts.takeBack}
      </Button>
    </li>
  );
}
