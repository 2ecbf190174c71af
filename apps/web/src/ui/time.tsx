import { useSyncExternalStore, type ReactNode } from 'react';
import { exactTime, relativeTime } from './time-format.ts';
import { Tooltip } from './tooltip.tsx';

interface TimeProps {
  /** ISO 8601. */
  readonly at: string;
  readonly className?: string | undefined;
}

/** Shows a relative time, with the exact time in the user's time zone on hover and focus. */
export function Time({ at, className }: TimeProps): ReactNode {
  const nowMs = useSyncExternalStore(everyMinute, minute);
  return (
    <Tooltip text={exactTime(at)}>
      <time dateTime={at} className={className}>
        {relativeTime(at, nowMs)}
      </time>
    </Tooltip>
  );
}

const minuteMs = 60_000;

function everyMinute(onTick: () => void): () => void {
  const timer = setInterval(onTick, minuteMs / 2);
  return () => clearInterval(timer);
}

/** Returns the end of the current minute, so that no timestamp within it is in the future. */
function minute(): number {
  return Math.ceil(Date.now() / minuteMs) * minuteMs;
}
