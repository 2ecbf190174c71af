import { ChevronDown, ChevronUp, Trash2, X } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { texts } from '../texts/uploads.ts';
import { IconButton } from '../ui/icon-button.tsx';
import { UploadRow } from './upload-row.tsx';
import { isActive, isFinished, type UploadItem } from './upload-list.ts';
import { abortStoppedUploads, clearFinishedUploads } from './uploads.ts';

/** Shows the uploads of this tab. */
export default function UploadPanel({
  items,
}: {
  readonly items: readonly UploadItem[];
}): ReactNode {
  const [isOpen, setOpen] = useState(true);
  const active = items.filter(isActive).length;
  const done = items.filter(({ phase }) => phase === 'done').length;
  const skipped = items.filter(({ phase }) => phase === 'skipped').length;
  const stopped = items.length - active - done - skipped;
  return (
    <section
      aria-label={texts.tray}
      className="w-full overflow-hidden rounded-t-xl border border-line bg-raised shadow-raised sm:rounded-xl"
    >
      <header className="flex items-center gap-1 border-b border-line py-1.5 pr-1.5 pl-4">
        <h2 className="flex-1 text-base" aria-live="polite">
          {texts.summary({ active, stopped, done, skipped })}
        </h2>
        <IconButton
          size="sm"
          icon={isOpen ? ChevronDown : ChevronUp}
          label={isOpen ? texts.collapse : texts.expand}
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
        />
        {active === 0 && stopped > 1 ? (
          <IconButton
            size="sm"
            icon={Trash2}
            label={texts.abortStopped}
            onClick={() => void abortStoppedUploads()}
          />
        ) : null}
        {active === 0 && items.some(isFinished) ? (
          <IconButton size="sm" icon={X} label={texts.clear} onClick={clearFinishedUploads} />
        ) : null}
      </header>
      {isOpen ? (
        <ul className="max-h-72 overflow-y-auto py-1">
          {items.toReversed().map((item) => (
            <UploadRow key={item.id} item={item} />
          ))}
        </ul>
      ) : null}
    </section>
  );
}
