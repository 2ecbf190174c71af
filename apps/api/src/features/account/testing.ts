import { eq } from 'drizzle-orm';
import { users } from '../../db/generated/schema.ts';
import {
  logIn,
  mailedTokenOf,
  newUser,
  nextMail,
  somePassword,
  type TestUser,
  tokenIn,
} from '../../testing/accounts.ts';
import { call, someEmail, type TestApi } from '../../testing/api.ts';
import type { FeatureFixtures, Story } from '../../testing/feature-fixtures.ts';
import { noInput } from '../../testing/fixture-parts.ts';
import { expect } from 'vitest';

export const accountFixtures: FeatureFixtures<'account'> = {
  inputs: {
    requestEmailChange: () => [{ body: { newEmail: someEmail('requested') } }],
    requestExport: noInput,
    latestExport: noInput,
    getExport: (team) => [{ params: { id: team.exportId } }],
    // It ends every session of its caller.
    requestDeletion: null,
  },
  stories: {
    'an account that is kept': keptAccount,
    'an account that is exported': exportedAccount,
    'an email that is changed and comes back': changedEmail,
  },
};

async function keptAccount({ api, walk }: Story): Promise<void> {
  const leaver = await newUser(api, 'leaver');
  const own = { actorId: leaver.id, resourceId: leaver.id };
  await walk('account.requestDeletion', {
    as: leaver,
    input: { body: { confirmation: leaver.email.toUpperCase() } },
    recorded: { ...own, action: 'user.request_deletion' },
    refused: [{ body: { confirmation: 'someone-else@example.com' } }],
  });
  await walk('account.cancelDeletion', {
    input: { body: { token: tokenIn(await nextMail(leaver.email, 2)) } },
    recorded: { ...own, action: 'user.cancel_deletion' },
    refused: [{ body: { token: 'a-token-that-nobody-has' } }],
  });
}

async function exportedAccount({ api, walk }: Story): Promise<void> {
  const owner = await newUser(api, 'exporter');
  await walk('account.requestExport', {
    as: owner,
    recorded: { actorId: owner.id, resourceId: owner.id, action: 'user.export' },
  });
}

export const confirmTokenOf = (email: string) => mailedTokenOf(email, 'Confirm your new email');
export const undoTokenOf = (email: string) =>
  mailedTokenOf(email, 'The email of your account was changed');

/** Changes the email of an account in two requests. @returns the token that undoes it */
export async function changeEmailOf(
  api: TestApi,
  user: { readonly token: string; readonly email: string },
  newEmail: string,
): Promise<string> {
  const { token, email } = user;
  const asked = await call(api, 'account.requestEmailChange', { token, body: { newEmail } });
  expect([asked.status, asked.body.code]).toEqual([200, undefined]);
  const body = { token: await confirmTokenOf(newEmail) };
  const confirmed = await call(api, 'account.confirmEmailChange', { body });
  expect([confirmed.status, confirmed.body.code]).toEqual([200, undefined]);
  return undoTokenOf(email);
}

export const newPassword = 'another horse battery';

/** Chooses the password of an account with the mail that follows an undone change, and signs in. */
export async function recoverAccount(api: TestApi, email: string): Promise<TestUser> {
  const token = await mailedTokenOf(email, 'How to reset your password');
  const body = { token, password: newPassword };
  expect((await call(api, 'auth.resetPassword', { body })).status).toBe(200);
  return logIn(api, { email, password: newPassword });
}

async function changedEmail({ api, walk }: Story): Promise<void> {
  const mover = await newUser(api, 'mover');
  const own = { actorId: mover.id, resourceId: mover.id };
  const newEmail = someEmail('moved');
  await walk('account.requestEmailChange', {
    as: mover,
    input: { body: { newEmail: newEmail.toUpperCase() } },
    recorded: { ...own, action: 'user.request_email_change' },
    refused: [{ body: { newEmail: mover.email } }, { body: { newEmail: 'a@deleted.invalid' } }],
    repeatsBecause: 'each request replaces the one before, with another link',
  });
  await walk('account.confirmEmailChange', {
    input: { body: { token: await confirmTokenOf(newEmail) } },
    recorded: { ...own, action: 'user.change_email', fields: ['email'] },
    refused: [{ body: { token: 'a-token-that-nobody-has' } }],
  });
  await walk('account.undoEmailChange', {
    input: { body: { token: await undoTokenOf(mover.email) } },
    recorded: { ...own, action: 'user.undo_email_change', fields: ['email'] },
    refused: [{ body: { token: 'a-token-that-nobody-has' } }],
  });
}

/** The requests that tests of email changes make, and what they read. */
export function emailChangesOf(api: TestApi) {
  const ask = (user: { readonly token: string }, newEmail: string) =>
    call(api, 'account.requestEmailChange', { token: user.token, body: { newEmail } });

  return {
    ask,
    confirm: (token: string) => call(api, 'account.confirmEmailChange', { body: { token } }),
    undo: (token: string) => call(api, 'account.undoEmailChange', { body: { token } }),
    signIn: (email: string, password = somePassword) =>
      call(api, 'auth.login', { body: { email, password } }),

    /** Requests a change, and returns the token of its mail. */
    async requested(user: TestUser, newEmail = someEmail('next')): Promise<string> {
      expect((await ask(user, newEmail)).status).toBe(200);
      return confirmTokenOf(newEmail);
    },

    async rowOf({ id }: { readonly id: string }) {
      const [row] = await api.db.select().from(users).where(eq(users.id, id));
      if (!row) throw new Error('the account is gone');
      return row;
    },
  };
}

/** Attempts something twenty times at once; returns the statuses in order. */
export async function statusesOfTwenty(
  attempt: () => Promise<{ readonly status: number }>,
): Promise<number[]> {
  const responses = await Promise.all(Array.from({ length: 20 }, attempt));
  return responses.map(({ status }) => status).toSorted();
}

/** What is expected of twenty attempts of which one succeeds. */
export const onceOfTwenty = [200, ...Array<number>(19).fill(400)];
