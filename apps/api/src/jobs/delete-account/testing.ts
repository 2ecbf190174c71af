import { expect } from 'vitest';
import { deletionDelayDays } from '@atelier/contract';
import type { Clock } from '../../ports/clock.ts';
import type { TestUser } from '../../testing/accounts.ts';
import { call, type TestApi } from '../../testing/api.ts';
import { deleteAccount } from './delete-account.ts';
import type { DeletionDeps } from './leaving.ts';

/** The clock of an API, after the wait for a deletion that is requested now. */
function afterTheWait({ clock }: Pick<TestApi, 'clock'>): Clock {
  const waitMs = (deletionDelayDays * 24 * 60 * 60 + 60) * 1000;
  return { now: () => new Date(clock.now().getTime() + waitMs) };
}

/** What the job of a deletion needs. */
export function deletionDeps(api: TestApi): DeletionDeps {
  return { db: api.deps.db, clock: afterTheWait(api) };
}

export async function requestDeletion(api: TestApi, user: TestUser) {
  return call(api, 'account.requestDeletion', {
    token: user.token,
    body: { confirmation: user.email },
  });
}

/** Requests the deletion of an account, and does it as if its wait was over. */
export async function deleteAtOnce(api: TestApi, user: TestUser): Promise<void> {
  expect((await requestDeletion(api, user)).status).toBe(200);
  await deleteAccount(deletionDeps(api), user.id);
}
