import { logIn, type Account, type Credentials } from './accounts.ts';
import { NotRun } from './findings.ts';
import type { Probe } from './probe.ts';
import type { Fixtures } from './fixtures.ts';
import { foundLists } from './lists/found.ts';

/**
 * Signs in and finds resources of the account. A check that needs a missing one is not run. Signs out if it fails.
 *
 * @throws Abandoned when the account can't be read
 */
export async function findFixtures(probe: Probe, credentials: Credentials): Promise<Fixtures> {
  const owner = await logIn(probe, credentials);
  const searches = [
    findTeam(probe, owner),
    findLibrary(probe, owner),
    findWork(probe, owner),
    findSession(probe, owner),
    findExport(probe, owner),
    findApproval(probe, owner),
  ] as const;
  const [team, library, work, sessionId, exportId, approvalId] = await Promise.all(searches).catch(
    async (error: unknown) => {
      // The others need the session until they end.
      await Promise.allSettled(searches);
      await signOut(probe, owner);
      throw error;
    },
  );
  const fixtures: Fixtures = {
    owner,
    sessionId,
    get lists() {
      return foundLists(fixtures);
    },
    get outsider() {
      return present<Account>(undefined, 'a second account');
    },
    get viewer() {
      return present<Account>(undefined, 'a second account');
    },
    get upload() {
      return present<Fixtures['upload']>(undefined, 'an upload in progress');
    },
    get apiKey() {
      return present<Fixtures['apiKey']>(undefined, 'an API key of its own');
    },
    get share() {
      return present<Fixtures['share']>(undefined, 'a share of its own');
    },
    get approvalId() {
      return present(approvalId, 'a call that waits for a decision');
    },
    get exportId() {
      return present(exportId, 'an export of the account');
    },
    get team() {
      return present(team, 'a team that the account administers');
    },
    get collectionId() {
      return present(library.collectionId, 'a collection');
    },
    get assetId() {
      return present(library.asset?.id, 'an asset');
    },
    get assetName() {
      return present(library.asset?.assetName, 'an asset');
    },
    get shortCode() {
      return present(library.asset?.assetShortUrl.split('/').at(-1), 'an asset');
    },
    get projectId() {
      return present(work.projectId, 'a project');
    },
    get taskId() {
      return present(work.taskId, 'a task');
    },
    get assetCommentId() {
      return present(library.assetCommentId, 'a comment on an asset');
    },
    get commentId() {
      return present(work.commentId, 'a comment');
    },
    get labelId() {
      return present(work.labelId, 'a label');
    },
  };
  return fixtures;
}

/** Ends the session of {@link findFixtures}. */
export async function signOut(
  probe: Probe,
  { refreshToken }: Pick<Account, 'refreshToken'>,
): Promise<void> {
  await probe.request('auth.logout', { body: { refreshToken } });
}

function present<T>(resource: T | undefined, what: string): T {
  if (resource === undefined) throw new NotRun(`needs ${what}`);
  return resource;
}

async function findExport(probe: Probe, { token }: Account): Promise<string | undefined> {
  const { export: latest } = await probe.succeed('account.latestExport', { token });
  return latest?.id;
}

async function findApproval(probe: Probe, { token }: Account): Promise<string | undefined> {
  const { items } = await probe.succeed('approvals.list', { token });
  return items[0]?.id;
}

async function findTeam(probe: Probe, { token }: Account): Promise<Fixtures['team'] | undefined> {
  const { items } = await probe.succeed('organizations.list', { token, query: { limit: '100' } });
  const team = items.find(
    ({ type, myRole, secondFactorRequiredFrom }) =>
      type === 'TEAM' &&
      (myRole === 'OWNER' || myRole === 'ADMIN') &&
      // The account has none: the kit could not sign in to it.
      !(secondFactorRequiredFrom !== null && Date.parse(secondFactorRequiredFrom) <= Date.now()),
  );
  if (!team) return undefined;
  const params = { id: team.id };
  const members = await probe.succeed('organizations.listMembers', { token, params });
  const invitations = await probe.succeed('organizations.listInvitations', { token, params });
  const webhooks = await probe.succeed('webhooks.list', { token, params });
  const webhookId = webhooks.items[0]?.id;
  const deliveries = webhookId
    ? await probe.succeed('webhooks.listDeliveries', { token, params: { ...params, webhookId } })
    : null;
  const accounts = await probe.succeed('serviceAccounts.list', { token, params });
  const accountId = accounts.items[0]?.id;
  const keys = accountId
    ? await probe.succeed('serviceAccounts.listKeys', { token, params: { ...params, accountId } })
    : null;
  return {
    id: team.id,
    get serviceAccountId() {
      return present(accountId, 'a service account');
    },
    get serviceKeyId() {
      return present(keys?.items[0]?.id, 'an API key of a service account');
    },
    get webhookId() {
      return present(webhookId, 'a webhook');
    },
    get deliveryId() {
      return present(deliveries?.items[0]?.id, 'a delivery of a webhook');
    },
    name: team.name,
    viewerMemberId: members.items[0]?.id ?? '',
    get invitationId() {
      return present(invitations.items[0]?.id, 'an invitation');
    },
    get invitationToken() {
      return present<string>(undefined, 'an invitation of its own');
    },
  };
}

async function findLibrary(probe: Probe, { token }: Account) {
  const assets = await probe.succeed('assets.list', { token });
  const collections = await probe.succeed('collections.list', { token });
  const asset = assets.items.find(({ commentCount }) => commentCount > 0) ?? assets.items[0];
  const comments = asset
    ? await probe.succeed('assetComments.list', { token, params: { id: asset.id } })
    : null;
  return {
    asset,
    assetCommentId: comments?.items[0]?.id,
    collectionId: asset?.collectionId ?? collections.items[0]?.id,
  };
}

async function findWork(probe: Probe, { token }: Account) {
  const tasks = await probe.succeed('tasks.list', { token });
  const projects = await probe.succeed('projects.list', { token });
  const task = tasks.items.find(({ commentCount }) => commentCount > 0) ?? tasks.items[0];
  const comments = task
    ? await probe.succeed('comments.list', { token, params: { taskId: task.id } })
    : null;
  const labels = await probe.succeed('labels.list', { token });
  return {
    projectId: task?.projectId ?? projects.items[0]?.id,
    taskId: task?.id,
    commentId: comments?.items[0]?.id,
    labelId: labels.items[0]?.id,
  };
}

async function findSession(probe: Probe, { token }: Account): Promise<string> {
  const { items } = await probe.succeed('sessions.list', { token });
  return items[0]?.id ?? '';
}
