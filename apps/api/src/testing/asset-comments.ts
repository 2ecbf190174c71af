import { eq } from 'drizzle-orm';
import { expect } from 'vitest';
import { assetComments, assets } from '../db/generated/schema.ts';
import { newId } from '../kernel/ids.ts';
import { newUser, type TestUser } from './accounts.ts';
import { call, type CallOptions } from './api.ts';
import { someFile, uploadFile } from './library.ts';
import { joinTeam, newTeamOf } from './organizations.ts';
import { setUpApi } from './set-up.ts';

/** A caller in the organization of the asset. */
interface Member {
  readonly token: string;
  readonly organizationId: string;
}

/** Sets up a team whose members comment on an asset, which each test chooses. */
export async function setUpAssetComments() {
  const people = {} as Record<'ADMIN' | 'MEMBER' | 'VIEWER', TestUser>;
  /** The asset that is commented on. */
  const subject = { id: '' };
  const api = await setUpApi();
  const owner = await newUser(api, 'owner');
  const team: Member = await newTeamOf(api, owner);
  for (const role of ['ADMIN', 'MEMBER', 'VIEWER'] as const) {
    people[role] = await newUser(api, role.toLowerCase());
    await joinTeam(api, team.organizationId, people[role], role);
  }
  const { body: collection } = await call(api, 'collections.create', {
    ...team,
    body: { title: 'Pictures' },
  });
  const collectionId: string = collection.data.id;
  const { organizationId } = team;
  const newAsset = async (): Promise<string> =>
    (await uploadFile(api, owner, someFile(3, 'logo.png'), { collectionId, organizationId })).id;
  const addVersion = () =>
    uploadFile(api, owner, someFile(5), { collectionId, organizationId, assetId: subject.id });
  const as = (user: Pick<TestUser, 'token'>): Member => ({ ...team, token: user.token });
  const list = (query: NonNullable<CallOptions['query']> = {}, options: CallOptions = team) =>
    call(api, 'assetComments.list', { params: { id: subject.id }, query, ...options });
  const post = (body: unknown, options: CallOptions = team) =>
    call(api, 'assetComments.create', {
      params: { id: subject.id },
      body: typeof body === 'string' ? { body } : body,
      ...options,
    });
  const about = (commentId: string, body: unknown, options: CallOptions) => ({
    params: { id: subject.id, commentId },
    ...(body !== undefined && { body }),
    ...options,
  });
  const edit = (commentId: string, body: string, options: CallOptions = team) =>
    call(api, 'assetComments.update', about(commentId, { body }, options));
  const resolve = (commentId: string, isResolved: boolean, options: CallOptions = team) =>
    call(api, 'assetComments.resolve', about(commentId, { isResolved }, options));
  const remove = (commentId: string, options: CallOptions = team) =>
    call(api, 'assetComments.remove', about(commentId, undefined, options));
  const markers = (query: NonNullable<CallOptions['query']> = {}) =>
    call(api, 'assetComments.markers', { ...team, params: { id: subject.id }, query });

  async function posted(body: unknown = 'The edge is blurred', author: Member = team) {
    const response = await post(body, author);
    expect([response.status, response.body.code]).toEqual([201, undefined]);
    return String(response.body.data.id);
  }

  async function stored(commentId: string) {
    const [row] = await api.db.select().from(assetComments).where(eq(assetComments.id, commentId));
    return row;
  }

  /** A comment that a guest of a share link wrote. */
  async function guestsComment(): Promise<string> {
    const commentId = newId();
    await api.db.insert(assetComments).values({
      organizationId,
      id: commentId,
      assetId: subject.id,
      versionNumber: 1,
      shareId: newId(),
      guestName: 'Grace',
      body: 'From outside',
      createdAt: api.clock.now(),
    });
    await api.db
      .update(assets)
      .set({ commentCount: 1, openCommentCount: 1 })
      .where(eq(assets.id, subject.id));
    return commentId;
  }

  async function counts() {
    const { body } = await call(api, 'assets.get', { ...team, params: { id: subject.id } });
    const { body: page } = await call(api, 'assets.listInCollection', {
      ...team,
      params: { collectionId },
      query: { limit: 3 },
    });
    const { commentCount, openCommentCount } = body.data;
    const shown = page.data.items.find((item: { id: string }) => item.id === subject.id);
    expect(shown).toMatchObject({ commentCount, openCommentCount });
    return [commentCount, openCommentCount];
  }

  return {
    api,
    owner,
    team,
    people,
    subject,
    collectionId,
    as,
    newAsset,
    addVersion,
    list,
    post,
    posted,
    edit,
    resolve,
    remove,
    markers,
    stored,
    guestsComment,
    counts,
  };
}
