import pino from 'pino';
import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { idempotencyKeys } from '../../db/generated/schema.ts';
import { newId } from '../../kernel/ids.ts';
import { setUpApi } from '../../testing/set-up.ts';
import { claimKey } from './queries.ts';
import { createUnreleasedKeys } from './unreleased.ts';

const api = await setUpApi();

const count = (key: string) => api.db.$count(idempotencyKeys, eq(idempotencyKeys.key, key));

/** A key that no attempt has claimed yet, and the terms of a claim. */
function someClaim() {
  const held = { scope: 'a test', operation: 'a test', key: newId(), holder: newId() };
  const now = api.clock.now();
  const leasedUntil = new Date(now.getTime() + 20_000);
  const terms = {
    organizationId: null,
    payloadHash: Buffer.from('hash'),
    now,
    leasedUntil,
    expiresAt: leasedUntil,
  };
  return { held, terms, leasedUntil };
}

test('a claim that commits after its attempt has failed is released', async () => {
  const { db, clock } = api;
  const lines: string[] = [];
  const log = pino({ base: null, timestamp: false }, { write: (line) => void lines.push(line) });
  const unreleased = createUnreleasedKeys({ db, clock, log });
  const { held, terms, leasedUntil } = someClaim();
  await db.transaction(async (tx) => {
    await claimKey(tx, held, terms);
    unreleased.add(held, leasedUntil);
    // Several attempts to release it, which see nothing.
    await new Promise((resolve) => setTimeout(resolve, 800));
    expect(lines).toEqual([]);
    expect(await tx.$count(idempotencyKeys, eq(idempotencyKeys.key, held.key))).toBe(1);
  });
  await expect.poll(() => count(held.key)).toBe(0);
  await expect
    .poll(() => lines.map((line) => JSON.parse(line) as unknown))
    .toEqual([
      { level: 30, keys: 1, msg: 'failed attempts no longer hold their idempotency keys' },
    ]);
});

test('a key that another attempt holds by now is left alone', async () => {
  const { db, clock, log } = { ...api, log: pino({ level: 'silent' }) };
  const unreleased = createUnreleasedKeys({ db, clock, log });
  const { held, terms, leasedUntil } = someClaim();
  await claimKey(db, { ...held, holder: newId() }, terms);
  unreleased.add(held, leasedUntil);
  await unreleased.releaseNow(held);
  expect(await count(held.key)).toBe(1);
});

test('a key is free at once when the background is just releasing it', async () => {
  const { db, clock } = api;
  const log = pino({ level: 'silent' });
  const unreleased = createUnreleasedKeys({ db, clock, log });
  for (let round = 0; round < 5; round += 1) {
    const { held, terms, leasedUntil } = someClaim();
    await claimKey(db, held, terms);
    unreleased.add(held, leasedUntil);
    // Its next attempt begins about now.
    await new Promise((resolve) => setTimeout(resolve, 250));
    await unreleased.releaseNow(held);
    const next = { ...held, holder: newId() };
    expect(await claimKey(db, next, terms)).toBe('held');
  }
});

test('a key of another operation or caller is not released', async () => {
  const { db, clock } = api;
  const unreleased = createUnreleasedKeys({ db, clock, log: pino({ level: 'silent' }) });
  const { held, terms, leasedUntil } = someClaim();
  await claimKey(db, held, terms);
  unreleased.add(held, leasedUntil);
  await unreleased.releaseNow({ ...held, operation: 'another' });
  await unreleased.releaseNow({ ...held, scope: 'another' });
  expect(await count(held.key)).toBe(1);
  await unreleased.releaseNow(held);
  expect(await count(held.key)).toBe(0);
});
