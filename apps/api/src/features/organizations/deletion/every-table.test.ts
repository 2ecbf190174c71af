// @module-tag slow

import { expect, test } from 'vitest';
import { tenantTables, type TenantEntry } from '../../../db/catalogue.ts';
import { newUser } from '../../../testing/accounts.ts';
import { call } from '../../../testing/api.ts';
import { filledTeam } from '../../../testing/filled-team.ts';
import { runJobs, untilFollowed, untilIdle } from '../../../testing/library.ts';
import { setUpApi } from '../../../testing/set-up.ts';
import { leftBehind, passingTables, rowCountsOf } from '../../../testing/tenant-rows.ts';

const api = await setUpApi();

const isDeleted = ({ onOrganizationDeleted: fate }: TenantEntry) =>
  fate === 'delete' || fate === 'delete first' || fate === 'delete last';
const isPurged = (entry: TenantEntry) =>
  isDeleted(entry) || ['bin', 'purge'].includes(String(entry.onOrganizationDeleted));

test('the deletion of an organization leaves in each table what the table declares, and the purge only what it keeps', async () => {
  const [owner, member] = [await newUser(api, 'owner'), await newUser(api, 'member')];
  const { organizationId, name } = await filledTeam(api, {
    owner,
    member,
    mark: 'whole',
    times: 2,
  });
  // Its index of search and its notifications are made from its activities.
  await untilFollowed(api);
  await untilIdle(api);
  const before = await rowCountsOf(api, organizationId);
  const empty = Object.keys(before).filter(
    (table) => before[table] === 0 && !passingTables.has(table),
  );
  expect(empty.map((table) => `fill ${table} in testing/filled-team.ts`)).toEqual([]);
  const deleted = await call(api, 'organizations.remove', {
    token: owner.token,
    params: { id: organizationId },
    query: { confirmName: name },
  });
  expect(deleted.status).toBe(200);
  // The activity of the deletion.
  before['activities'] = (before['activities'] ?? 0) + 1;

  const countsWithout = (isGone: (entry: TenantEntry) => boolean) =>
    Object.fromEntries(
      tenantTables.map((entry) => [entry.name, isGone(entry) ? 0 : before[entry.name]]),
    );
  expect(await rowCountsOf(api, organizationId)).toEqual(countsWithout(isDeleted));
  expect(await leftBehind(api, organizationId)).toEqual([]);

  api.clock.advance({ seconds: 31 * 24 * 60 * 60 });
  await runJobs(api, ['purge_bin']);
  expect(await rowCountsOf(api, organizationId)).toEqual(countsWithout(isPurged));
});
