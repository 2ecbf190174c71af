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

  test('refuses an answer that lacks a declared field', () => {
    expect(() => serialize({ message: 'Found', data: {} })).toThrow(/"items" is required/);
    expect(() => serialize({ message: 'Found', data: { items: [{ nick: null }] } })).toThrow(
      /"name" is required/,
    );
  });

  test('can be made of every success that the contract declares, and keeps its examples', () => {
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
