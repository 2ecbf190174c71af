import { describe, expect, test } from 'vitest';
import { createKeys, type KeySet } from './keys.ts';
import { createSeal } from './seal.ts';

const secret = 'a signing secret of the tests, long';
const envelopeKey = '0123456789abcdef'.repeat(4);
const next = 'the next signing secret, also long';
const keysOf = (...secrets: string[]) =>
  createKeys({ JWT_SECRETS: secrets, TOKEN_ENVELOPE_KEYS: [envelopeKey] });
const bytesOf = ({ current }: KeySet) => current.key.export().toString('hex');

describe('keys', () => {
  test('differ for each purpose, and none is the operator’s own key', () => {
    const sets = Object.values(keysOf(secret)) as KeySet[];
    const bytes = sets.map(bytesOf);
    expect(new Set(bytes).size).toBe(17);
    expect(new Set(sets.map(({ current }) => current.id)).size).toBe(17);
    for (const one of bytes) expect(one).toHaveLength(64);
    expect(bytes).not.toContain(envelopeKey);
  });

  test('have names that reveal nothing about them', () => {
    for (const { current } of Object.values(keysOf(secret)) as KeySet[]) {
      expect(current.id).toMatch(/^[\w-]{8}$/);
      const name = Buffer.from(current.id, 'base64url');
      expect(current.key.export().includes(name)).toBe(false);
      expect(Buffer.from(secret).includes(name)).toBe(false);
      expect(Buffer.from(envelopeKey, 'hex').includes(name)).toBe(false);
    }
  });

  // Other programs derive the same keys, and stored data depends on them: another derivation would lose both.
  test('keep their derivation', () => {
    const { tokenSignature, tokenEncryption } = keysOf(secret);
    expect([tokenSignature.current.id, bytesOf(tokenSignature)]).toMatchInlineSnapshot(`
      [
        "JTxyl4sd",
        "c5c3350783b852663bf037ed81bb68f3e8fa7c15d3848eda0a6963730afc6bf8",
      ]
    `);
    expect([tokenEncryption.current.id, bytesOf(tokenEncryption)]).toMatchInlineSnapshot(`
      [
        "hz2Hbm1U",
        "e7d50d307f9fd8efa0a9c07a4aa10a855984f1935b4ccd77e69de2a0160172f1",
      ]
    `);
  });

  test('of a list are derived from one master each, in order', () => {
    const { cursors } = keysOf(next, secret);
    expect(cursors.current).toEqual(keysOf(next).cursors.current);
    expect([...cursors.named.keys()]).toEqual([
      keysOf(next).cursors.current.id,
      keysOf(secret).cursors.current.id,
    ]);
  });
});

describe('a seal', () => {
  const older = createSeal(keysOf(secret).cursors);
  const newer = createSeal(keysOf(next, secret).cursors);

  test('opens data that an older key has sealed, and an older process opens nothing of a newer key', () => {
    expect(newer.open(older.seal('content', 'here'), 'here')?.toString()).toBe('content');
    const sealed = newer.seal(Buffer.from('content'), 'here');
    expect(newer.open(sealed, 'here')?.toString()).toBe('content');
    expect(older.open(sealed, 'here')).toBeNull();
    expect(createSeal(keysOf(secret, next).cursors).open(sealed, 'here')).not.toBeNull();
  });

  test('opens in no other context, for no other purpose, and not altered anywhere', () => {
    const sealed = older.seal('content', 'here');
    expect(older.open(sealed, 'there')).toBeNull();
    expect(createSeal(keysOf(secret).eventPositions).open(sealed, 'here')).toBeNull();
    for (const index of sealed.keys()) {
      const altered = Buffer.from(sealed);
      altered[index] = (altered[index] ?? 0) ^ 1;
      expect(older.open(altered, 'here')).toBeNull();
    }
    for (const length of [0, 5, 6, 18, 33, sealed.length - 1]) {
      expect(older.open(sealed.subarray(0, length), 'here')).toBeNull();
    }
  });

  test('is different each time', () => {
    const seals = Array.from({ length: 300 }, () => older.seal('same', 'here').toString('hex'));
    expect(new Set(seals).size).toBe(300);
  });
});
