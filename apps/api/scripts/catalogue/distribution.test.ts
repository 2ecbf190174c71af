import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { catalogue } from '../../src/db/catalogue.ts';
import { distributionSql } from './distribution.ts';

const committed = join(import.meta.dirname, '../../../../deploy/citus/distribution.sql');

test('the statements that distribute the database are those of the tables', () => {
  expect(readFileSync(committed, 'utf8'), 'run `pnpm generate`').toBe(distributionSql(catalogue));
});

test('each table comes after those that it refers to', () => {
  const text = distributionSql(catalogue);
  for (const [before, after] of [
    ['users', 'organizations'],
    ['stored_objects', 'asset_versions'],
    ['collections', 'assets'],
    ['projects', 'tasks'],
    ['tasks', 'comments'],
  ]) {
    expect(text.indexOf(`'${before}'`)).toBeLessThan(text.indexOf(`_table('${after}'`));
  }
  expect(text).not.toContain("'activities'");
  expect(text).not.toContain("'sessions'");
});
