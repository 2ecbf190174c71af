import { operations } from '@atelier/contract';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { lazySerializer } from './serializer.ts';

const Person = z.object({ name: z.string(), nick: z.string().nullable() });
const serialize = lazySerializer(
  z.object({ message: z.literal('Found'), data: z.object({ items: z.array(Person) }) }),
);

describe('the serializer of a response', () => {
  test('writes the declared fields and no others', () => {
    const person = { name: 'Ada', nick: null, password: 'secret' };
    expect(serialize({ message: 'Found', data: { items: [person], total: 1 }, debug: true })).toBe(
      '{"message":"Found","data":{"items":[{"name":"Ada","nick":null}]}}',
    );
  });

  test('refuses a response that lacks a declared field', () => {
    expect(() => serialize({ message: 'Found', data: {} })).toThrow(/"items" is required/);
    expect(() => serialize({ message: 'Found', data: { items: [{ nick: null }] } })).toThrow(
      /"name" is required/,
    );
  });

  test.each([
    ['an object for a text', { name: { first: 'Ada', password: 'secret' }, nick: null }],
    ['a list for an object', ['Ada']],
    ['null for what is never null', { name: null, nick: null }],
    ['a number for a text or null', { name: 'Ada', nick: 1 }],
  ])('refuses %s', (_, person) => {
    expect(() => serialize({ message: 'Found', data: { items: [person] } })).toThrow(TypeError);
  });

  test.each([Number.NaN, Infinity, '1', 1n, true])('refuses %s for a number', (count) => {
    expect(() => lazySerializer(z.object({ count: z.int() }))({ count })).toThrow(TypeError);
  });

  test('omits absent optional fields, and keeps those of any type', () => {
    const write = lazySerializer(
      z.object({ note: z.string().optional(), change: z.unknown(), isOpen: z.boolean() }),
    );
    expect(write({ change: { from: [1], to: null }, isOpen: false })).toBe(
      '{"change":{"from":[1],"to":null},"isOpen":false}',
    );
  });

  test.each([`it's`, 'a "quoted" one', 'two\nlines', 'a-b', '${x}', '\u2028', 'class', '\\'])(
    'writes a field named %j',
    (name) => {
      const write = lazySerializer(z.object({ [name]: z.int() }));
      expect(JSON.parse(write({ [name]: 1, other: 2 }))).toEqual({ [name]: 1 });
      expect(() => write({})).toThrow(`"${name}" is required`);
    },
  );

  test('writes of a tagged union the fields of the one whose tag it has', () => {
    const shapes = z.discriminatedUnion('kind', [
      z.object({ kind: z.literal('circle'), radius: z.number() }),
      z.object({ kind: z.literal('square'), side: z.number(), name: z.string().optional() }),
    ]);
    const write = lazySerializer(z.object({ shape: shapes.nullable() }));
    expect(write({ shape: { kind: 'circle', radius: 1, side: 2 } })).toBe(
      '{"shape":{"kind":"circle","radius":1}}',
    );
    expect(write({ shape: { kind: 'square', side: 2 } })).toBe(
      '{"shape":{"kind":"square","side":2}}',
    );
    expect(write({ shape: null })).toBe('{"shape":null}');
    expect(() => write({ shape: { kind: 'circle', side: 2 } })).toThrow('"radius" is required');
    for (const shape of [{ kind: 'line' }, {}, 'circle']) {
      expect(() => write({ shape })).toThrow(TypeError);
    }
  });

  test('keeps every key of a record, and only the declared fields of its values', () => {
    const write = lazySerializer(z.record(z.string(), z.object({ count: z.int() })));
    expect(write({ a: { count: 1, secret: 2 }, b: { count: 3 } })).toBe(
      '{"a":{"count":1},"b":{"count":3}}',
    );
  });

  test('compiles for every declared success of the contract, and keeps its examples', () => {
    for (const { id, endpoint } of operations) {
      const { success } = endpoint.metadata;
      if (!success.body || !success.data) continue;
      const [example] = (success.data.meta()?.examples ?? []) as unknown[];
      const body =
        success.message === null ? { data: example } : { message: success.message, data: example };
      expect(JSON.parse(lazySerializer(success.body)(body)), id).toEqual(body);
    }
  });
});
