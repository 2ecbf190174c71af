import { UploadCloud } from 'lucide-react';
import { Suspense, useEffect, useState, useSyncExternalStore, type ReactNode } from 'react';
import { lazyDialog } from '../loading/lazy.tsx';
import { useHasRole } from '../session/account.ts';
import { texts } from '../texts/uploads.ts';
import { notify } from '../ui/notices.tsx';
import { droppedFiles } from './dropped-files.ts';
import { markTaskUnder, taskUnder, unmarkTasks } from './drop-mark.ts';
import { nameQuestions } from './name-questions.ts';
import { filesWithoutTarget, pageTarget, requestUpload } from './upload-request.ts';

const ChooseCollection = lazyDialog(() => import('./choose-collection.tsx'));
const SameNames = lazyDialog(() => import('./same-names.tsx'));

/** Accepts files that are dropped anywhere in the window or pasted. */
export default function UploadDropZone(): ReactNode {
  const mayUpload = useHasRole('MEMBER');
  const over = useFilesOver(mayUpload);
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

async function take(dropped: DataTransfer, on: EventTarget | null): Promise<void> {
  const taskId = taskUnder(on);
  try {
    requestUpload(await droppedFiles(dropped), taskId);
  } catch {
    // The files have been moved or are not readable.
    notify(texts.unreadable, { tone: 'danger' });
  }
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
function useFilesOver(isEnabled: boolean): 'window' | 'task' | null {
  const [over, setOver] = useState<'window' | 'task' | null>(null);
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
      if (dataTransfer) void take(dataTransfer, target);
    });
    addEventListener(
      'paste',
      ({ clipboardData, target }) => {
        if (clipboardData && !isTextForField(clipboardData, target)) {
          requestUpload([...clipboardData.files]);
        }
      },
      { signal },
    );
    return () => {
      controller.abort();
      leave();
    };
  }, [isEnabled]);
  return over;
}
