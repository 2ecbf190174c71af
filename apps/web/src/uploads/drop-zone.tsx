import { UploadCloud } from 'lucide-react';
import {
  Suspense,
  useEffect,
  useEffectEvent,
  useState,
  useSyncExternalStore,
  type ReactNode,
} from 'react';
import { lazyDialog } from '../loading/lazy.tsx';
import { useHasRole, useOrganization } from '../session/account.ts';
import { texts } from '../texts/uploads.ts';
import { notify } from '../ui/notices.tsx';
import { droppedFiles } from './dropped-files.ts';
import { markTaskUnder, taskUnder, unmarkTasks } from './drop-mark.ts';
import { nameQuestions } from './name-questions.ts';
import {
  filesWithoutTarget,
  pageTarget,
  requestUpload,
  uploadPlace,
  type UploadPlace,
} from './upload-request.ts';

const ChooseCollection = lazyDialog(() => import('./choose-collection.tsx'));
const SameNames = lazyDialog(() => import('./same-names.tsx'));

/** Accepts files that are dropped anywhere in the window or pasted. */
export default function UploadDropZone(): ReactNode {
  const isRoleKnown = useOrganization() !== undefined;
  const mayUpload = useHasRole('MEMBER');
  const take = useTaking(isRoleKnown ? mayUpload : undefined);
  const over = useFilesOver(mayUpload || !isRoleKnown, take);
  usePaste(take);
  const target = useSyncExternalStore(pageTarget.subscribe, pageTarget.get);
  const waiting = useSyncExternalStore(filesWithoutTarget.subscribe, filesWithoutTarget.get);
  const [question] = useSyncExternalStore(nameQuestions.subscribe, nameQuestions.get);
  return (
    <>
      {over === 'window' ? (
        <section
          aria-label={texts.drop}
          className="pointer-events-none fixed inset-0 z-50 flex items-center justify-center bg-scrim p-6"
        >
          <div className="flex flex-col items-center rounded-xl border-2 border-dashed border-accent bg-raised px-16 py-12 shadow-raised">
            <UploadCloud aria-hidden className="mb-3 size-10 text-accent" />
            <p className="text-xl font-semibold">{texts.drop}</p>
            <p className="mt-1 text-ink-muted">
              {target ? texts.dropInto(target.title) : texts.dropAnywhere}
            </p>
          </div>
        </section>
      ) : null}
      {waiting.files.length > 0 ? (
        <Suspense>
          <ChooseCollection {...waiting} onClose={() => filesWithoutTarget.set({ files: [] })} />
        </Suspense>
      ) : null}
      {question ? (
        <Suspense>
          <SameNames
            key={question.id}
            question={question}
            onClose={() => nameQuestions.set(nameQuestions.get().filter((one) => one !== question))}
          />
        </Suspense>
      ) : null}
    </>
  );
}

type Take = (files: readonly File[], place: UploadPlace) => void;

/**
 * Returns what takes files. Those that come before it is known whether the user may upload them wait until then.
 *
 * @param mayUpload - undefined until it is known
 */
function useTaking(mayUpload: boolean | undefined): Take {
  const [early, setEarly] = useState<readonly Parameters<Take>[]>([]);
  const take: Take = (files, place) => {
    if (files.length === 0) return;
    if (mayUpload === undefined) setEarly((others) => [...others, [files, place]]);
    else if (mayUpload) requestUpload(files, place);
    else notify(texts.notAllowed, { tone: 'danger' });
  };
  const takeEarly = useEffectEvent(() => {
    setEarly([]);
    for (const one of early) take(...one);
  });
  useEffect(() => {
    if (mayUpload !== undefined) takeEarly();
  }, [mayUpload]);
  return take;
}

/** Reads what was dropped, and takes it. Call it synchronously in the event handler. */
async function read(dropped: DataTransfer, place: UploadPlace, take: Take): Promise<void> {
  try {
    take(await droppedFiles(dropped), place);
  } catch {
    // The files have been moved or are not readable.
    notify(texts.unreadable, { tone: 'danger' });
  }
}

/** Takes the files that are pasted. */
function usePaste(take: Take): void {
  const onPaste = useEffectEvent(({ clipboardData, target }: ClipboardEvent) => {
    if (!clipboardData || isTextForField(clipboardData, target)) return;
    take([...clipboardData.files], uploadPlace());
  });
  useEffect(() => {
    const listener = (event: ClipboardEvent) => onPaste(event);
    addEventListener('paste', listener);
    return () => removeEventListener('paste', listener);
  }, []);
}

/** Cells of a spreadsheet, for example, are copied as text and as a picture. */
function isTextForField({ types }: DataTransfer, target: EventTarget | null): boolean {
  return (
    types.includes('text/plain') &&
    target instanceof Element &&
    target.closest('input, textarea, [contenteditable]') !== null
  );
}

const idleMs = 1000;

/** Tells what files are being dragged over, and accepts them when they are dropped. A task is marked in its own place. */
function useFilesOver(isEnabled: boolean, onFiles: Take): 'window' | 'task' | null {
  const [over, setOver] = useState<'window' | 'task' | null>(null);
  const take = useEffectEvent(onFiles);
  useEffect(() => {
    if (!isEnabled) return undefined;
    const controller = new AbortController();
    const { signal } = controller;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const leave = () => {
      clearTimeout(timer);
      unmarkTasks();
      setOver(null);
    };
    const stay = ({ target }: DragEvent) => {
      clearTimeout(timer);
      // Browsers fire `dragover` several times a second, even while the pointer is still.
      timer = setTimeout(leave, idleMs);
      setOver(markTaskUnder(target) ? 'task' : 'window');
    };
    const on = (
      type: 'dragenter' | 'dragover' | 'dragleave' | 'drop',
      run: (event: DragEvent) => void,
    ) =>
      addEventListener(
        type,
        (event) => {
          if (!event.dataTransfer?.types.includes('Files')) return;
          event.preventDefault();
          event.dataTransfer.dropEffect = 'copy';
          run(event);
        },
        { signal },
      );
    on('dragenter', stay);
    on('dragover', stay);
    on('dragleave', ({ relatedTarget }) => {
      // Otherwise it has only moved to another element.
      if (relatedTarget === null) leave();
    });
    on('drop', ({ dataTransfer, target }) => {
      leave();
      if (!dataTransfer) return;
      const place = uploadPlace(taskUnder(target));
      void read(dataTransfer, place, (...files) => take(...files));
    });
    return () => {
      controller.abort();
      leave();
    };
  }, [isEnabled]);
  return over;
}
