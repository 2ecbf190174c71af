import { describe, expect, test } from 'vitest';
import { mentionChoices, mentionDraft, mentionPieces, withMention } from './mention.ts';

const person = (displayName: string) => ({
  id: displayName,
  displayName,
  email: 'a@example.com',
  avatarUrl: null,
});
const people = ['Ada Lovelace', 'Grace Hopper', 'Adam (Ops)'].map(person);

describe('a mention that is being written', () => {
  test.each([
    ['@', 1, { query: '', start: 0 }],
    ['Ask @ad', 7, { query: 'ad', start: 4 }],
    ['Ask @ada love', 13, { query: 'ada love', start: 4 }],
    ['Ask @ad later', 7, { query: 'ad', start: 4 }],
    ['first\n@g', 8, { query: 'g', start: 6 }],
  ])('is seen in %j', (text, caret, expected) => {
    expect(mentionDraft(text, caret)).toEqual(expected);
  });

  test.each([
    ['ada@example', 11],
    ['@ ada', 5],
    ['@ada\nnext', 9],
    ['@one two three four', 19],
    ['no sign', 7],
    ['@ada', 0],
  ])('is not seen in %j', (text, caret) => {
    expect(mentionDraft(text, caret)).toBeUndefined();
  });
});

test('a name fits by the beginning of any of its words', () => {
  expect(mentionChoices(people, 'AD').map(({ id }) => id)).toEqual(['Ada Lovelace', 'Adam (Ops)']);
  expect(mentionChoices(people, 'hop').map(({ id }) => id)).toEqual(['Grace Hopper']);
  expect(mentionChoices(people, 'pper')).toEqual([]);
});

test('a chosen name replaces what was written of it, and nothing else', () => {
  const draft = { query: 'ad', start: 4 };
  expect(withMention('Ask @ad later', { draft, caret: 7, name: 'Ada Lovelace' })).toEqual({
    text: 'Ask @Ada Lovelace later',
    caret: 18,
  });
});

describe('the pieces of a text', () => {
  const mentions = (text: string) =>
    mentionPieces(
      text,
      people.map(({ displayName }) => displayName),
    )
      .filter(({ isMention }) => isMention)
      .map(({ text }) => text);

  test('put together are the text', () => {
    const text = '@Ada Lovelace and (@Adam (Ops)): a@Ada Lovelace, @Ada Lovelaces\n@Grace Hopper';
    const pieces = mentionPieces(
      text,
      people.map(({ displayName }) => displayName),
    );
    expect(pieces.map((piece) => piece.text).join('')).toBe(text);
    expect(mentions(text)).toEqual(['@Ada Lovelace', '@Adam (Ops)', '@Grace Hopper']);
  });

  test('without anybody to mention are one', () => {
    expect(mentionPieces('@Ada', [])).toEqual([{ text: '@Ada', isMention: false }]);
  });
});
