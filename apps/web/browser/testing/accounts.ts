import { randomBytes } from 'node:crypto';
import { createClient, memoryTokens, type Client } from '@atelier/client';
import { tokenFromMail } from './mailbox.ts';
import type { Stack } from './stack.ts';

export interface Account {
  readonly email: string;
  readonly password: string;
  readonly displayName: string;
  /** The API client of this user; requests go to the personal organization by default. */
  readonly api: Client;
}

const password = 'correct horse battery staple';

/** Creates an account with a verified email. */
export async function newAccount(stack: Stack, firstName = 'Ada'): Promise<Account> {
  const lastName = 'Tester';
  const email = uniqueEmail(firstName);
  const api = createClient({ baseUrl: stack.api, tokens: memoryTokens() });
  await api.auth.register({ body: { email, password, firstName, lastName } });
  await api.auth.verifyEmail({
    body: { token: await tokenFromMail(stack, email, 'verify-email') },
  });
  await api.auth.login({ body: { email, password } });
  return { email, password, displayName: `${firstName} ${lastName}`, api };
}

/** Signs in to the demo account, which has the sample data. */
export async function demoAccount(stack: Stack): Promise<Account> {
  const api = createClient({ baseUrl: stack.api, tokens: memoryTokens() });
  await api.auth.login({ body: stack.demo });
  const { displayName } = await api.auth.user();
  return { ...stack.demo, displayName, api };
}

/** Returns an email address that no other test uses. */
export function uniqueEmail(name = 'someone'): string {
  return `${name.toLowerCase()}-${randomBytes(6).toString('hex')}@example.com`;
}

/**
 * Creates a team of the first account with the others as members.
 *
 * @returns the id of the team
 */
export async function newTeam(
  stack: Stack,
  [owner, ...others]: readonly [Account, ...Account[]],
  name = 'Harbour Studio',
): Promise<string> {
  const team = await owner.api.organizations.create({ body: { name } });
  for (const { email, api } of others) {
    const body = { email, role: 'MEMBER' } as const;
    await owner.api.organizations.invite({ params: { id: team.id }, body });
    const token = await tokenFromMail(stack, email, 'invitations');
    await api.organizations.acceptInvitation({ params: { token } });
  }
  return team.id;
}
