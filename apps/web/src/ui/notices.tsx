import { CircleAlert, CircleCheck, Info, X } from 'lucide-react';
import { useEffect, useSyncExternalStore, type ReactNode } from 'react';
import { createPortal } from 'react-dom';
import { errorText } from './error-texts.ts';
import { texts } from '../texts/shared.ts';
import { classNames } from './class-names.ts';
import { modalDialogs } from './modal-dialogs.ts';
import { createStore } from './store.ts';

interface Notice {
  readonly id: number;
  readonly tone: 'info' | 'success' | 'danger';
  readonly text: string;
  readonly action?: { readonly label: string; readonly run: () => void } | undefined;
  /** Replaces an earlier one of the same topic. */
  readonly topic?: string | undefined;
  /** Stays until it is dismissed, as errors do. */
  readonly isLasting?: boolean | undefined;
}

type NoticeOptions = Partial<Pick<Notice, 'tone' | 'action' | 'topic' | 'isLasting'>>;

const store = createStore<readonly Notice[]>([]);
let lastId = 0;

/** Shows a notification; it disappears after a few seconds unless it is an error. */
export function notify(text: string, options: NoticeOptions = {}): void {
  const notice: Notice = { id: ++lastId, tone: 'success', text, ...options };
  if (notice.topic !== undefined) dismissNotice(notice.topic);
  store.set([...store.get().slice(-3), notice]);
}

/** Removes all notifications: they name what belongs to the user. */
export function dismissAllNotices(): void {
  store.set([]);
}

/** Removes the notification of this topic. */
export function dismissNotice(topic: string): void {
  store.set(store.get().filter((notice) => notice.topic !== topic));
}

/** Shows the message of an error. */
export function notifyFailure(error: unknown): void {
  notify(errorText(error), { tone: 'danger' });
}

function dismiss(id: number): void {
  store.set(store.get().filter((notice) => notice.id !== id));
}

const icons = { info: Info, success: CircleCheck, danger: CircleAlert };
const colours = { info: 'text-info', success: 'text-success', danger: 'text-danger' };
const shownMs = 6000;
const shownWithActionMs = 12_000;

/** Shows the notifications in the modal dialog on top, or in the page. */
export function Notices(): ReactNode {
  const notices = useSyncExternalStore(store.subscribe, store.get);
  const dialogs = useSyncExternalStore(modalDialogs.subscribe, modalDialogs.get);
  const top = dialogs.at(-1);
  // Each has its own live region from the start: screen readers announce only what is added to one.
  return (
    <>
      <LiveRegion notices={top ? [] : notices} />
      {dialogs.map((dialog, index) =>
        createPortal(<LiveRegion notices={dialog === top ? notices : []} />, dialog, index),
      )}
    </>
  );
}

function LiveRegion({ notices }: { readonly notices: readonly Notice[] }): ReactNode {
  return (
    <div
      role="log"
      aria-label={texts.notifications}
      className="pointer-events-none fixed right-4 bottom-4 left-4 z-50 flex flex-col items-end gap-2"
    >
      {notices.map((notice) => (
        <NoticeCard key={notice.id} {...notice} />
      ))}
    </div>
  );
}

function NoticeCard({ id, tone, text, action, isLasting = tone === 'danger' }: Notice): ReactNode {
  const Icon = icons[tone];
  useEffect(() => {
    if (isLasting) return undefined;
    const timer = setTimeout(() => dismiss(id), action ? shownWithActionMs : shownMs);
    return () => clearTimeout(timer);
  }, [id, isLasting, action]);
  return (
    <div className="pointer-events-auto flex w-full max-w-sm items-start gap-3 rounded-lg border border-line bg-raised px-4 py-3 shadow-raised animate-in">
      <Icon aria-hidden className={classNames('mt-0.5 size-4 shrink-0', colours[tone])} />
      <p className="min-w-0 flex-1 wrap-anywhere">{text}</p>
      {action ? (
        <button
          type="button"
          className="font-medium text-accent hover:underline"
          onClick={() => {
            dismiss(id);
            action.run();
          }}
        >
          {action.label}
        </button>
      ) : null}
      <button
        type="button"
        aria-label={texts.dismiss}
        className="rounded-sm p-0.5 text-ink-muted hover:text-ink"
        onClick={() => dismiss(id)}
      >
        <X aria-hidden className="size-4" />
      </button>
    </div>
  );
}
