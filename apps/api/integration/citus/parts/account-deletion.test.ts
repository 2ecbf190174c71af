import { expect, test } from 'vitest';
import { invitations } from '../../../src/db/generated/schema.ts';
import { recordFormerAddressees } from '../../../src/domain/erased-text/erase.ts';
import { verifyDatabase } from '../../../src/domain/verify/verify.ts';
import { changeEmailOf } from '../../../src/features/account/testing.ts';
import { findDue } from '../../../src/jobs/delete-account/queries.ts';
import { deleteAtOnce } from '../../../src/jobs/delete-account/testing.ts';
import { logIn, newUser } from '../../../src/testing/accounts.ts';
import { someEmail, startTestApi } from '../../../src/testing/api.ts';
import { newDistributedDatabase } from '../../../src/testing/citus/databases.ts';
import { makeOffer, takeOffer } from '../../../src/testing/offers.ts';
import { storeTeam } from '../../../src/testing/teams.ts';

test('an account is deleted, with its former email in invitations on other servers', async () => {
  const api = await startTestApi({}, { databaseUrl: await newDistributedDatabase() });
  try {
    const [owner, arrived] = [await newUser(api, 'owner'), await newUser(api, 'former')];
    const [joined, other] = [await storeTeam(api, owner), await storeTeam(api, owner)];
    const offer = { email: arrived.email, role: 'MEMBER' } as const;
    const accepted = await makeOffer(api, owner, { teamId: joined, ...offer });
    expect((await takeOffer(api, arrived, accepted)).status).toBe(200);
    await makeOffer(api, owner, { teamId: other, ...offer });
    const email = someEmail('present');
    await changeEmailOf(api, arrived, email);
    const inTwoMonths = new Date(api.clock.now().getTime() + 62 * 24 * 60 * 60 * 1_000);
    await recordFormerAddressees({ db: api.deps.db }, inTwoMonths);
    const { id } = arrived;
    const rows = () =>
      api.db
        .select({ accountId: invitations.accountId, email: invitations.email })
        .from(invitations);
    const found = { accountId: id, email: arrived.email };
    expect(await rows()).toEqual([found, found]);

    const leaver = await logIn(api, { ...arrived, email });
    await deleteAtOnce(api, leaver);
    expect(await findDue(api.deps.db, inTwoMonths)).toEqual([]);
    const left = { accountId: id, email: `deleted-${id}@deleted.invalid` };
    expect(await rows()).toEqual([left, left]);
    const results = await verifyDatabase(api.db);
    expect(results.find(({ name }) => name === 'deleted-accounts')?.subjects).toEqual([]);
  } finally {
    await api.close();
  }
});
