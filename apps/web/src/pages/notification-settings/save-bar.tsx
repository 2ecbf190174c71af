import { CircleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { texts } from '../../texts/notification-settings.ts';
import { texts as shared } from '../../texts/shared.ts';
import { Button } from '../../ui/button.tsx';
import { useUnloadWarning } from '../../ui/use-unload-warning.ts';
import type { Draft } from './use-draft.ts';

/** Saves what has changed, or says why it can't be saved; nothing while there is nothing to save. */
export function SaveBar({ draft }: { readonly draft: Draft }): ReactNode {
  const { isChanged, isConflict, discard } = draft;
  if (isConflict) {
    return (
      <div
        role="alert"
        className="sticky bottom-4 z-10 flex flex-wrap items-center gap-3 rounded-xl border border-line bg-raised px-4 py-3 shadow-raised"
      >
        <CircleAlert aria-hidden className="size-4 shrink-0 text-danger" />
        <div className="min-w-48 flex-1">
          <p className="font-medium">{texts.conflict}</p>
          <p className="text-sm text-ink-muted">{texts.conflictHint}</p>
        </div>
        <Button tone="primary" onClick={discard}>
          {texts.load}
        </Button>
      </div>
    );
  }
  return isChanged ? <UnsavedBar draft={draft} /> : null;
}

function UnsavedBar({ draft: { isSaving, discard, save } }: { readonly draft: Draft }): ReactNode {
  useUnloadWarning();
  return (
    <section
      aria-label={texts.unsaved}
      data-bottom-bar
      className="sticky bottom-4 z-10 flex flex-wrap items-center gap-2 rounded-xl border border-line bg-raised px-4 py-3 shadow-raised"
    >
      <p role="status" className="min-w-40 flex-1 font-medium">
        {texts.unsaved}
      </p>
      <Button onClick={discard}>{texts.discard}</Button>
      <Button tone="primary" isBusy={isSaving} onClick={() => void save()}>
        {shared.save}
      </Button>
    </section>
  );
}
