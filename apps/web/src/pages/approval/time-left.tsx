import { useSyncExternalStore, type ReactNode } from 'react';
import { texts } from '../../texts/approvals.ts';
import { exactTime } from '../../ui/time-format.ts';

const words = texts.decision;

/** Counts down to a timestamp. */
export function TimeLeft({ until }: { readonly until: string }): ReactNode {
  const nowSeconds = useSyncExternalStore(everySecond, currentSecond);
  const left = Math.ceil(Date.parse(until) / 1000) - nowSeconds;
  return (
    <p className="text-ink-muted">
      {left > 0 ? (
        <>
          {words.timeLeft}{' '}
          <time
            role="timer"
            dateTime={until}
            title={exactTime(until)}
            className="font-medium text-ink tabular-nums"
          >
            {clock(left)}
          </time>
        </>
      ) : (
        words.timeIsUp
      )}
    </p>
  );
}

function clock(seconds: number): string {
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}

function everySecond(onTick: () => void): () => void {
  const timer = setInterval(onTick, 1000);
  return () => clearInterval(timer);
}

function currentSecond(): number {
  return Math.floor(Date.now() / 1000);
}
