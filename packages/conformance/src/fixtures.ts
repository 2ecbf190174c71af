import type { Scope } from '@atelier/contract';
import { mailedToken, newAccount, newCredentials, type Account } from './accounts.ts';
import { invite } from './inviting.ts';
import { listFixtures, type ListFixtures } from './lists/fixtures.ts';
import type { Probe } from './probe.ts';
import { unreachable } from './unreachable.ts';
import { initiate, sampleFile, upload } from './uploading.ts';

/** Accounts and resources that the checks share; no check changes them. */
export interface Fixtures {
  /** Owns everything below. */
  readonly owner: Account;
  /** Has no access to any of it. */
  readonly outsider: Account;
  /** A viewer of the team. */
  readonly viewer: Account;
  readonly team: {
    readonly id: string;
    readonly name: string;
    readonly viewerMemberId: string;
    readonly invitationId: string;
    readonly invitationToken: string;
    readonly webhookId: string;
    readonly deliveryId: string;
    readonly serviceAccountId: string;
    /** A key of the service account. */
    readonly serviceKeyId: string;
  };
  readonly collectionId: string;
  readonly assetId: string;
  readonly assetName: string;
  readonly shortCode: string;
  /** An upload in progress. */
  readonly upload: { readonly uploadId: string; readonly key: string };
  readonly projectId: string;
  readonly taskId: string;
  readonly commentId: string;
  readonly assetCommentId: string;
  readonly labelId: string;
  /** A second session of the owner, which the checks do not use. */
  readonly sessionId: string;
  readonly apiKey: KeyFixtures;
  /** A call that waits for the decision of the owner. */
  readonly approvalId: string;
  /** An export of the owner's account. */
  readonly exportId: string;
  readonly share: ShareFixtures;
  /** Lists that no check changes. */
  readonly lists: ListFixtures;
}

/** A share of the collection, and a visit of it. */
export interface ShareFixtures {
  readonly id: string;
  /** Of its link. */
  readonly token: string;
  readonly ticket: string;
}

/** API keys of the owner, for the personal organization and the team. */
export interface KeyFixtures {
  readonly id: string;
  /** A key with the scope `label:read`. */
  readonly ofLabels: string;
  /** A key with the scope `account:read`. */
  readonly ofAccount: string;
  /** A key with the scopes `task:read` and `task:delete`. */
  readonly ofTasks: string;
}

/** Creates the fixtures. @throws Abandoned when a step fails */
export async function createFixtures(probe: Probe): Promise<Fixtures> {
  const [owner, outsider, viewer] = await Promise.all([
    newAccount(probe, 'owner'),
    newAccount(probe, 'outsider'),
    newAccount(probe, 'viewer'),
  ]);
  const [team, library, work, sessionId] = await Promise.all([
    createTeam(probe, owner, viewer),
    createLibrary(probe, owner),
    createWork(probe, owner),
    otherSession(probe, owner),
  ]);
  const apiKey = await createKeys(probe, owner, team.id);
  const { id: approvalId } = await probe.succeed('approvals.request', {
    token: apiKey.ofTasks,
    body: { tool: 'tasks_remove', arguments: { id: work.taskId } },
  });
  const { id: exportId } = await probe.succeed('account.requestExport', { token: owner.token });
  const share = await createShare(probe, owner, library.collectionId);
  return {
    share,
    owner,
    outsider,
    viewer,
    team,
    ...library,
    ...work,
    sessionId,
    apiKey,
    approvalId,
    exportId,
    lists: listFixtures(),
  };
}

async function createShare(
  probe: Probe,
  { token }: Account,
  targetId: string,
): Promise<ShareFixtures> {
  const body = { targetType: 'COLLECTION', targetId, allowDownload: true, allowComments: true };
  const { id, url } = await probe.succeed('shares.create', { token, body });
  return visitShare(probe, { id, token: String(url).split('#')[1] ?? '' });
}

/** Opens a share, for a ticket of its own. @throws Abandoned when it fails */
export async function visitShare(
  probe: Probe,
  { id, token }: Pick<ShareFixtures, 'id' | 'token'>,
): Promise<ShareFixtures> {
  const { ticket } = await probe.succeed('shares.open', { body: { token } });
  return { id, token, ticket };
}

async function createTeam(
  probe: Probe,
  { token }: Account,
  viewer: Account,
): Promise<Fixtures['team']> {
  const { id, name } = await probe.succeed('organizations.create', {
    token,
    body: { name: 'Conformance team' },
  });
  await invite(probe, { token, teamId: id, email: viewer.email, role: 'VIEWER' });
  const accepted = await mailedToken(probe, viewer.email, 'invited');
  await probe.succeed('organizations.acceptInvitation', {
    token: viewer.token,
    params: { token: accepted },
  });
  const members = await probe.succeed('organizations.listMembers', { token, params: { id } });
  const { email } = newCredentials('invited');
  const invitation = await invite(probe, { token, teamId: id, email, role: 'MEMBER' });
  const { id: webhookId } = await probe.succeed('webhooks.create', {
    token,
    params: { id },
    body: { url: unreachable, events: ['label.delete'] },
  });
  const { id: deliveryId } = await probe.succeed('webhooks.ping', {
    token,
    params: { id, webhookId },
  });
  const account = { name: 'Conformance robot' };
  const { id: serviceAccountId } = await probe.succeed('serviceAccounts.create', {
    token,
    params: { id },
    body: account,
  });
  const { id: serviceKeyId } = await probe.succeed('serviceAccounts.createKey', {
    token,
    params: { id, accountId: serviceAccountId },
    body: { ...account, preset: 'read-only' },
  });
  return {
    id,
    name,
    serviceAccountId,
    serviceKeyId,
    webhookId,
    deliveryId,
    viewerMemberId: members.items.find(({ userId }) => userId === viewer.id)?.id ?? '',
    invitationId: invitation.id,
    invitationToken: await mailedToken(probe, email, 'invited'),
  };
}

async function createLibrary(probe: Probe, { token }: Account) {
  const { id: collectionId } = await probe.succeed('collections.create', {
    token,
    body: { title: 'Conformance collection' },
  });
  const asset = await upload(probe, sampleFile(1000), { token, collectionId });
  const { id: assetCommentId } = await probe.succeed('assetComments.create', {
    token,
    params: { id: asset.id },
    body: { body: 'Conformance comment' },
  });
  const { uploadId, key } = await initiate(probe, sampleFile(1000), { token, collectionId });
  return {
    collectionId,
    assetCommentId,
    assetId: asset.id,
    assetName: asset.assetName,
    shortCode: asset.assetShortUrl.split('/').at(-1) ?? '',
    upload: { uploadId, key },
  };
}

async function createWork(probe: Probe, { token }: Account) {
  const { id: projectId } = await probe.succeed('projects.create', {
    token,
    body: { name: 'Conformance project' },
  });
  const { id: taskId } = await probe.succeed('tasks.create', {
    token,
    params: { projectId },
    body: { title: 'Conformance task' },
  });
  const { id: commentId } = await probe.succeed('comments.create', {
    token,
    params: { taskId },
    body: { body: 'Conformance comment' },
  });
  const { id: labelId } = await probe.succeed('labels.create', {
    token,
    body: { name: 'Conformance label', color: 'RED' },
  });
  return { projectId, taskId, commentId, labelId };
}

async function createKeys(
  probe: Probe,
  { token, personalOrganizationId }: Account,
  teamId: string,
): Promise<KeyFixtures> {
  const keyOf = (...scopes: Scope[]) =>
    probe.succeed('apiKeys.create', {
      token,
      body: {
        name: 'Conformance key',
        scopes,
        organizationIds: [personalOrganizationId, teamId],
      },
    });
  const [labels, account, tasks] = await Promise.all([
    keyOf('label:read'),
    keyOf('account:read'),
    keyOf('task:read', 'task:delete'),
  ]);
  return { id: labels.id, ofLabels: labels.key, ofAccount: account.key, ofTasks: tasks.key };
}

async function otherSession(probe: Probe, { email, password, token }: Account): Promise<string> {
  await probe.succeed('auth.login', { body: { email, password } });
  const { items } = await probe.succeed('sessions.list', { token });
  return items.find(({ isCurrent }) => !isCurrent)?.id ?? '';
}
