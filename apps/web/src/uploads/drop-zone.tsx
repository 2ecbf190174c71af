import { UploadCloud } from 'lucide-react';
import { lazy, Suspense, useEffect, useState, useSyncExternalStore, type ReactNode } from 'react';
import { useHasRole } from '../session/account.ts';
import { texts } from '../texts/uploads.ts';
import { droppedFiles } from './dropped-files.ts';
import { filesWithoutTarget, pageTarget, requestUpload } from './upload-request.ts';

const ChooseCollection = lazy(() => import('./choose-collection.tsx'));

/** Takes files that are dropped anywhere on the window, or pasted. */
export function UploadDropZone(): ReactNode {
  const mayUpload = useHasRole('MEMBER');
  const isOver = useFilesOver(mayUpload);
  const target = useSyncExternalStore(pageTarget.subscribe, pageTarget.get);
  const waiting = useSyncExternalStore(filesWithoutTarget.subscribe, filesWithoutTarget.get);
  return (
    <>
      {isOver ? (
        <div className="pointer-events-none fixed inset-0 z-50 flex items-center justify-center bg-scrim p-6">
          <div className="flex flex-col items-center rounded-xl border-2 border-dashed border-accent bg-raised px-16 py-12 shadow-raised">
            <UploadCloud aria-hidden className="mb-3 size-10 text-accent" />
            <p className="text-xl font-semibold">{texts.drop}</p>
            <p className="mt-1 text-ink-muted">
              {target ? texts.dropInto(target.title) : texts.dropAnywhere}
            </p>
          </div>
        </div>
      ) : null}
      {waiting.length > 0 ? (
        <Suspense>
          <ChooseCollection files={waiting} onClose={() => filesWithoutTarget.set([])} />
        </Suspense>
      ) : null}
    </>
  );
}

/** Whether files are being dragged over the window; hands them on when they are dropped. */
function useFilesOver(isEnabled: boolean): boolean {
  const [isOver, setOver] = useState(false);
  useEffect(() => {
    if (!isEnabled) return undefined;
    const ending = new AbortController();
    const { signal } = ending;
    // Entering a child comes before leaving its parent.
    let depth = 0;
    const leave = () => {
      depth = 0;
      setOver(false);
    };
    const on = (type: 'dragenter' | 'dragover' | 'dragleave' | 'drop', run: () => void) =>
      addEventListener(
        type,
        (event) => {
          if (!event.dataTransfer?.types.includes('Files')) return;
          event.preventDefault();
          run();
          if (type === 'drop') void droppedFiles(event.dataTransfer).then(requestUpload);
        },
        { signal },
      );
    on('dragenter', () => {
      depth += 1;
      setOver(true);
    });
    on('dragover', () => {});
    on('dragleave', () => {
      depth -= 1;
      if (depth <= 0) leave();
    });
    on('drop', leave);
    addEventListener(
      'paste',
      ({ clipboardData }) => requestUpload([...(clipboardData?.files ?? [])]),
      { signal },
    );
    return () => ending.abort();
  }, [isEnabled]);
  return isOver;
}
