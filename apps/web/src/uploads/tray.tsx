import { ChevronDown, ChevronUp, X } from 'lucide-react';
import { useEffect, useState, useSyncExternalStore, type ReactNode } from 'react';
import { texts } from '../texts/uploads.ts';
import { IconButton } from '../ui/icon-button.tsx';
import { interruptedUploads } from './interrupted.ts';
import { UploadRow } from './upload-row.tsx';
import { isActive, uploadList } from './upload-list.ts';
import { clearFinishedUploads } from './uploads.ts';

/** Shows the uploads at the edge of every page. */
export function UploadTray(): ReactNode {
  const items = useSyncExternalStore(uploadList.subscribe, uploadList.get);
  const [isOpen, setOpen] = useState(true);
  useInterruptedUploads();
  if (items.length === 0) return null;
  const active = items.filter(isActive).length;
  const done = items.filter(({ phase }) => phase === 'done').length;
  const skipped = items.filter(({ phase }) => phase === 'skipped').length;
  const stopped = items.length - active - done - skipped;
  return (
    <section
      aria-label={texts.tray}
      className="fixed right-0 bottom-0 z-40 w-full overflow-hidden rounded-t-xl border border-line bg-raised shadow-raised sm:right-4 sm:bottom-4 sm:w-96 sm:rounded-xl"
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
        {active === 0 ? (
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

/** Interrupted uploads are restored once per page load. */
let isRestored = false;

function useInterruptedUploads(): void {
  useEffect(() => {
    if (isRestored) return;
    isRestored = true;
    void interruptedUploads().then((items) => uploadList.set([...items, ...uploadList.get()]));
  }, []);
}
