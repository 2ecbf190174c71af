import { Bell, Mail } from 'lucide-react';
import { expect, test } from 'vitest';
import { eventsText, iconOf, sentenceOf } from './known.ts';

const about = { subject: { type: 'task' as const }, reviewStatus: null };

test('describes known reasons', () => {
  expect(sentenceOf({ ...about, reason: 'due_soon' })).toBe('{subject} is due soon');
  expect(iconOf('invited')).toBe(Mail);
  expect(eventsText('commented', 2)).toBe('2 comments');
});

test('a change of a file is one of its review', () => {
  const subject = { type: 'asset' as const };
  const sentence = '{actor} approved {subject}';
  expect(sentenceOf({ reason: 'changed', subject, reviewStatus: 'APPROVED' })).toBe(sentence);
});

test('still shows reasons that are newer than this build', () => {
  // As a later version of the API may respond.
  const reason = 'escalated' as never;
  expect(sentenceOf({ ...about, reason })).toBe('{subject}');
  expect(iconOf(reason)).toBe(Bell);
  expect(eventsText(reason, 2)).toBe('2 events');
});
