// @module-tag slow

import { describe, expect, test, vi } from 'vitest';
import { catalogue, tenantTables } from '../db/catalogue.ts';
import { configuredAdmin } from '../testing/feature-fixtures.ts';
import { setUpApi } from '../testing/set-up.ts';
import { lockedTables, unboundTables } from '../testing/tenant-statements.ts';
import { sendEveryStatement } from './every-statement.ts';
import { ofNoOrganization, startsToFollow } from './statement-exceptions.ts';

vi.mock('postgres', async (original) => {
  const { recordingDriver } = await import('../testing/recorded-statements.ts');
  return recordingDriver(original);
});

const api = await setUpApi({ ADMIN_EMAILS: configuredAdmin() });

const tables = new Set(tenantTables.map(({ name }) => name));
const onEveryServer = new Set(
  catalogue.filter(({ distribution }) => distribution === 'reference').map(({ name }) => name),
);

describe('every statement of the service', () => {
  let texts: readonly string[] = [];
  let unbound: readonly string[] = [];

  test('is recorded, for every table of organizations', async () => {
    texts = (await sendEveryStatement(api)).map(({ text }) => text);
    const isNamed = (table: string) => texts.some((text) => text.includes(`"${table}"`));
    expect(
      [...tables].filter((table) => !isNamed(table)),
      'add a story or an input that uses the table to the testing.ts of its feature',
    ).toEqual([]);
    const found = await Promise.all(texts.map((text) => unboundTables(text, tables)));
    unbound = texts.filter((_, index) => found[index]?.length !== 0);
  }, 300_000);

  test('binds its rows to an organization, or has a reason not to', () => {
    const isException = (text: string) =>
      ofNoOrganization.some(({ statement }) => statement.test(text));
    expect(
      unbound.filter((text) => !isException(text)),
      'compare organization_id with the parameter in each statement, or add it with a reason to apps/api/src/whole-service/statement-exceptions.ts',
    ).toEqual([]);
  });

  test('locks no row of a table that every server has: that would lock the table', async () => {
    const locking = await Promise.all(
      texts.map(async (text) => ({ text, locked: await lockedTables(text) })),
    );
    const onAll = locking.filter(
      ({ locked, text }) =>
        locked.some((table) => onEveryServer.has(table)) && !startsToFollow.test(text),
    );
    expect(onAll.map(({ text }) => text)).toEqual([]);
  });

  test.each(ofNoOrganization)('has an exception where it is needed: $reason', ({ statement }) => {
    expect(unbound.some((text) => statement.test(text))).toBe(true);
  });
});
