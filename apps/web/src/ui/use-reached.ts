import { TransportError } from '@atelier/client';
import { useRef, type SyntheticEvent } from 'react';

/** What a browser says of a recording that worked until the connection broke. */
export const connectionLost = new TransportError('network', 1);

type MediaEvent = SyntheticEvent<HTMLMediaElement>;

interface Reached {
  /** Remembers where a recording stopped, since long ones outlive their address. */
  readonly remember: (event: MediaEvent) => void;
  /** Continues there with the next address. */
  readonly onLoadedMetadata: (event: MediaEvent) => void;
}

/** Lets a recording continue where it was when its address is replaced. */
export function useReached(): Reached {
  /** In seconds. */
  const reached = useRef<{ readonly time: number; readonly isPlaying: boolean }>(null);
  return {
    remember({ currentTarget }) {
      // Not the start, when another address fails before it has loaded.
      reached.current ??= { time: currentTarget.currentTime, isPlaying: !currentTarget.paused };
    },
    onLoadedMetadata({ currentTarget }) {
      if (!reached.current) return;
      currentTarget.currentTime = reached.current.time;
      if (reached.current.isPlaying) void currentTarget.play().catch(() => {});
      reached.current = null;
    },
  };
}
