import { describe, expect, test } from 'vitest';
import { mayMention, mentionedIn, newlyMentioned } from './mentions.ts';

const people = [
  { id: 'ada', email: 'ada@example.com', displayName: 'Ada' },
  { id: 'lovelace', email: 'countess@example.com', displayName: 'Ada Lovelace' },
  { id: 'grace', email: 'grace.hopper@navy.example', displayName: 'Grace  Hopper' },
  { id: 'zoe', email: 'zoe@example.com', displayName: 'Zoë Ünal' },
  { id: 'dot', email: 'a.b+c@example.com', displayName: "Dot O'Neil-Smith (QA)" },
  { id: 'twin', email: 'other@example.com', displayName: 'ADA' },
];

describe('a mention', () => {
  test.each([
    ['by email', 'ask @countess@example.com please', ['lovelace']],
    ['by email at the end of a sentence', 'ask @grace.hopper@navy.example.', ['grace']],
    ['by email in capitals', '@ZOE@EXAMPLE.COM', ['zoe']],
    ['by an email with signs', '(@a.b+c@example.com)', ['dot']],
    ['by name, the longest', '@Ada Lovelace, look', ['lovelace']],
    ['by name, whatever its case', '@ADA LOVELACE', ['lovelace']],
    ['by a name with more blanks', '@grace hopper and @Grace \t Hopper', ['grace']],
    ['by a name in decomposed letters', '@Zoe\u0308 U\u0308nal!', ['zoe']],
    ['by a name with signs', "hi @dot o'neil-smith (qa)!", ['dot']],
    ['by a name that two people have', 'hi @ada', ['ada', 'twin']],
    ['of one with another name behind it', '@Ada Byron', ['ada', 'twin']],
    ['in the genitive', "@Ada Lovelace's engine", ['lovelace']],
    ['on a line of its own', 'x\n@Zoë Ünal\ny', ['zoe']],
    ['in order, each once', '@zoe@example.com @Ada Lovelace @Zoë Ünal', ['zoe', 'lovelace']],
  ])('%s', (_, body, ids) => {
    expect(mentionedIn(body, people)).toEqual(ids);
    expect(mayMention(body)).toBe(true);
  });

  test.each([
    ['an email address', 'write to x@ada or ada@example.com'],
    ['an email address with a plus', 'x+@ada'],
    ['a longer name', '@adam @ada_b @ada2 @ada.b @ada-marie'],
    ['another email address', '@ada@example.com.evil.org @ada@other.org @ada@example.community'],
    ['a web address', 'https://social.example/@ada'],
    ['two marks', '@@ada'],
    ['a blank behind the mark', '@ ada'],
    ['a name over two lines', '@Zoë\nÜnal'],
    ['a name behind a mark of another script', '＠ada'],
    ['nothing', '@'],
  ])('is not %s', (_, body) => {
    expect(mentionedIn(body, people)).toEqual([]);
  });

  test('counts for at most 20 people', () => {
    const many = Array.from({ length: 30 }, (_, n) => ({
      id: `${n}`,
      email: `p${n}@example.com`,
      displayName: `Person ${n}`,
    }));
    const body = many.map(({ email }) => `@${email}`).join(' ');
    expect(mentionedIn(body, many)).toEqual(many.slice(0, 20).map(({ id }) => id));
    const namesakes = many.map((person) => ({ ...person, displayName: 'Smith' }));
    expect(mentionedIn('@smith', namesakes)).toHaveLength(20);
  });

  test.each([
    ['marks', '@'.repeat(10_000)],
    ['marks and blanks', '@ '.repeat(5_000)],
    ['beginnings of names', '@a '.repeat(3_333)],
    ['addresses', '@a@a'.repeat(2_500)],
    ['blanks', ' '.repeat(10_000)],
    ['the longest name, but for its end', `@${'a '.repeat(80)}`.repeat(62)],
    ['combining marks', `@${'\u0301'.repeat(9_999)}`],
    ['emoji', '@🦊'.repeat(5_000)],
  ])(
    'is sought in 10,000 %s within the blink of an eye, among 5,000 names of every length',
    (_, body) => {
      const members = Array.from({ length: 5_000 }, (_, n) => ({
        id: `${n}`,
        email: `${'a'.repeat(n % 64)}${n}@example.com`,
        displayName: `${'a '.repeat((n % 80) + 1)}${n}`,
      }));
      const before = process.threadCpuUsage();
      expect(mentionedIn(body, members)).toEqual([]);
      // Of processor time, which no other process lengthens. Quadratic work would take minutes.
      expect(process.threadCpuUsage(before).user).toBeLessThan(2_000_000);
    },
  );
});

describe('an edit', () => {
  test('mentions only people whom the previous text did not mention', () => {
    const before = 'hi @zoe@example.com';
    const after = 'hi @Zoë Ünal, @Grace Hopper';
    expect(newlyMentioned({ before, after }, people)).toEqual(['grace']);
    expect(newlyMentioned({ before: after, after: before }, people)).toEqual([]);
    expect(newlyMentioned({ before: '', after: before }, people)).toEqual(['zoe']);
  });
});
