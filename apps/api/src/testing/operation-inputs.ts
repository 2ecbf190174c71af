import type { Operation, OperationId } from '@atelier/contract';
import type { CallOptions } from './api.ts';
import type { FilledTeam } from './filled-team.ts';

/** What an operation is called with; the organization of the header comes by itself. */
export type Input = Pick<CallOptions, 'params' | 'query' | 'body'>;

type InputsOf = (team: FilledTeam) => readonly Input[];

const file = { fileName: 'another.bin', contentType: 'application/octet-stream', fileSize: 3 };

const none: InputsOf = () => [{}];
const organization: InputsOf = (team) => [{ params: { id: team.organizationId } }];
const member: InputsOf = (team) => [
  { params: { id: team.organizationId, memberId: team.memberId } },
];
const collection: InputsOf = (team) => [{ params: { id: team.collectionId } }];
const asset: InputsOf = (team) => [{ params: { id: team.assetId } }];
const project: InputsOf = (team) => [{ params: { id: team.projectId } }];
const task: InputsOf = (team) => [{ params: { id: team.taskId } }];
const comment: InputsOf = (team) => [
  { params: { taskId: team.taskId, commentId: team.commentId } },
];

const withBody =
  (inputs: InputsOf, ...bodies: ((team: FilledTeam) => unknown)[]): InputsOf =>
  (team) =>
    inputs(team).flatMap((input) => bodies.map((body) => ({ ...input, body: body(team) })));

/** Activities are filtered by who did something, and to what. */
const activity =
  (inputs: InputsOf): InputsOf =>
  (team) =>
    inputs(team).flatMap((input) => [
      input,
      { ...input, query: { actorId: team.ownerUserId } },
      { ...input, query: { resourceId: team.collectionId } },
    ]);

/** Calls that succeed in a team, for every operation that knows its caller. */
export const operationInputs: Partial<Record<OperationId, InputsOf>> = {
  'auth.user': none,
  'sessions.list': none,
  'sessions.end': (team) => [{ params: { id: team.sessionId } }],
  'sessions.endOthers': none,
  'profile.update': withBody(none, () => ({ firstName: 'Somebody' })),
  'profile.startAvatarUpload': withBody(none, () => ({ contentType: 'image/png', fileSize: 9 })),
  'profile.completeAvatarUpload': withBody(none, (team) => ({ key: team.avatarKey })),
  'timeline.mine': activity(none),
  'timeline.list': activity(none),
  'timeline.resource': activity((team) => [{ params: { type: 'asset', id: team.assetId } }]),
  'timeline.summary': (team) => [{}, { query: { actorId: team.ownerUserId } }],
  'organizations.list': none,
  'organizations.create': withBody(none, () => ({ name: 'Another' })),
  'organizations.get': organization,
  'organizations.rename': withBody(organization, () => ({ name: 'Renamed' })),
  'organizations.remove': (team) => [
    { params: { id: team.organizationId }, query: { confirmName: 'Renamed' } },
  ],
  'organizations.listMembers': organization,
  'organizations.invite': withBody(organization, () => ({ email: 'somebody@example.com' })),
  'organizations.listInvitations': organization,
  'organizations.revokeInvitation': (team) => [
    { params: { id: team.organizationId, invitationId: team.invitationId } },
  ],
  'organizations.removeMember': member,
  'organizations.updateMember': withBody(member, () => ({ role: 'VIEWER' })),
  'collections.create': withBody(none, () => ({ title: 'Another' })),
  'collections.list': none,
  'collections.bin': none,
  'collections.restore': (team) => [{ params: { id: team.binnedCollectionId } }],
  'collections.get': collection,
  'collections.remove': collection,
  'collections.rename': withBody(collection, () => ({ title: 'Renamed' })),
  'collections.favorite': withBody(collection, () => ({ isFavorite: false })),
  'assets.list': (team) => [{}, { query: { collectionId: team.collectionId } }],
  'assets.myLogs': activity(none),
  'assets.bin': (team) => [{}, { query: { collectionId: team.collectionId } }],
  'assets.restore': (team) => [{ params: { id: team.binnedAssetId } }],
  'assets.listInCollection': (team) => [{ params: { collectionId: team.collectionId } }],
  'assets.get': asset,
  'assets.update': withBody(
    asset,
    () => ({ assetName: 'renamed.bin' }),
    (team) => ({ collectionId: team.otherCollectionId }),
  ),
  'assets.remove': asset,
  'assets.favorite': withBody(asset, () => ({ isFavorite: false })),
  'assets.download': asset,
  'assets.publish': withBody(
    (team) => [{ params: { id: team.personalAssetId } }],
    (team) => ({ collectionId: team.otherCollectionId }),
  ),
  'assets.logs': activity(asset),
  'assets.versions': asset,
  'assets.restoreVersion': (team) => [{ params: { id: team.assetId, versionNumber: 1 } }],
  'uploads.initiate': withBody(
    none,
    (team) => ({ ...file, collectionId: team.collectionId }),
    (team) => ({ ...file, collectionId: team.collectionId, assetId: team.assetId }),
  ),
  'uploads.parts': (team) => [{ params: { uploadId: team.uploadId } }],
  'uploads.complete': withBody(none, (team) => ({
    uploadId: team.uploadId,
    key: team.uploadKey,
    collectionId: team.collectionId,
    contentType: file.contentType,
    parts: team.uploadParts,
  })),
  'uploads.abort': withBody(none, (team) => ({
    uploadId: team.abortableUploadId,
    key: team.abortableUploadKey,
  })),
  'projects.list': none,
  'projects.create': withBody(none, () => ({ name: 'Another' })),
  'projects.get': project,
  'projects.remove': project,
  'projects.update': withBody(project, () => ({ name: 'Renamed' })),
  'projects.move': withBody(
    project,
    (team) => ({ afterId: team.otherProjectId }),
    (team) => ({ beforeId: team.otherProjectId }),
  ),
  'tasks.list': (team) => [
    {},
    { query: { projectId: team.projectId } },
    { query: { assigneeId: team.memberUserId } },
  ],
  'tasks.listInProject': (team) => [
    { params: { projectId: team.projectId } },
    { params: { projectId: team.projectId }, query: { assigneeId: team.memberUserId } },
  ],
  'tasks.create': withBody(
    (team) => [{ params: { projectId: team.projectId } }],
    (team) => ({ title: 'Another', assigneeIds: [team.memberUserId] }),
  ),
  'tasks.get': task,
  'tasks.remove': task,
  'tasks.update': withBody(task, () => ({ title: 'Renamed' })),
  'tasks.move': withBody(
    task,
    (team) => ({ beforeId: team.otherTaskId }),
    (team) => ({ afterId: team.otherTaskId }),
  ),
  'tasks.assign': withBody(task, (team) => ({ assigneeIds: [team.memberUserId] })),
  'comments.list': (team) => [{ params: { taskId: team.taskId } }],
  'comments.create': withBody(
    (team) => [{ params: { taskId: team.taskId } }],
    () => ({ body: 'Another' }),
  ),
  'comments.remove': comment,
  'comments.update': withBody(comment, () => ({ body: 'Changed' })),
  'dashboard.summary': none,
  'events.subscribe': none,
};

/** @throws Error for an operation without any */
export function inputsOf(id: OperationId, team: FilledTeam): readonly Input[] {
  const inputs = operationInputs[id];
  if (!inputs) throw new Error(`operation-inputs.ts has no input of ${id}`);
  return inputs(team);
}

/** What takes something away from others comes last, a part before the whole. */
const endings: readonly OperationId[] = [
  // Moves the asset out of the collection that others name with it.
  'assets.update',
  'comments.remove',
  'tasks.remove',
  'projects.remove',
  'assets.remove',
  'collections.remove',
  'organizations.revokeInvitation',
  'organizations.removeMember',
  'organizations.remove',
  'sessions.end',
  'sessions.endOthers',
];

/** Mutations in an order in which each of them finds what its input names. */
export function inOrderOfLife(mutations: readonly Operation[]): Operation[] {
  const ending = new Map(endings.map((id, place) => [id, place]));
  return mutations.toSorted((a, b) => (ending.get(a.id) ?? -1) - (ending.get(b.id) ?? -1));
}
