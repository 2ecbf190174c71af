import { mailedToken, newAccount, newCredentials, type Account } from '../accounts.ts';
import { invite } from '../inviting.ts';
import { unreachable } from '../unreachable.ts';
import type { Probe } from '../probe.ts';

/** A team with members of several roles, and the sessions, teams and invitations of its owner. */
export interface ListedTeam {
  /** The owner, who reads the lists. */
  readonly reader: Account;
  /** An administrator who creates things too. */
  readonly colleague: Account;
  readonly id: string;
  readonly organizationIds: readonly string[];
  readonly memberIds: readonly string[];
  readonly invitationIds: readonly string[];
  /** API keys of the reader; the first one changes tasks and assets of the team. */
  readonly apiKeyIds: readonly string[];
  /** The secret of the first API key. */
  readonly apiKey: string;
  readonly serviceAccountIds: readonly string[];
  /** API keys of the first service account. */
  readonly serviceKeyIds: readonly string[];
  /** The secret of the first one, which may delete tasks. */
  readonly serviceKey: string;
  /** An endpoint of webhooks whose address nothing reaches. */
  readonly webhookId: string;
  /** Its test messages. */
  readonly deliveryIds: readonly string[];
  /** Sessions of the reader. */
  readonly sessionCount: number;
}

const moreSessions = 2;

/**
 * Creates the team. Names are lower case and differ in their first letters, so that every collation sorts them alike.
 * Lists of organizations also have the personal one, whose name the service chooses.
 */
export async function createListedTeam(probe: Probe): Promise<ListedTeam> {
  const [reader, colleague, suspended] = await Promise.all([
    newAccount(probe, 'reader', { firstName: 'romeo' }),
    newAccount(probe, 'colleague', { firstName: 'papa' }),
    newAccount(probe, 'suspended', { firstName: 'quebec' }),
  ]);
  const { token } = reader;
  const create = (name: string) => probe.succeed('organizations.create', { token, body: { name } });
  const { id } = await create('tango 5%');
  const teams = [id, (await create('romeo')).id, (await create('sierra')).id];
  await Promise.all(
    Array.from({ length: moreSessions }, () =>
      probe.succeed('auth.login', { body: { email: reader.email, password: reader.password } }),
    ),
  );
  const invitations = [
    await join(probe, { team: id, token, guest: colleague, role: 'ADMIN' }),
    await join(probe, { team: id, token, guest: suspended, role: 'VIEWER' }),
    ...(await inviteStrangers(probe, { token, team: id })),
  ];
  const services = await createServiceAccounts(probe, { token, team: id });
  const { items: members } = await probe.succeed('organizations.listMembers', {
    token,
    params: { id },
    query: { limit: '100' },
  });
  const memberId = members.find(({ userId }) => userId === suspended.id)?.id ?? '';
  await probe.succeed('organizations.updateMember', {
    token,
    params: { id, memberId },
    body: { status: 'SUSPENDED' },
  });
  const keys = await createKeys(probe, { token, team: id });
  const webhook = await createWebhook(probe, { token, team: id });
  return {
    reader,
    colleague,
    id,
    ...keys,
    ...services,
    ...webhook,
    organizationIds: [...teams, reader.personalOrganizationId],
    memberIds: members.map((member) => member.id),
    invitationIds: invitations,
    sessionCount: 1 + moreSessions,
  };
}

async function createServiceAccounts(
  probe: Probe,
  { token, team: id }: { token: string; team: string },
): Promise<Pick<ListedTeam, 'serviceAccountIds' | 'serviceKeyIds' | 'serviceKey'>> {
  const accountNamed = (name: string) =>
    probe.succeed('serviceAccounts.create', { token, params: { id }, body: { name } });
  const { id: accountId } = await accountNamed('whiskey');
  const keyNamed = (name: string) =>
    probe.succeed('serviceAccounts.createKey', {
      token,
      params: { id, accountId },
      body: { name, scopes: ['task:read', 'task:delete'] },
    });
  const first = await keyNamed('victor');
  return {
    serviceAccountIds: [accountId, (await accountNamed('yankee')).id],
    serviceKeyIds: [first.id, (await keyNamed('uniform')).id],
    serviceKey: first.key,
  };
}

async function createWebhook(
  probe: Probe,
  { token, team: id }: { token: string; team: string },
): Promise<Pick<ListedTeam, 'webhookId' | 'deliveryIds'>> {
  const { id: webhookId } = await probe.succeed('webhooks.create', {
    token,
    params: { id },
    body: { url: unreachable, events: ['label.delete'] },
  });
  const request = { token, params: { id, webhookId } };
  const deliveryIds = [
    (await probe.succeed('webhooks.ping', request)).id,
    (await probe.succeed('webhooks.ping', request)).id,
  ];
  // Its messages stay as they are.
  await probe.succeed('webhooks.update', { ...request, body: { isEnabled: false } });
  return { webhookId, deliveryIds };
}

async function createKeys(
  probe: Probe,
  { token, team }: { token: string; team: string },
): Promise<Pick<ListedTeam, 'apiKeyIds' | 'apiKey'>> {
  const keyNamed = (name: string) =>
    probe.succeed('apiKeys.create', {
      token,
      body: {
        name,
        scopes: ['asset:edit', 'task:read', 'task:edit', 'task:delete'],
        organizationIds: [team],
      },
    });
  const { id, key } = await keyNamed('victor');
  return { apiKeyIds: [id, (await keyNamed('uniform')).id], apiKey: key };
}

/** Invites an account, which accepts. @returns the id of the invitation */
async function join(
  probe: Probe,
  { team, token, guest, role }: { team: string; token: string; guest: Account; role: string },
): Promise<string> {
  const { id } = await invite(probe, { token, teamId: team, email: guest.email, role });
  await probe.succeed('organizations.acceptInvitation', {
    token: guest.token,
    params: { token: await mailedToken(probe, guest.email, 'invited') },
  });
  return id;
}

/** One invitation stays open, the other is revoked. */
async function inviteStrangers(
  probe: Probe,
  { token, team }: { token: string; team: string },
): Promise<string[]> {
  const ids: string[] = [];
  for (const name of ['open', 'revoked']) {
    const { email } = newCredentials(name);
    const { id } = await invite(probe, { token, teamId: team, email, role: 'MEMBER' });
    ids.push(id);
  }
  const params = { id: team, invitationId: ids.at(-1) ?? '' };
  await probe.succeed('organizations.revokeInvitation', { token, params });
  return ids;
}
