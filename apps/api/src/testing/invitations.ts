import type { Role } from '@atelier/contract';
import { expect } from 'vitest';
import { nextMail, type ReceivedMail, type TestUser } from './accounts.ts';
import { call, type Reachable } from './api.ts';

export interface TestInvitation {
  readonly id: string;
  readonly token: string;
}

/** Returns the token of the only link in an invitation's mail. */
export function invitationTokenIn(mail: ReceivedMail): string {
  const links = mail.text.match(/https?:\/\/\S+/g) ?? [];
  expect(links).toHaveLength(1);
  const token = /^https:\/\/app\.example\.com\/invitations\/([\w-]{43})$/.exec(String(links[0]));
  expect(token).not.toBeNull();
  return token?.[1] ?? '';
}

/** Invites an address and returns the token in its newest mail. @param mails - the expected number of mails */
export async function invite(
  api: Reachable,
  inviter: Pick<TestUser, 'token'>,
  offer: { teamId: string; email: string; role?: Role; mails: number },
): Promise<TestInvitation> {
  const { teamId, email, role = 'MEMBER', mails } = offer;
  const { status, body } = await call(api, 'organizations.invite', {
    token: inviter.token,
    params: { id: teamId },
    body: { email, role },
  });
  expect(status).toBe(201);
  return { id: body.data.id, token: invitationTokenIn(await nextMail(email, mails)) };
}
