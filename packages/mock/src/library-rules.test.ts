import { describe, expect, test } from 'vitest';
import { inOrganization, setUpMock } from './testing/mock.ts';

const { send, create, join, joinTeam, newTeam, upload } = setUpMock();

describe('emptying the bin', () => {
  const newCollection = async (title: string, sent: object) =>
    (await create('/api/collections/create', { ...sent, body: { title } })).id;
  const remove = async (path: string, sent: object) =>
    expect((await send('DELETE', path, sent)).status).toBe(200);
  const empty = (scope: string, sent: object) =>
    send('DELETE', `/api/assets/bin?scope=${scope}`, sent);

  /** A team of the sample account and a member. */
  async function newPair() {
    const team = await newTeam();
    const headers = inOrganization(team.id);
    const token = await join('grace@example.com');
    await joinTeam(team.id, { email: 'grace@example.com', token });
    return { team, owner: { headers }, member: { headers, token } };
  }

  test('leaves the collections of others, also empty ones', async () => {
    const { owner, member } = await newPair();
    const others = await newCollection('Of the owner', owner);
    await remove(`/api/collections/${others}`, owner);
    expect((await empty('organization', member)).code).toBe('permission_denied');
    expect((await empty('personal', member)).data).toEqual({ assetCount: 0, collectionCount: 0 });
    const restored = await send('POST', `/api/collections/${others}/restore`, owner);
    expect(restored.status).toBe(200);
  });

  test('leaves what was deleted along with something of others, unless the caller may delete that', async () => {
    const { team, owner, member } = await newPair();
    const [ofOwner, ofMember] = [
      await newCollection('Of the owner', owner),
      await newCollection('Of the member', member),
    ];
    const apart = await upload({ ...member, collectionId: ofOwner, content: 'apart' });
    await remove(`/api/assets/${apart.id}`, member);
    await upload({ ...member, collectionId: ofOwner, content: 'along' });
    await upload({ ...owner, collectionId: ofMember, content: 'one' });
    await upload({ ...member, collectionId: ofMember, content: 'two' });
    await remove(`/api/collections/${ofOwner}`, owner);
    await remove(`/api/collections/${ofMember}`, owner);
    expect((await empty('organization', member)).code).toBe('permission_denied');
    const own = await empty('personal', member);
    expect(own.data).toEqual({ assetCount: 1, collectionCount: 0 });
    const whole = await empty('organization', owner);
    expect(whole.data).toEqual({ assetCount: 3, collectionCount: 2 });
    const { data } = await send('GET', '/api/timeline?limit=1', {
      headers: inOrganization(team.id),
    });
    expect(data.items).toMatchObject([
      { action: 'organization.empty_bin', metadata: { assetCount: 3, collectionCount: 2 } },
    ]);
  });
});
