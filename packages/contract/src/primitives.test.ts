import { describe, expect, test } from 'vitest';
import type { z } from 'zod';
import {
  AssigneesBody,
  CommentBody,
  contract,
  cursorList,
  Email,
  Id,
  timestampInput,
  queryBoolean,
  queryInteger,
  RegisterBody,
  TaskPositionBody,
  text,
  Timestamp,
  verbatimText,
} from './index.ts';

const id = '019aa4f0-5c1e-7b3a-9d2f-6f1f0c7a9e42';
const accepts = (schema: z.ZodType, value: unknown) => schema.safeParse(value).success;

describe('text', () => {
  const name = text({ max: 5 });

  test.each([
    ['NUL', 'a\0b'],
    ['a lone high surrogate', 'a\ud83d'],
    ['a lone low surrogate', '\udc00a'],
    ['swapped surrogates', '\udc00\ud83d'],
  ])('refuses %s', (_what, value) => {
    expect(accepts(name, value)).toBe(false);
    expect(accepts(verbatimText({ max: 5 }), value)).toBe(false);
  });

  test('counts code points, not UTF-16 units', () => {
    expect(accepts(name, '🦄🦄🦄🦄🦄')).toBe(true);
    expect(accepts(name, '🦄🦄🦄🦄🦄🦄')).toBe(false);
  });

  test('is trimmed before it is counted', () => {
    expect(name.parse('  abcde\n')).toBe('abcde');
    expect(accepts(name, '  \u00a0\t ')).toBe(false);
  });

  test('verbatim text keeps its blanks', () => {
    expect(verbatimText({ max: 5 }).parse(' ab ')).toBe(' ab ');
  });

  test.each([[1], [true], [null], [['a']], [{}], [undefined]])('refuses %j', (value) => {
    expect(accepts(name, value)).toBe(false);
  });

  test('takes the longest value and not one more', () => {
    const title = contract.collections.create.body;
    expect(accepts(title, { title: 'é'.repeat(120) })).toBe(true);
    expect(accepts(title, { title: 'é'.repeat(121) })).toBe(false);
  });
});

describe('ids', () => {
  test.each([
    ['upper case', id.toUpperCase()],
    ['braces', `{${id}}`],
    ['a trailing newline', `${id}\n`],
    ['no dashes', id.replaceAll('-', '')],
    ['a path', '../etc/passwd'],
    ['nothing', ''],
    ['a repeated value', [id, id]],
  ])('refuse %s', (_what, value) => {
    expect(accepts(Id, id)).toBe(true);
    expect(accepts(Id, value)).toBe(false);
  });
});

describe('integers of a query', () => {
  const limit = queryInteger({ min: 1, max: 100 });

  test.each(['1e2', ' 1', '1 ', '+1', '-1', '1.0', '0x10', '', '١', '0', '101', '9'.repeat(400)])(
    'refuse %j',
    (value) => {
      expect(accepts(limit, value)).toBe(false);
    },
  );

  test.each([['1', 1] as const, ['007', 7] as const, ['100', 100] as const])(
    'take %j as %d',
    (value, number) => {
      expect(limit.parse(value)).toBe(number);
    },
  );

  test('are absent when they are left out', () => {
    expect(cursorList.parse({})).toEqual({ limit: 20 });
  });
});

test('booleans of a query are true and false, nothing else', () => {
  expect(queryBoolean().parse('true')).toBe(true);
  expect(queryBoolean().parse('false')).toBe(false);
  for (const value of ['1', 'TRUE', '', 'yes', ['true']]) {
    expect(accepts(queryBoolean(), value)).toBe(false);
  }
});

describe('email addresses', () => {
  test('are trimmed and in lower case', () => {
    expect(Email.parse('  Ada@Example.COM ')).toBe('ada@example.com');
  });

  test.each([
    'ada',
    '@example.com',
    'ada@@example.com',
    'ada@example.com\r\nBcc: x@example.com',
    `${'a'.repeat(250)}@example.com`,
    'a\0da@example.com',
  ])('refuse %j', (value) => {
    expect(accepts(Email, value)).toBe(false);
  });
});

describe('passwords', () => {
  const register = (password: string) =>
    accepts(RegisterBody, { email: 'ada@example.com', password });

  test('have 8 to 128 code points and keep their blanks', () => {
    expect(register('🦄'.repeat(7))).toBe(false);
    expect(register('🦄'.repeat(8))).toBe(true);
    expect(register('🦄'.repeat(128))).toBe(true);
    expect(register('🦄'.repeat(129))).toBe(false);
    const parsed = RegisterBody.parse({ email: 'ada@example.com', password: ' engines ' });
    expect(parsed.password).toBe(' engines ');
  });
});

describe('timestamps in requests', () => {
  test.each([
    ['2026-11-21', '2026-11-21T00:00:00.000Z'],
    ['2026-11-21T10:30:00+02:00', '2026-11-21T08:30:00.000Z'],
    ['2026-11-21T10:30:00.123456Z', '2026-11-21T10:30:00.123Z'],
    ['1970-01-01', '1970-01-01T00:00:00.000Z'],
    ['9999-12-31T23:59:59Z', '9999-12-31T23:59:59.000Z'],
  ])('%s comes out as %s', (value, timestamp) => {
    expect(timestampInput().parse(value)).toBe(timestamp);
    expect(accepts(Timestamp, timestamp)).toBe(true);
  });

  test.each([
    '0000-01-01',
    '0000-01-01T00:00:00+23:59',
    '1969-12-31',
    '9999-12-31T23:59:59-23:59',
    '+010000-01-01T00:00:00Z',
    '2026-02-30',
    '2026-11-21T25:00:00Z',
    '2026-11-21T10:30:00+99:00',
    '2026-11-21 10:30:00',
    'yesterday',
    '',
  ])('refuse %j without throwing', (value) => {
    expect(accepts(timestampInput(), value)).toBe(false);
  });
});

describe('positions', () => {
  test.each([
    [{ position: 0 }],
    [{ beforeId: id }],
    [{ afterId: id, status: 'DONE' }],
    [{ position: 3, status: 'TODO' }],
  ])('take %j', (body) => {
    expect(TaskPositionBody.parse(body)).toEqual(body);
  });

  test.each([
    [{}],
    [{ status: 'DONE' }],
    [{ position: -1 }],
    [{ position: 1.5 }],
    [{ position: 1e300 }],
    [{ position: '0' }],
    [{ position: null }],
    [{ position: 0, beforeId: id }],
    [{ beforeId: id, afterId: id }],
    [{ position: 0, afterId: null }],
    [{ position: 0, status: 'LOST' }],
  ])('refuse %j', (body) => {
    expect(accepts(TaskPositionBody, body)).toBe(false);
  });
});

test('assignees are at most 20, and repeated ones count once', () => {
  expect(AssigneesBody.parse({ assigneeIds: [id, id] })).toEqual({ assigneeIds: [id] });
  expect(accepts(AssigneesBody, { assigneeIds: Array(20).fill(id) })).toBe(true);
  expect(accepts(AssigneesBody, { assigneeIds: Array(21).fill(id) })).toBe(false);
  expect(accepts(AssigneesBody, { assigneeIds: [] })).toBe(true);
  expect(accepts(AssigneesBody, {})).toBe(false);
});

test('a comment keeps its blanks but has more than them', () => {
  expect(CommentBody.parse({ body: '  code\n' })).toEqual({ body: '  code\n' });
  expect(accepts(CommentBody, { body: ' \n\t' })).toBe(false);
});

test('the parts of an upload are numbered 1 to 10,000, each once, in any order', () => {
  const body = contract.uploads.complete.body;
  const upload = { uploadId: 'u', key: 'k', contentType: 'image/png', collectionId: id };
  const withParts = (...numbers: number[]) => ({
    ...upload,
    parts: numbers.map((partNumber) => ({ partNumber, eTag: 'e' })),
  });
  expect(accepts(body, withParts(10_000, 1))).toBe(true);
  for (const numbers of [[], [0], [10_001], [1.5], [1, 1], [Number.NaN]]) {
    expect(accepts(body, withParts(...numbers))).toBe(false);
  }
});

test('logout reads whatever was sent', () => {
  for (const body of [undefined, null, 'x', 1, [], { refreshToken: {} }]) {
    expect(accepts(contract.auth.logout.body, body)).toBe(true);
  }
});

test.each(['', 'a b\u007f', 'ключ', 'x'.repeat(256), 'a\nb'])(
  'the idempotency key %j is refused',
  (key) => {
    const header = contract.tasks.create.headers['idempotency-key'];
    expect(header && accepts(header, 'order 66')).toBe(true);
    expect(header && accepts(header, key)).toBe(false);
  },
);
