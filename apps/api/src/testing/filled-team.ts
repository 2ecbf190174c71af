import { eq } from 'drizzle-orm';
import { expect } from 'vitest';
import type { OperationId } from '@atelier/contract';
import {
  digests,
  dueNotices,
  notificationPreferences,
  notifications,
  searchDocuments,
  users,
} from '../db/generated/schema.ts';
import { takeSequences } from '../domain/notifications/queries/sequences.ts';
import { newId } from '../kernel/ids.ts';
import { logIn, type TestUser } from './accounts.ts';
import { call, someEmail, type CallOptions, type TestApi } from './api.ts';
import { avatarSteps } from './avatars.ts';
import { completion, putParts, someFile, untilIdle, type TestFile } from './library.ts';
import { joinTeam, newTeam } from './organizations.ts';
import { storeApproval } from './approvals.ts';
import { addPasskey } from './passkeys.ts';
import { somePng } from './pictures.ts';
import { sinkUrl } from './receiver.ts';
import { visitShare } from './shares.ts';
import { storeCommittedResponse } from './tenant-rows.ts';

/** Every id of a team that is valid input of an operation. */
export interface FilledTeam {
  readonly organizationId: string;
  readonly name: string;
  readonly memberId: string;
  readonly memberUserId: string;
  readonly ownerUserId: string;
  readonly invitationId: string;
  readonly collectionId: string;
  readonly otherCollectionId: string;
  readonly binnedCollectionId: string;
  readonly assetId: string;
  readonly binnedAssetId: string;
  readonly personalAssetId: string;
  readonly uploadId: string;
  readonly uploadKey: string;
  readonly uploadParts: readonly { partNumber: number; eTag: string }[];
  readonly abortableUploadId: string;
  readonly abortableUploadKey: string;
  readonly projectId: string;
  readonly otherProjectId: string;
  readonly taskId: string;
  readonly otherTaskId: string;
  readonly labelId: string;
  readonly commentId: string;
  readonly assetCommentId: string;
  readonly shareId: string;
  readonly approvalId: string;
  readonly webhookId: string;
  readonly deliveryId: string;
  readonly serviceAccountId: string;
  readonly serviceKeyId: string;
  readonly notificationId: string;
  /** Of the owner, like those that follow. */
  readonly sessionId: string;
  readonly avatarKey: string;
  readonly apiKeyId: string;
  readonly passkeyId: string;
  readonly exportId: string;
}

export interface Filling {
  readonly owner: TestUser;
  readonly member: TestUser;
  /** Part of every name. */
  readonly mark: string;
  /** Number of records of each kind, at least 2. */
  readonly times: number;
}

/**
 * Fills a team with records of every kind that an operation can show, and waits for their jobs.
 *
 * @returns the ids, the newest of each kind
 */
export async function filledTeam(api: TestApi, filling: Filling): Promise<FilledTeam> {
  const { owner, member, mark } = filling;
  const name = `${mark} GmbH`;
  const { id: organizationId } = await newTeam(api, owner, name);
  const { memberId } = await joinTeam(api, organizationId, member, 'MEMBER');
  const context = { api, filling, organizationId };
  const invited = await make(context, 'organizations.invite', {
    params: { id: organizationId },
    body: { email: someEmail(mark) },
  });
  const endpoint = await makeWebhook(context);
  const work = await fillWork(context);
  const library = await fillLibrary(context);
  const { collectionId } = library;
  for (const assetId of [library.assetId, await uploadInto(context, { collectionId })]) {
    await make(context, 'taskAssets.attach', { params: { id: work.taskId, assetId } });
  }
  const shared = { targetType: 'COLLECTION', targetId: library.collectionId, versions: 'PINNED' };
  await make(context, 'shares.create', { body: shared });
  const { id: shareId } = await make(context, 'shares.create', { body: shared });
  await visitShare(api, { organizationId, shareId, assetId: library.assetId });
  const session = await logIn(api, owner);
  const { id: exportId } = await make(context, 'account.requestExport', {});
  const { taskId } = work;
  await make(context, 'notifications.follow', { params: { id: taskId } });
  await storeCommittedResponse(api, organizationId);
  await untilIdle(api);
  return {
    organizationId,
    name,
    memberId,
    memberUserId: member.id,
    ownerUserId: owner.id,
    invitationId: invited.id,
    ...library,
    ...work,
    ...endpoint,
    shareId,
    approvalId: await approvalOf(context, taskId),
    notificationId: await notificationOf(context, taskId),
    ...(await makeServiceAccount(context, session)),
    sessionId: await currentSessionOf(api, session),
    avatarKey: await storedAvatar(api, owner),
    apiKeyId: await apiKeyOf(context, session),
    passkeyId: await passkeyOf(context),
    exportId,
  };
}

/** Notifies owner and member of each other. @returns the id of the owner's */
async function notificationOf({ api, filling, organizationId }: Context, taskId: string) {
  const { owner, member } = filling;
  const at = api.clock.now();
  const about = { organizationId, taskId, reason: 'assigned', eventCount: 1 } as const;
  const id = newId();
  await api.db.transaction(async (tx) => {
    const next = await takeSequences(tx, new Map([owner, member].map((user) => [user.id, 1])));
    for (const [user, actor] of [
      [owner, member],
      [member, owner],
    ] as const) {
      await tx.insert(notifications).values({
        ...about,
        id: user === owner ? id : newId(),
        userId: user.id,
        actorId: actor.id,
        sequence: next.get(user.id) ?? 0,
        activityId: newId(),
        createdAt: at,
        updatedAt: at,
      });
    }
  });
  const following = { token: member.token, organizationId, params: { id: taskId } };
  expect((await call(api, 'notifications.follow', following)).status).toBe(200);
  await api.db
    .insert(dueNotices)
    .values({ organizationId, taskId, dueDate: at, reason: 'due_soon' });
  for (const { id: userId } of [owner, member]) {
    await api.db.insert(digests).values({ userId, period: '2026-11-21' }).onConflictDoNothing();
    await api.db
      .insert(notificationPreferences)
      .values({ userId, settings: {}, updatedAt: at })
      .onConflictDoNothing();
    // The follower would make it, some time later.
    const document = { type: 'person', resourceId: userId, personId: userId } as const;
    await api.db
      .insert(searchDocuments)
      .values({
        organizationId,
        ...document,
        titleFolded: 'ada',
        words: "'ada':1A",
        indexedRevision: 1,
      })
      .onConflictDoNothing();
  }
  return id;
}

/** Calls with keys of both; the owner has decided on that of the member. @returns the id of the owner's newest */
async function approvalOf({ api, filling, organizationId }: Context, taskId: string) {
  const { owner, member, mark: name, times } = filling;
  const about = { organizationId, taskId, name };
  await storeApproval(api, { ...about, createdBy: member.id, decidedBy: owner.id });
  let id = '';
  for (let count = 0; count < times; count += 1) {
    id = await storeApproval(api, { ...about, createdBy: owner.id });
  }
  return id;
}

/** Without the second factor that it is: the tests go on with the owner's password alone. */
async function passkeyOf({ api, filling: { owner } }: Context): Promise<string> {
  const { passkey } = await addPasskey(api, owner);
  await api.db.update(users).set({ hasSecondFactor: false }).where(eq(users.id, owner.id));
  return passkey.id;
}

interface Context {
  readonly api: TestApi;
  readonly filling: Filling;
  readonly organizationId: string;
}

interface Made {
  readonly id: string;
}

/** Requests a mutation as the owner. @returns the `data` of its success */
async function make<Data = Made>(
  { api, filling, organizationId }: Context,
  operation: OperationId,
  options: CallOptions,
): Promise<Data> {
  const { token } = filling.owner;
  const { status, body } = await call(api, operation, { token, organizationId, ...options });
  expect([operation, status, body?.code]).toEqual([
    operation,
    expect.toSatisfy(isSuccess),
    undefined,
  ]);
  return body.data;
}

const isSuccess = (status: number) => status < 300;

/** An endpoint that hears of little, with a message that has arrived. */
async function makeWebhook(context: Context) {
  const params = { id: context.organizationId };
  const { id: webhookId } = await make(context, 'webhooks.create', {
    params,
    body: {
      url: await sinkUrl(),
      description: context.filling.mark,
      events: ['webhook.rotate_secret'],
    },
  });
  const { id: deliveryId } = await make(context, 'webhooks.ping', {
    params: { ...params, webhookId },
  });
  return { webhookId, deliveryId };
}

async function makeServiceAccount(context: Context, { token }: TestUser) {
  const params = { id: context.organizationId };
  const name = `${context.filling.mark} robot`;
  const made = await make(context, 'serviceAccounts.create', { params, body: { name } });
  const { id: serviceKeyId } = await make(context, 'serviceAccounts.createKey', {
    token,
    params: { ...params, accountId: made.id },
    body: { name: `${name} key`, scopes: ['task:read'] },
  });
  return { serviceAccountId: made.id, serviceKeyId };
}

async function fillWork(context: Context) {
  const { owner, member, mark, times } = context.filling;
  const newProject = async () =>
    (await make(context, 'projects.create', { body: { name: mark } })).id;
  const [projectId, otherProjectId] = [await newProject(), await newProject()];
  const newTask = async () =>
    (
      await make(context, 'tasks.create', {
        params: { projectId },
        body: {
          title: mark,
          description: mark,
          dueDate: '2026-01-01',
          assigneeIds: [owner.id, member.id],
        },
      })
    ).id;
  const otherTaskId = await newTask();
  let taskId = otherTaskId;
  let commentId = '';
  for (let round = 1; round < times; round += 1) {
    taskId = await newTask();
    for (const body of [mark, `${mark} again`]) {
      const params = { taskId };
      commentId = (await make(context, 'comments.create', { params, body: { body } })).id;
    }
  }
  for (let part = 0; part < 2; part += 1) {
    const body = { title: mark, parentId: otherTaskId };
    await make(context, 'tasks.create', { params: { projectId }, body });
  }
  const labelId = (await make(context, 'labels.create', { body: { name: mark, color: 'RED' } })).id;
  for (const id of [taskId, otherTaskId]) {
    await make(context, 'labels.set', { params: { id }, body: { labelIds: [labelId] } });
  }
  return { projectId, otherProjectId, taskId, otherTaskId, labelId, commentId };
}

async function fillLibrary(context: Context) {
  const { filling } = context;
  const { mark, times } = filling;
  const newCollection = async (options: CallOptions = {}) =>
    (await make(context, 'collections.create', { body: { title: mark }, ...options })).id;
  const remove = async (operation: 'collections.remove' | 'assets.remove', id: string) => {
    await make(context, operation, { params: { id } });
    return id;
  };
  const [collectionId, otherCollectionId] = [await newCollection(), await newCollection()];
  const upload = (assetId?: string) => uploadInto(context, { collectionId, assetId });

  let assetId = '';
  let [binnedAssetId, binnedCollectionId] = ['', ''];
  for (let round = 0; round < times; round += 1) {
    assetId = await upload();
    await upload(assetId);
    binnedAssetId = await remove('assets.remove', await upload());
    binnedCollectionId = await remove('collections.remove', await newCollection());
  }
  const assetCommentId = await commentOn(context, assetId);
  const isFavorite = { isFavorite: true };
  await make(context, 'assets.favorite', { params: { id: assetId }, body: isFavorite });
  await make(context, 'collections.favorite', { params: { id: collectionId }, body: isFavorite });

  const atHome = { organizationId: filling.owner.organizationId };
  const personalAssetId = await uploadInto(
    { ...context, ...atHome },
    { collectionId: await newCollection(atHome) },
  );
  const file = fileOf(mark);
  const [ready, abortable] = [
    await initiate(context, file, { collectionId }),
    await initiate(context, file, { collectionId }),
  ];
  return {
    collectionId,
    otherCollectionId,
    binnedCollectionId,
    assetId,
    assetCommentId,
    binnedAssetId,
    personalAssetId,
    uploadId: ready.uploadId,
    uploadKey: ready.key,
    uploadParts: await putParts(ready, file.content),
    abortableUploadId: abortable.uploadId,
    abortableUploadKey: abortable.key,
  };
}

/** Posts comments with a reply and a resolved one. @returns the id of an open one */
async function commentOn(context: Context, assetId: string): Promise<string> {
  const { mark } = context.filling;
  const post = async (body: object) =>
    (await make(context, 'assetComments.create', { params: { id: assetId }, body })).id;
  const id = await post({ body: mark, anchor: { kind: 'time', startMs: 1000 } });
  await post({ body: `${mark} again`, parentId: id });
  const commentId = await post({ body: `${mark} done` });
  const params = { id: assetId, commentId };
  await make(context, 'assetComments.resolve', { params, body: { isResolved: true } });
  return id;
}

const fileOf = (mark: string) => someFile(10, `${mark}.bin`);

type Target = { readonly collectionId: string; readonly assetId?: string | undefined };

const initiate = (context: Context, file: TestFile, target: Target) =>
  make<Parameters<typeof putParts>[0]>(context, 'uploads.initiate', {
    body: {
      fileName: file.fileName,
      contentType: file.contentType,
      fileSize: file.content.length,
      ...target,
    },
  });

async function uploadInto(context: Context, target: Target): Promise<string> {
  // Of a type that can get a cover.
  const file = { ...fileOf(context.filling.mark), contentType: 'application/pdf' };
  const started = await initiate(context, file, target);
  const parts = await putParts(started, file.content);
  const body = completion(started, file, target.collectionId, parts);
  return (await make(context, 'uploads.complete', { body })).id;
}

async function currentSessionOf(api: TestApi, { token }: TestUser): Promise<string> {
  const { body } = await call(api, 'sessions.list', { token });
  const sessions: { id: string; isCurrent: boolean }[] = body.data.items;
  return String(sessions.find(({ isCurrent }) => isCurrent)?.id);
}

async function apiKeyOf(context: Context, { token }: TestUser): Promise<string> {
  const { organizationId, filling } = context;
  const body = {
    name: `${filling.mark} key`,
    scopes: ['task:read'],
    organizationIds: [organizationId],
  };
  return (await make(context, 'apiKeys.create', { token, body })).id;
}

/** Uploads an avatar that its account has still to complete. @returns its key */
export async function storedAvatar(api: TestApi, owner: TestUser): Promise<string> {
  const picture = await somePng();
  const { start, put } = avatarSteps(() => api);
  const started = await start(owner, { contentType: 'image/png', fileSize: picture.length });
  expect(await put(started, picture)).toBe(200);
  return started.key;
}
