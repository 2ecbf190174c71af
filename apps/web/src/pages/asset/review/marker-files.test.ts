import { expect, test } from 'vitest';
import { markersAsCsv, markersAsEdl } from './marker-files.ts';

const marker = {
  startMs: 59_960,
  endMs: 61_000,
  timecode: '00:00:59:24',
  text: 'Cut "here",\n| please',
  author: '=Ada',
  isResolved: false,
};

test('markers become CSV that no spreadsheet takes for a formula', () => {
  expect(markersAsCsv([marker])).toBe(
    [
      '"timecode","start_seconds","end_seconds","author","status","text"\r\n',
      `"00:00:59:24","59.960","61.000","'=Ada","open","Cut ""here"",\n| please"\r\n`,
    ].join(''),
  );
});

test('markers become an edit decision list with durations in frames', () => {
  const list = markersAsEdl([marker, { ...marker, endMs: marker.startMs, isResolved: true }], {
    title: 'film.mp4',
    frameRate: 25,
  });
  expect(list.split('\r\n')).toEqual([
    'TITLE: film.mp4',
    'FCM: NON-DROP FRAME',
    '',
    '001  001      V     C        00:00:59:24 00:01:00:00 00:00:59:24 00:01:00:00',
    ' |C:ResolveColorBlue |M:=Ada: Cut "here", please |D:26',
    '',
    '002  001      V     C        00:00:59:24 00:01:00:00 00:00:59:24 00:01:00:00',
    ' |C:ResolveColorGreen |M:=Ada: Cut "here", please |D:1',
    '',
  ]);
});
