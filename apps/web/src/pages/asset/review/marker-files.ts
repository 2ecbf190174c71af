import type { AssetMarker } from '@atelier/client';

/** Writes markers as CSV; what a spreadsheet would take for a formula begins with an apostrophe. */
export function markersAsCsv(markers: readonly AssetMarker[]): string {
  const rows = markers.map(({ startMs, endMs, timecode, text, author, isResolved }) => [
    timecode,
    (startMs / 1000).toFixed(3),
    (endMs / 1000).toFixed(3),
    author,
    isResolved ? 'resolved' : 'open',
    text,
  ]);
  const all = [['timecode', 'start_seconds', 'end_seconds', 'author', 'status', 'text'], ...rows];
  return all.map((row) => `${row.map(quoted).join(',')}\r\n`).join('');
}

function quoted(value: string): string {
  const safe = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return `"${safe.replaceAll('"', '""')}"`;
}

/**
 * Writes markers as an edit decision list, with the remarks by which DaVinci Resolve and others read them.
 *
 * @param markers - with timecodes of that frame rate
 * @param frameRate - frames per second
 */
export function markersAsEdl(
  markers: readonly AssetMarker[],
  { title, frameRate }: { title: string; frameRate: number },
): string {
  const framesPerSecond = Math.ceil(frameRate);
  const events = markers.map(({ timecode, startMs, endMs, text, author, isResolved }, index) => {
    const frames = Math.max(1, Math.round(((endMs - startMs) * frameRate) / 1000));
    const end = later(timecode, { frames: 1, framesPerSecond });
    const number = String(index + 1).padStart(3, '0');
    const color = isResolved ? 'ResolveColorGreen' : 'ResolveColorBlue';
    const name = `${author}: ${text}`.replaceAll(/[|\s]+/g, ' ').trim();
    return [
      `${number}  001      V     C        ${timecode} ${end} ${timecode} ${end}`,
      ` |C:${color} |M:${name} |D:${frames}`,
    ].join('\r\n');
  });
  const head = [`TITLE: ${title.replaceAll(/\s+/g, ' ')}`, 'FCM: NON-DROP FRAME'];
  return `${[head.join('\r\n'), ...events].join('\r\n\r\n')}\r\n`;
}

function later(
  timecode: string,
  { frames, framesPerSecond }: { frames: number; framesPerSecond: number },
): string {
  const [hours = 0, minutes = 0, seconds = 0, frame = 0] = timecode.split(':').map(Number);
  const all = ((hours * 60 + minutes) * 60 + seconds) * framesPerSecond + frame + frames;
  const wholeSeconds = Math.floor(all / framesPerSecond);
  const wholeMinutes = Math.floor(wholeSeconds / 60);
  return [
    Math.floor(wholeMinutes / 60),
    wholeMinutes % 60,
    wholeSeconds % 60,
    all % framesPerSecond,
  ]
    .map((value) => String(value).padStart(2, '0'))
    .join(':');
}
