import { describe, expect, test } from 'vitest';
import {
  maxSearchWords,
  parseSearchQuery,
  searchTypes,
  searchTypesOf,
  searchWordsOf,
  type SearchQuery,
  type SearchTerm,
} from './index.ts';

const whole = (...words: string[]): SearchTerm => ({ words, isBeginning: false });
const begun = (...words: string[]): SearchTerm => ({ words, isBeginning: true });
const parsed = (text: string) => parseSearchQuery(text);

describe('words', () => {
  test.each([
    ['launch plan', [whole('launch'), begun('plan')]],
    ['launch plan ', [whole('launch'), whole('plan')]],
    ['launch plan\u3000', [whole('launch'), whole('plan')]],
    ['  launch', [begun('launch')]],
    ['"launch plan"', [whole('launch', 'plan')]],
    ['“launch plan” x', [whole('launch', 'plan'), begun('x')]],
    ['"launch pl', [begun('launch', 'pl')]],
    ['"launch pl ', [whole('launch', 'pl')]],
    ['a"b c"d', [whole('a'), whole('b', 'c'), begun('d')]],
    ['re-use', [begun('re', 'use')]],
    ["don't ", [whole('don', 't')]],
    ['Grüße 2½', [whole('Grüße'), begun('2½')]],
    ['https://example.com', [begun('https', 'example', 'com')]],
    ['a & b | c', [whole('a'), whole('b'), begun('c')]],
    ['%_\\ ', []],
    ['""', []],
    ['🎉 done ', [whole('done')]],
    ['a\0b', [begun('a', 'b')]],
    ['\ud800a', [begun('a')]],
    ['\u202egna\u200fl', [begun('gnal')]],
  ])('of %j', (text, terms) => {
    expect(parsed(text).terms).toEqual(terms);
    expect(parsed(text).isEmpty).toBe(terms.length === 0);
  });

  test('with a minus are excluded, and are no beginning', () => {
    expect(parsed('plan -old -"two words" - x-y')).toMatchObject({
      terms: [whole('plan'), begun('x', 'y')],
      excluded: [whole('old'), whole('two', 'words')],
    });
    expect(parsed('plan -ol').excluded).toEqual([whole('ol')]);
  });

  test('that are only excluded make nothing to look for', () => {
    expect(parsed('-old').isEmpty).toBe(true);
    expect(parsed('-old type:task').isEmpty).toBe(false);
  });

  test('of 200 letters are one word', () => {
    expect(parsed('x'.repeat(200)).terms).toEqual([begun('x'.repeat(200))]);
  });

  test('that are more than 12 are cut, and the last of those that stay is no beginning', () => {
    const words = Array.from({ length: 13 }, (_, index) => `w${index}`);
    const { terms, isCut } = parsed(words.join(' '));
    expect(terms).toEqual(words.slice(0, 12).map((word) => whole(word)));
    expect(isCut).toBe(true);
    expect(parsed(words.slice(1).join(' ')).isCut).toBe(false);
    expect(parsed(`"${words.join(' ')}`).terms).toEqual([whole(...words.slice(0, 12))]);
    expect(parsed(`${words.slice(1).join(' ')} !?`).isCut).toBe(false);
  });

  test('of a text are runs of letters, marks and numbers', () => {
    expect(searchWordsOf('Ångström_v2.final (1).pdf')).toEqual([
      'Ångström',
      'v2',
      'final',
      '1',
      'pdf',
    ]);
    expect(searchWordsOf('soft\u00adhyphen')).toEqual(['softhyphen']);
    expect(searchWordsOf('')).toEqual([]);
  });
});

describe('filters', () => {
  test('are taken out of the words', () => {
    const { filters, terms, isEmpty } = parsed(
      'Type:task type:ASSET in:WEB in:"Launch plan" by:ada assignee:me is:overdue after:2026-11-01 before:2026-12-01 plan ',
    );
    expect(filters).toEqual({
      types: ['task', 'asset'],
      in: ['WEB', 'Launch plan'],
      by: ['ada'],
      assignee: ['me'],
      is: ['overdue'],
      after: '2026-11-01',
      before: '2026-12-01',
    });
    expect(terms).toEqual([whole('plan')]);
    expect(isEmpty).toBe(false);
  });

  test('alone are a query', () => {
    expect(parsed('assignee:me').isEmpty).toBe(false);
  });

  test.each([
    ['type:taskk', [begun('type', 'taskk')]],
    ['is:', [begun('is')]],
    ['colour:red ', [whole('colour', 'red')]],
    ['constructor:x ', [whole('constructor', 'x')]],
    ['before:2026-02-31 ', [whole('before', '2026', '02', '31')]],
    ['before:tomorrow ', [whole('before', 'tomorrow')]],
    ['after:1969-12-31 ', [whole('after', '1969', '12', '31')]],
    ['in:! x', [whole('in'), begun('x')]],
    ['überin:WEB ', [whole('überin', 'WEB')]],
  ])('that are unknown, as in %j, are words', (text, terms) => {
    expect(parsed(text).terms).toEqual(terms);
  });

  test('with a minus are excluded words', () => {
    expect(parsed('x -type:task').excluded).toEqual([whole('type', 'task')]);
  });

  test('count as words', () => {
    const { filters, isCut } = parsed(Array.from({ length: 13 }, () => 'by:x').join(' '));
    expect([filters.by.length, isCut]).toEqual([12, true]);
  });
});

test.each([
  ['WEB-12', { projectKey: 'WEB', number: 12 }],
  ['web-12 imprint', { projectKey: 'WEB', number: 12 }],
  ['PRO2-7', { projectKey: 'PRO2', number: 7 }],
  ['imprint #7', { projectKey: null, number: 7 }],
  ['#0', null],
  ['-WEB-12 x', null],
  ['WEB-1234567890', null],
  ['12', null],
  ['2026-11', null],
])('the task number in %j', (text, taskNumber) => {
  expect(parsed(text).taskNumber).toEqual(taskNumber);
});

test('types of a request are those that it names, and all without a name', () => {
  expect(searchTypesOf('asset,task,asset')).toEqual(['task', 'asset']);
  expect(searchTypesOf(undefined)).toEqual(searchTypes);
});

/** Numbers from 0 to below 1, the same ones in each run. */
function random(seed: number) {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

const pieces: readonly string[] = [
  ...'\'"“”„\\&|!<->:*()#-+%_ \t\n\0'.split(''),
  'a',
  'B',
  'ß',
  'é',
  'e\u0301',
  '漢',
  '１',
  '🎉',
  '👩‍💻',
  '\ud800',
  '\udc00',
  '\u200f',
  '\u202e',
  '\ufeff',
  'type:',
  'task',
  'in:',
  'by:',
  'me',
  'assignee:',
  'is:',
  'overdue',
  'before:',
  '2026-12-01',
  'WEB-12',
  'x'.repeat(200),
  '__proto__:',
  'constructor:',
  '-"',
];

function isWithinBounds({ terms, excluded, filters, taskNumber, isEmpty }: SearchQuery): boolean {
  const all = [...terms, ...excluded];
  const words = all.flatMap((term) => term.words);
  const values = [filters.types, filters.in, filters.by, filters.assignee, filters.is].flat();
  return (
    words.length + values.length <= maxSearchWords &&
    all.every((term) => term.words.length > 0) &&
    words.every((word) => /^[\p{L}\p{M}\p{N}]+$/u.test(word)) &&
    [...terms.slice(0, -1), ...excluded].every((term) => !term.isBeginning) &&
    (taskNumber === null || Number.isSafeInteger(taskNumber.number)) &&
    !(isEmpty && terms.length + values.length > 0)
  );
}

test('100,000 random queries are taken apart within bounds', () => {
  const next = random(20_261_125);
  const wrong: string[] = [];
  for (let run = 0; run < 100_000; run += 1) {
    const length = Math.floor(next() * 24);
    const text = Array.from({ length }, () => pieces[Math.floor(next() * pieces.length)]).join('');
    if (!isWithinBounds(parsed(text))) wrong.push(text);
  }
  expect(wrong).toEqual([]);
});
