// @module-tag slow

import { tools } from '@atelier/contract';
import { eq } from 'drizzle-orm';
import { beforeAll, expect, test } from 'vitest';
import { approvals } from '../db/generated/schema.ts';
import { duringApprovedCall } from '../kernel/approved-call.ts';
import { newUser } from '../testing/accounts.ts';
import { storeApproval } from '../testing/approvals.ts';
import { filledTeam, type FilledTeam } from '../testing/filled-team.ts';
import { setUpApi } from '../testing/set-up.ts';
import { inOrderOfLife, inputsOf } from './fixtures.ts';

const api = await setUpApi();
const owner = await newUser(api, 'owner');
const member = await newUser(api, 'member');
let team: FilledTeam;

beforeAll(async () => {
  team = await filledTeam(api, { owner, member, mark: 'Approved', times: 2 });
});

const deciding = tools.filter(({ endpoint: { metadata } }) =>
  ['remove', 'disclose'].includes(metadata.effect),
);

test.each(inOrderOfLife(deciding))('$name uses its approval up with its change', async (tool) => {
  const { id: operation, endpoint } = tool;
  const { organizationId, taskId } = team;
  const [input] = inputsOf(operation, team);
  const about = { organizationId, createdBy: owner.id, taskId };
  const approvalId = await storeApproval(api, { ...about, decidedBy: owner.id });
  const url = endpoint.path.replaceAll(/:(\w+)/g, (_, name: string) =>
    String(input?.params?.[name]),
  );
  const response = await duringApprovedCall(approvalId, () =>
    api.app.inject({
      method: endpoint.method,
      url,
      headers: { authorization: `Bearer ${owner.token}`, 'x-organization-id': organizationId },
      ...(input?.body !== undefined && { payload: input.body as object }),
    }),
  );
  expect([operation, response.statusCode]).toEqual([operation, endpoint.metadata.success.status]);
  const [row] = await api.db
    .select({ status: approvals.status })
    .from(approvals)
    .where(eq(approvals.id, approvalId));
  expect(row).toEqual({ status: 'USED' });
});
