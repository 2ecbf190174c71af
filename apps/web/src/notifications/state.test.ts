import type { Notification } from '@atelier/client';
import { expect, test } from 'vitest';
import { isCounted, isListed, marked } from './state.ts';

const unread: Notification = {
  id: '019aa4fb-2b3c-7d4e-9f50-a1b2c3d4e5f6',
  reason: 'mentioned',
  organization: { id: '019aa4f0-5c1e-7c00-8a51-0d9e2b7f6c11', name: 'Harbour Studio' },
  actor: null,
  guestName: null,
  reviewStatus: null,
  subject: { type: 'task', id: '019aa4f6-5f70-7182-8394-af1b2c3d4e5f', title: 'One', link: null },
  excerpt: null,
  eventCount: 1,
  sequence: 17,
  activityId: '019aa4f3-2c4d-7e5f-a061-7c8d9e0f1a2b',
  isRead: false,
  isArchived: false,
  isSnoozed: false,
  snoozedUntil: null,
  createdAt: '2026-11-21T09:30:00.000Z',
  updatedAt: '2026-11-21T09:30:00.000Z',
};
const inbox = { isArchived: false, isSnoozed: false };
const until = '2026-11-22T09:00:00.000Z';

test('a list has what all of its filters say', () => {
  expect(isListed(inbox, unread)).toBe(true);
  expect(isListed({ ...inbox, isRead: true }, unread)).toBe(false);
  expect(isListed({ reason: 'assigned' }, unread)).toBe(false);
  expect(isListed({ organizationId: unread.organization.id, reason: 'mentioned' }, unread)).toBe(
    true,
  );
  expect(isListed({ organizationId: unread.id }, unread)).toBe(false);
  expect(isListed({}, marked(unread, { isArchived: true }))).toBe(true);
});

test('what is put off leaves the inbox and the count, and comes back unread', () => {
  const snoozed = marked(marked(unread, { isRead: true }), { snoozedUntil: until });
  expect(snoozed).toMatchObject({ isSnoozed: true, snoozedUntil: until, isRead: false });
  expect(isListed(inbox, snoozed)).toBe(false);
  expect(isCounted(snoozed)).toBe(false);
  const back = marked(snoozed, { snoozedUntil: null });
  expect(isListed(inbox, back)).toBe(true);
  expect(isCounted(back)).toBe(true);
  // As an undo restores it.
  expect(marked(snoozed, { snoozedUntil: null, isRead: true }).isRead).toBe(true);
});

test('only what is unread and in the inbox counts', () => {
  expect(isCounted(unread)).toBe(true);
  for (const marks of [{ isRead: true }, { isArchived: true }, { snoozedUntil: until }]) {
    expect(isCounted(marked(unread, marks))).toBe(false);
  }
});

test('marked twice, it is the same', () => {
  const once = marked(unread, { isRead: true, isArchived: true });
  expect(marked(once, { isRead: true, isArchived: true })).toEqual(once);
});
