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
  readonly text: ReactNode;
  readonly action?: { readonly label: string; readonly run: () => void } | undefined;
  /** Replaces an earlier one of the same topic. */
  readonly topic?: string | undefined;
  /** Stays until it is dismissed, as errors do. */
  readonly isLasting?: boolean | undefined;
  /** Runs when it is no longer shown, after its action if that was chosen. */
  readonly onGone?: (() => void) | undefined;
}

type NoticeOptions = Partial<Omit<Notice, 'id' | 'text'>>;

const store = createStore<readonly Notice[]>([]);
let lastId = 0;

/** Shows a notification; it disappears after a few seconds unless it is an error. */
export function notify(text: ReactNode, options: NoticeOptions = {}): void {
  const notice: Notice = { id: ++lastId, tone: 'success', text, ...options };
  if (notice.topic !== undefined) dismissNotice(notice.topic);
  show([...store.get().slice(-3), notice]);
  start(notice);
}

/** Removes all notifications: they name what belongs to the user. */
export function dismissAllNotices(): void {
  show([]);
}

/** Removes the notification of this topic. */
export function dismissNotice(topic: string): void {
  show(store.get().filter((notice) => notice.topic !== topic));
}

/** Shows the message of an error. */
export function notifyFailure(error: unknown): void {
  notify(errorText(error), { tone: 'danger' });
}

function dismiss(notice: Notice): void {
  show(store.get().filter((one) => one !== notice));
}

function show(notices: readonly Notice[]): void {
  const gone = store.get().filter((notice) => !notices.includes(notice));
  store.set(notices);
  for (const notice of gone) {
    hold(notice);
    notice.onGone?.();
  }
}

const shownMs = 6000;
const shownWithActionMs = 12_000;
/** Of the notifications that will disappear by themselves. Not of their cards: each dialog makes new ones. */
const timers = new Map<Notice, ReturnType<typeof setTimeout>>();

/** Lets a notification disappear after a while, unless it is gone. */
function start(notice: Notice): void {
  const { tone, action, isLasting = tone === 'danger' } = notice;
  if (isLasting || timers.has(notice) || !store.get().includes(notice)) return;
  const delayMs = action ? shownWithActionMs : shownMs;
  timers.set(
    notice,
    setTimeout(() => dismiss(notice), delayMs),
  );
}

/** Keeps a notification as long as it is being read or used. */
function hold(notice: Notice): void {
  clearTimeout(timers.get(notice));
  timers.delete(notice);
}

const icons = { info: Info, success: CircleCheck, danger: CircleAlert };
const colours = { info: 'text-info', success: 'text-success', danger: 'text-danger' };

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
      className="pointer-events-none fixed right-4 bottom-4 left-4 z-50 flex flex-col items-end gap-2 in-has-data-bottom-bar:bottom-24"
    >
      {notices.map((notice) => (
        <NoticeCard key={notice.id} notice={notice} />
      ))}
    </div>
  );
}

function NoticeCard({ notice }: { readonly notice: Notice }): ReactNode {
  const { tone, text, action } = notice;
  const Icon = icons[tone];
  // The pointer doesn't leave a card that is removed.
  useEffect(() => () => start(notice), [notice]);
  return (
    <div
      onPointerEnter={() => hold(notice)}
      onPointerLeave={({ currentTarget }) => {
        if (!currentTarget.contains(document.activeElement)) start(notice);
      }}
      onFocus={() => hold(notice)}
      onBlur={() => start(notice)}
      className="pointer-events-auto flex w-full max-w-sm items-start gap-3 rounded-lg border border-line bg-raised px-4 py-3 shadow-raised animate-in"
    >
      <Icon aria-hidden className={classNames('mt-0.5 size-4 shrink-0', colours[tone])} />
      <p className="min-w-0 flex-1 wrap-anywhere">{text}</p>
      {action ? (
        <button
          type="button"
          className="font-medium text-accent hover:underline"
          onClick={() => {
            action.run();
            dismiss(notice);
          }}
        >
          {action.label}
        </button>
      ) : null}
      <button
        type="button"
        aria-label={texts.dismiss}
        className="rounded-sm p-0.5 text-ink-muted hover:text-ink"
        onClick={() => dismiss(notice)}
      >
        <X aria-hidden className="size-4" />
      </button>
    </div>
  );
}
