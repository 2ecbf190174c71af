import type { Role } from '@atelier/contract';
import { expect } from 'vitest';
import { invitationTokens } from '../db/generated/schema.ts';
import { newSecretToken } from '../kernel/ids.ts';
import { hashSecretToken } from '../kernel/secret-tokens.ts';
import type { TestUser } from './accounts.ts';
import { call, type TestApi } from './api.ts';

/** An invitation, with a link that needs no mail. */
export interface TestOffer {
  readonly id: string;
  readonly token: string;
}

/** Invites an address, and creates one more link to the invitation. */
export async function makeOffer(
  api: TestApi,
  inviter: Pick<TestUser, 'token'>,
  offer: { teamId: string; email: string; role: Role },
): Promise<TestOffer> {
  const { teamId, email, role } = offer;
  const { status, body } = await call(api, 'organizations.invite', {
    token: inviter.token,
    params: { id: teamId },
    body: { email, role },
  });
  expect(status).toBe(201);
  const id = String(body.data.id);
  const token = newSecretToken();
  await api.db.insert(invitationTokens).values({
    tokenHash: hashSecretToken(token),
    organizationId: teamId,
    invitationId: id,
    issuedAt: api.clock.now(),
  });
  return { id, token };
}

/** Accepts an offer. */
export function takeOffer(api: TestApi, guest: Pick<TestUser, 'token'>, { token }: TestOffer) {
  return call(api, 'organizations.acceptInvitation', { token: guest.token, params: { token } });
}
