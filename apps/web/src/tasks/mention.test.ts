import { describe, expect, test } from 'vitest';
import { mentionChoices, mentionDraft, mentionPieces, withMention } from './mention.ts';

const person = (displayName: string) => ({
  id: displayName,
  displayName,
  email: 'a@example.com',
  avatarUrl: null,
});
const people = ['Ada Lovelace', 'Grace Hopper', 'Adam (Ops)'].map(person);

describe('mentionDraft', () => {
  test.each([
    ['@', 1, { query: '', start: 0 }],
    ['Ask @ad', 7, { query: 'ad', start: 4 }],
    ['Ask @ada love', 13, { query: 'ada love', start: 4 }],
    ['Ask @ad later', 7, { query: 'ad', start: 4 }],
    ['first\n@g', 8, { query: 'g', start: 6 }],
  ])('finds a mention in %j', (text, caret, expected) => {
    expect(mentionDraft(text, caret)).toEqual(expected);
  });

  test.each([
    ['ada@example', 11],
    ['@ ada', 5],
    ['@ada\nnext', 9],
    ['@one two three four', 19],
    ['no sign', 7],
    ['@ada', 0],
  ])('finds no mention in %j', (text, caret) => {
    expect(mentionDraft(text, caret)).toBeUndefined();
  });
});

test('matches a name by the start of any of its words', () => {
  expect(mentionChoices(people, 'AD').map(({ id }) => id)).toEqual(['Ada Lovelace', 'Adam (Ops)']);
  expect(mentionChoices(people, 'hop').map(({ id }) => id)).toEqual(['Grace Hopper']);
  expect(mentionChoices(people, 'pper')).toEqual([]);
});

test('replaces only the draft with the chosen name', () => {
  const draft = { query: 'ad', start: 4 };
  expect(withMention('Ask @ad later', { draft, caret: 7, name: 'Ada Lovelace' })).toEqual({
    text: 'Ask @Ada Lovelace later',
    caret: 18,
  });
});

describe('mentionPieces', () => {
  const mentions = (text: string) =>
    mentionPieces(
      text,
      people.map(({ displayName }) => displayName),
    )
      .filter(({ isMention }) => isMention)
      .map(({ text }) => text);

  test('join to the original text', () => {
    const text = '@Ada Lovelace and (@Adam (Ops)): a@Ada Lovelace, @Ada Lovelaces\n@Grace Hopper';
    const pieces = mentionPieces(
      text,
      people.map(({ displayName }) => displayName),
    );
    expect(pieces.map((piece) => piece.text).join('')).toBe(text);
    expect(mentions(text)).toEqual(['@Ada Lovelace', '@Adam (Ops)', '@Grace Hopper']);
  });

  test('are a single piece without people to mention', () => {
    expect(mentionPieces('@Ada', [])).toEqual([{ text: '@Ada', isMention: false }]);
  });
});
