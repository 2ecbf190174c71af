import { describe, expect, test } from 'vitest';
import { sampleAccount } from './samples.ts';
import { hourMs, minuteMs, setUpMock } from './testing/mock.ts';

const { clock, send, login, create, join, joinTeam, mails, mailedToken, newTeam } = setUpMock();

describe('invitations', () => {
  const weekMs = 7 * 24 * hourMs;
  const email = 'guest@example.com';
  const preview = (token: string) => send('GET', `/api/organizations/invitations/${token}`);
  const again = async () => (await login(sampleAccount)).accessToken;

  test('expire, which a list and its filter show, and are not revoked then', async () => {
    const { id } = await newTeam();
    const path = `/api/organizations/${id}/invitations`;
    const invitation = await create(path, { body: { email } });
    clock.nowMs += weekMs - minuteMs;
    const early = await again();
    expect((await send('GET', path, { token: early })).data.items[0].status).toBe('PENDING');
    clock.nowMs += 2 * minuteMs;
    const token = await again();
    expect((await send('GET', path, { token })).data.items[0].status).toBe('EXPIRED');
    const totalOf = async (status: string) =>
      (await send('GET', `${path}?status=${status}`, { token })).data.pagination.total;
    expect([await totalOf('EXPIRED'), await totalOf('PENDING')]).toEqual([1, 0]);
    const revoked = await send('DELETE', `${path}/${invitation.id}`, { token });
    expect(revoked).toMatchObject({ status: 410, code: 'invitation_gone' });
  });

  test('are renewed with another link and inviter, unless the last mail is new', async () => {
    const { id } = await newTeam();
    const path = `/api/organizations/${id}/invitations`;
    const address = 'grace@example.com';
    const grace = await join(address);
    await joinTeam(id, { email: address, token: grace, role: 'ADMIN' });
    const first = await create(path, { body: { email } });
    const [link, { length: count }] = [await mailedToken(), await mails()];
    clock.nowMs += 10 * minuteMs - 1;
    await create(path, { body: { email } });
    expect(await mails()).toHaveLength(count);
    clock.nowMs += 1;
    const second = await create(path, { token: grace, body: { email, role: 'ADMIN' } });
    expect(second).toMatchObject({ id: first.id, role: 'ADMIN' });
    expect(first.invitedBy.displayName).toBe('Ada Lovelace');
    expect(second.invitedBy.id).not.toBe(first.invitedBy.id);
    expect(await mails()).toHaveLength(count + 1);
    expect(await preview(link)).toMatchObject({ status: 410, code: 'invitation_gone' });
    expect((await preview(await mailedToken())).data.role).toBe('ADMIN');

    clock.nowMs += 2 * weekMs;
    const renewed = await create(path, { token: await again(), body: { email } });
    expect(renewed.id).toBe(first.id);
    expect((await preview(await mailedToken())).status).toBe(200);
  });
});
