import type { Anchor } from './place.ts';

/** Returns the film or the sound that is shown: in the viewer over the page, or in the page. */
export function recordingOnPage(): HTMLMediaElement | null {
  const open = document.querySelector<HTMLMediaElement>('dialog[open] :is(video, audio)');
  return open ?? document.querySelector<HTMLMediaElement>('main :is(video, audio)');
}

/** Returns the time at which a recording is. */
export function timeOf(recording: HTMLMediaElement | null): Anchor {
  return { kind: 'time', startMs: Math.round((recording?.currentTime ?? 0) * 1000) };
}

/** Goes to a time of the recording of the page. */
export function seek(startMs: number): void {
  const recording = recordingOnPage();
  if (!recording) return;
  recording.currentTime = startMs / 1000;
  recording.scrollIntoView({ block: 'nearest' });
}

/** Writes a time of a recording, such as `1:02:03` or `0:12`. */
export function durationText(ms: number): string {
  const seconds = Math.floor(ms / 1000);
  const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  const [first = 0, ...rest] = parts[0] === 0 ? parts.slice(1) : parts;
  return [first, ...rest.map((part) => String(part).padStart(2, '0'))].join(':');
}
