import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { organizations, shares } from '../../db/generated/schema.ts';
import { call } from '../../testing/api.ts';
import { inboxOf, untilEvents } from '../../testing/inboxes.ts';
import { someFile, uploadFile } from '../../testing/library.ts';
import { setUpApi } from '../../testing/set-up.ts';
import { newMailingTeam, noticesTo, runAllJobs, untilArrived } from './testing/mailing.ts';

const api = await setUpApi({
  JOBS: 'separate',
  RATE_LIMIT_ENABLED: 'true',
  RATE_LIMIT_REGISTER_PER_ADDRESS: '1000',
  RATE_LIMIT_SHARE_PASSWORDS_PER_NETWORK: '3',
  TRUSTED_PROXIES: '127.0.0.1',
});

/** A team of which a member shares a file. */
async function newSharingTeam(conditions: object = {}) {
  const { bystander: sharer, team } = await newMailingTeam(api);
  const { organizationId } = team;
  const by = { token: sharer.token, organizationId };
  const { body } = await call(api, 'collections.create', { ...by, body: { title: 'Autumn' } });
  const collectionId = String(body.data.id);
  const asset = await uploadFile(api, sharer, someFile(3, 'logo.bin'), {
    collectionId,
    organizationId,
  });
  const target = { targetType: 'COLLECTION', targetId: collectionId };
  const made = await call(api, 'shares.create', { ...by, body: { ...target, ...conditions } });
  expect(made.status).toBe(201);
  const share = made.body.data;
  const open = (password?: string, address = '203.0.113.7') =>
    call(api, 'shares.open', {
      body: { token: share.url.split('#')[1], ...(password !== undefined && { password }) },
      headers: { 'x-forwarded-for': address },
    });
  return { sharer, organizationId, by, asset, share, open, collectionId };
}

test('the sharer is told once that a password is guessed, in the inbox and by mail', async () => {
  const { sharer, share, open, collectionId } = await newSharingTeam({
    password: 'printer 4711',
    label: 'For the printer',
  });
  for (const network of [1, 2]) {
    for (let guess = 0; guess < 5; guess += 1) {
      await open(`wrong ${guess}`, `198.51.${network}.7`);
    }
  }
  await untilArrived(api, sharer, 1);
  const [entry, ...others] = await inboxOf(api, sharer);
  expect(others).toEqual([]);
  expect(entry).toMatchObject({
    reason: 'share_guessing',
    actor: null,
    guestName: null,
    subject: {
      type: 'share',
      id: share.id,
      title: 'For the printer',
      link: `/collections/${collectionId}`,
    },
    eventCount: 1,
  });
  await runAllJobs(api);
  const mails = await noticesTo(sharer);
  expect(mails.map(({ subject }) => subject)).toEqual([
    'Your share needs attention: For the printer',
  ]);
  expect(mails[0]?.text).toContain(`/collections/${collectionId}`);
  const secret = share.url.split('#')[1];
  expect(JSON.stringify([entry, mails])).not.toContain(secret);
});

test('guesses of the next password are told again, and those of the former don’t count against it', async () => {
  const { sharer, by, share, open } = await newSharingTeam({ password: 'printer 4711' });
  const guess = async (address: string) => {
    const codes = [];
    for (let count = 0; count < 5; count += 1) {
      codes.push((await open(`wrong ${count}`, address)).body.code);
    }
    return codes;
  };
  const wave = [...Array(3).fill('share_password_wrong'), ...Array(2).fill('rate_limited')];
  const noticedAt = async () => {
    const [row] = await api.db.select().from(shares).where(eq(shares.id, share.id));
    return row?.guessingNoticedAt;
  };
  expect(await guess('198.51.100.7')).toEqual(wave);
  expect(await guess('198.51.101.7')).toEqual(wave);
  expect(await noticedAt()).not.toBeNull();
  await untilArrived(api, sharer, 1);
  const changeTo = async (body: object) => {
    const { status } = await call(api, 'shares.update', { ...by, params: { id: share.id }, body });
    expect(status).toBe(200);
  };
  await changeTo({ label: 'For the printer' });
  expect(await noticedAt()).not.toBeNull();
  expect((await open('printer 4711', '198.51.100.7')).status).toBe(429);
  await changeTo({ password: 'printer 4712' });
  expect(await noticedAt()).toBeNull();
  expect((await open('printer 4712', '198.51.100.7')).status).toBe(200);
  expect(await noticedAt()).toBeNull();
  expect(await guess('198.51.100.7')).toEqual(wave);
  expect(await guess('198.51.102.7')).toEqual(wave);
  expect(await noticedAt()).not.toBeNull();
  // And the opening.
  await untilArrived(api, sharer, 3);
  const guessing = (await inboxOf(api, sharer)).filter(({ reason }) => reason === 'share_guessing');
  expect(guessing.reduce((sum, { eventCount }) => sum + eventCount, 0)).toBe(2);
});

test('the first opening is told in the inbox without a mail, and no later one', async () => {
  const { sharer, share, open, asset } = await newSharingTeam();
  for (let opening = 0; opening < 3; opening += 1) expect((await open()).status).toBe(200);
  await runAllJobs(api);
  const [entry] = await untilEvents(api, sharer, 1);
  expect(entry).toMatchObject({
    reason: 'shared_opened',
    subject: { type: 'share', id: share.id, title: 'Autumn' },
  });
  await runAllJobs(api);
  expect(await noticesTo(sharer)).toEqual([]);
  expect(JSON.stringify(entry)).not.toContain(asset.id);
});

test('who does not want to know of openings is not told', async () => {
  const { sharer, open } = await newSharingTeam();
  const digest = { frequency: 'DAILY', hour: 8, weekday: 1, timeZone: 'UTC' };
  const reasons = { shared_opened: { inbox: false, mail: 'OFF' } };
  const body = { reasons, digest, organizations: {}, unsubscribed: {} };
  await call(api, 'notifications.setPreferences', { token: sharer.token, body });
  await open();
  await runAllJobs(api);
  expect(await inboxOf(api, sharer)).toEqual([]);
});

test('a share of another person is not shown, even if the entry names it', async () => {
  const { sharer, share, open } = await newSharingTeam();
  await open();
  await runAllJobs(api);
  await untilEvents(api, sharer, 1);
  const other = await newSharingTeam();
  await api.db.update(shares).set({ createdBy: other.sharer.id }).where(eq(shares.id, share.id));
  expect(await inboxOf(api, sharer)).toEqual([]);
});

test('the comment of a guest reaches the sharer with the name of the guest as text', async () => {
  const { sharer, organizationId, open, asset } = await newSharingTeam({ allowComments: true });
  await api.db
    .update(organizations)
    .set({ mailContent: 'FULL' })
    .where(eq(organizations.id, organizationId));
  const reasons = {
    commented: { inbox: true, mail: 'INSTANT' },
    shared_opened: { inbox: false, mail: 'OFF' },
  };
  const digest = { frequency: 'DAILY', hour: 8, weekday: 1, timeZone: 'UTC' };
  await call(api, 'notifications.setPreferences', {
    token: sharer.token,
    body: { reasons, digest, organizations: {}, unsubscribed: {} },
  });
  const { body } = await open();
  const visitor = { headers: { authorization: `Share ${body.data.ticket}` } };
  const name = '<b>Grace</b> https://evil.example';
  const posted = await call(api, 'shares.createSharedComment', {
    ...visitor,
    params: { id: asset.id },
    body: { body: `@${sharer.email} is blurred`, visitorName: name },
  });
  expect(posted.status).toBe(201);
  await untilArrived(api, sharer, 1);
  expect(await inboxOf(api, sharer)).toMatchObject([
    {
      reason: 'commented',
      actor: null,
      guestName: name,
      subject: { type: 'asset', id: asset.id },
      excerpt: `@${sharer.email} is blurred`,
    },
  ]);
  await runAllJobs(api);
  const [mail] = await noticesTo(sharer);
  expect(mail?.text).toContain('(a guest) commented on a file');
  expect(mail?.text).not.toContain('https://evil');
});
