import type { EndpointOf, OperationId } from '@atelier/contract';
import type { Account } from '../accounts.ts';
import type { RequestOptions } from '../deployment.ts';
import type { ListedLibrary } from './library.ts';
import type { ListedTeam } from './team.ts';
import type { ListedWork } from './work.ts';

/** The operations that list something, other than a search, which ranks it. */
export type ListId = {
  [Id in OperationId]: EndpointOf<Id> extends {
    query: { shape: { limit: unknown; page: unknown } };
  }
    ? Id
    : never;
}[OperationId];

/** Everything that the lists hold. */
export interface Listed {
  readonly team: ListedTeam;
  readonly work: ListedWork;
  readonly library: ListedLibrary;
  /** Assets on the task with the comments. */
  readonly attachedIds: readonly string[];
  /** Calls of programs that wait for a decision. */
  readonly approvalIds: readonly string[];
}

/** A list that the kit can predict. */
export interface Subject {
  readonly request: RequestOptions;
  readonly caller: Account | null;
  readonly contents: Contents;
}

/** The ids of the items, or how many there are, or which items of the timeline; null if the kit can't tell. */
export type Contents = readonly string[] | number | Readonly<Record<string, string>> | null;

/** The request for each list, and what it holds. Without an entry for a list of the contract, this does not compile. */
export function subjectsOf({
  team,
  work,
  library,
  attachedIds,
  approvalIds,
}: Listed): Readonly<Record<ListId, Subject>> {
  const caller = team.reader;
  const { token } = caller;
  const inTeam = (contents: Contents, params: RequestOptions['params'] = {}) => ({
    request: { token, organizationId: team.id, params },
    caller,
    contents,
  });
  const ofUser = (contents: Contents) => ({ request: { token }, caller, contents });
  return {
    'sessions.list': ofUser(team.sessionCount),
    // The kit makes none for the reader.
    'apiKeys.list': ofUser(team.apiKeyIds),
    'approvals.list': inTeam(approvalIds),
    'organizations.list': ofUser(team.organizationIds),
    'organizations.listMembers': inTeam(team.memberIds, { id: team.id }),
    'organizations.listInvitations': inTeam(team.invitationIds, { id: team.id }),
    'apiKeys.listOfOrganization': inTeam(team.apiKeyIds, { id: team.id }),
    'serviceAccounts.list': inTeam(team.serviceAccountIds, { id: team.id }),
    'serviceAccounts.listKeys': inTeam(team.serviceKeyIds, {
      id: team.id,
      accountId: team.serviceAccountIds[0] ?? '',
    }),
    'webhooks.list': inTeam([team.webhookId], { id: team.id }),
    'webhooks.listDeliveries': inTeam(team.deliveryIds, {
      id: team.id,
      webhookId: team.webhookId,
    }),
    // They arrive by themselves.
    'notifications.list': ofUser(null),
    'notifications.followers': inTeam(null, { id: work.taskId }),
    'plans.list': { request: {}, caller: null, contents: null },
    'projects.list': inTeam(work.projectIds),
    'tasks.list': inTeam([...work.taskIds.values()].flat()),
    'tasks.listInProject': inTeam(work.taskIds.get(work.projectId) ?? [], {
      projectId: work.projectId,
    }),
    'comments.list': inTeam(work.commentIds, { taskId: work.taskId }),
    'taskAssets.list': inTeam(attachedIds, { id: work.taskId }),
    'labels.list': inTeam(work.labelIds),
    'collections.list': inTeam(library.collectionIds),
    'collections.bin': inTeam(library.binnedCollectionIds),
    'assets.list': inTeam([...library.assetIds.values()].flat()),
    'assets.listInCollection': inTeam(library.assetIds.get(library.collectionId) ?? [], {
      collectionId: library.collectionId,
    }),
    'assets.bin': inTeam(library.binnedAssetIds),
    'assets.versions': inTeam(library.versionCount, { id: library.assetId }),
    'assetComments.list': inTeam([...library.commentIds, ...library.guestCommentIds], {
      id: library.assetId,
    }),
    'assets.logs': inTeam(
      { resourceType: 'asset', resourceId: library.assetId },
      { id: library.assetId },
    ),
    'assets.myLogs': inTeam({ resourceType: 'asset', 'actor.id': caller.id }),
    'shares.list': inTeam(library.shareIds),
    'shares.publicLinks': inTeam(library.linkedIds),
    'shares.sharedAssets': {
      request: { headers: { authorization: `Share ${library.shareTicket}` } },
      caller: null,
      contents: library.assetIds.get(library.collectionId) ?? [],
    },
    'shares.sharedComments': {
      request: {
        headers: { authorization: `Share ${library.shareTicket}` },
        params: { id: library.assetId },
      },
      caller: null,
      contents: library.guestCommentIds,
    },
    'shares.views': inTeam(library.viewCount, { id: library.shareIds[0] ?? '' }),
    'timeline.mine': ofUser(null),
    'timeline.list': inTeam(null),
    'timeline.resource': inTeam(
      { resourceType: 'task', resourceId: work.taskId },
      { type: 'task', id: work.taskId },
    ),
  };
}
