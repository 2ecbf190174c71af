import { randomBytes } from 'node:crypto';
import { createClient, memoryTokens, type Client } from '@atelier/client';
import { mailedToken } from './mailbox.ts';
import type { Stack } from './stack.ts';

export interface Account {
  readonly email: string;
  readonly password: string;
  readonly displayName: string;
  /** The API as this person, in the personal organization unless a call says otherwise. */
  readonly api: Client;
}

const password = 'correct horse battery staple';

/** Somebody new who has verified their address by the mailed link. */
export async function newAccount(stack: Stack, firstName = 'Ada'): Promise<Account> {
  const lastName = 'Tester';
  const email = someEmail(firstName);
  const api = createClient({ baseUrl: stack.api, tokens: memoryTokens() });
  await api.auth.register({ body: { email, password, firstName, lastName } });
  await api.auth.verifyEmail({ body: { token: await mailedToken(stack, email, 'verify-email') } });
  await api.auth.login({ body: { email, password } });
  return { email, password, displayName: `${firstName} ${lastName}`, api };
}

/** The account that the start command prints, with its samples. */
export async function demoAccount(stack: Stack): Promise<Account> {
  const api = createClient({ baseUrl: stack.api, tokens: memoryTokens() });
  await api.auth.login({ body: stack.demo });
  const { displayName } = await api.auth.user();
  return { ...stack.demo, displayName, api };
}

/** An address that no other test uses. */
export function someEmail(name = 'someone'): string {
  return `${name.toLowerCase()}-${randomBytes(6).toString('hex')}@example.com`;
}

/** Makes people members of a team of the first one. @returns the team's id */
export async function newTeam(
  stack: Stack,
  [owner, ...others]: readonly [Account, ...Account[]],
  name = 'Harbour Studio',
): Promise<string> {
  const team = await owner.api.organizations.create({ body: { name } });
  for (const { email, api } of others) {
    const body = { email, role: 'MEMBER' } as const;
    await owner.api.organizations.invite({ params: { id: team.id }, body });
    const token = await mailedToken(stack, email, 'invitations');
    await api.organizations.acceptInvitation({ params: { token } });
  }
  return team.id;
}
