import postgres from 'postgres';
import { describe, expect, test, vi } from 'vitest';
import { newCitusDatabase, newDistributedDatabase } from '../../../src/testing/citus/databases.ts';
import { routesOf, type RoutedStatement } from '../../../src/testing/citus/routing.ts';
import { configuredAdmin } from '../../../src/testing/feature-fixtures.ts';
import { setUpApi } from '../../../src/testing/set-up.ts';
import { sendEveryStatement } from '../../../src/whole-service/every-statement.ts';
import {
  inSteps,
  ofNoOrganization,
  startsToFollow,
} from '../../../src/whole-service/statement-exceptions.ts';

vi.mock('postgres', async (original) => {
  const { recordingDriver } = await import('../../../src/testing/recorded-statements.ts');
  return recordingDriver(original);
});

// On the coordinator alone: what the service sends doesn't depend on where the rows are.
const api = await setUpApi(
  { ADMIN_EMAILS: configuredAdmin() },
  { databaseUrl: await newCitusDatabase() },
);

describe('every statement of the service', () => {
  let routed: readonly RoutedStatement[] = [];
  const told = (statements: readonly RoutedStatement[]) =>
    statements.map(({ route, error, text }) => ({ route, error, text }));

  test('is recorded and planned', async () => {
    const statements = await sendEveryStatement(api);
    const client = postgres(await newDistributedDatabase(), { max: 1, onnotice: () => {} });
    try {
      routed = await routesOf(client, statements);
      expect(routed.length).toBeGreaterThan(1_000);
    } finally {
      await client.end();
    }
  });

  test('is accepted', () => {
    expect(told(routed.filter(({ route }) => route === 'refused'))).toEqual([]);
  });

  test('goes to the one server of its organization, or has a reason not to', () => {
    const exceptions = [...ofNoOrganization, ...inSteps];
    const others = routed.filter(
      ({ route, text }) =>
        (route === 'steps' || route === 'many shards') &&
        !exceptions.some(({ statement }) => statement.test(text)),
    );
    expect(told(others)).toEqual([]);
  });

  test('enqueues, announces and locks where all processes look, and not on the server of an organization', () => {
    const isOfCoordinator = /graphile_worker\.|enqueue_job\(|pg_notify\(|advisory_xact_lock/;
    const elsewhere = routed.filter(
      ({ route, text }) =>
        route !== 'here' && isOfCoordinator.test(text) && !startsToFollow.test(text),
    );
    expect(told(elsewhere)).toEqual([]);
  });

  test('inserts activities by their values, so that the coordinator names the transaction', () => {
    const inserts = routed.filter(({ text }) => /insert into "?activities"?\b/i.test(text));
    expect(inserts.length).toBeGreaterThan(0);
    const others = inserts.filter(
      ({ text }) => !/^insert into "?activities"? \([^)]*\) values /i.test(text),
    );
    expect(told(others)).toEqual([]);
  });

  test.each(inSteps)('has an exception where it is needed: $reason', ({ statement }) => {
    const needsIt = routed.filter(({ text }) => statement.test(text));
    expect(needsIt.some(({ route }) => route === 'steps')).toBe(true);
  });
});
