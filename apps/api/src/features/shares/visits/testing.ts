import { expect } from 'vitest';
import type { TestUser } from '../../../testing/accounts.ts';
import { call, type CallOptions, type TestApi } from '../../../testing/api.ts';
import { someFile, uploadFile } from '../../../testing/library.ts';
import { newTeam } from '../../../testing/organizations.ts';

/** What the tests of visits do: teams with shares, and visitors of these. */
export function visitsOf(api: TestApi, user: TestUser) {
  /** A team with a collection of two files, and what its visitors do. */
  async function team() {
    const { id: organizationId } = await newTeam(api, user);
    const by = { token: user.token, organizationId };
    const { body } = await call(api, 'collections.create', { ...by, body: { title: 'Autumn' } });
    const collectionId = String(body.data.id);
    const place = { organizationId, collectionId };
    const newAsset = (file = someFile(20)) => uploadFile(api, user, file, place);
    const newShare = async (conditions: object = {}) => {
      const target = { targetType: 'COLLECTION', targetId: collectionId };
      const made = await call(api, 'shares.create', { ...by, body: { ...target, ...conditions } });
      expect(made.body.code).toBeUndefined();
      return made.body.data;
    };
    const change = (id: string, changes: object) =>
      call(api, 'shares.update', { ...by, params: { id }, body: changes });
    return { by, organizationId, collectionId, place, newAsset, newShare, change };
  }

  const tokenOf = ({ url }: { url: string }) => url.split('#')[1] ?? '';
  const open = (share: { url: string }, more: object = {}, options: CallOptions = {}) =>
    call(api, 'shares.open', { body: { token: tokenOf(share), ...more }, ...options });

  /** Opens a share. @returns what the visitor requests */
  async function visit(share: { url: string }, more: object = {}) {
    const opened = await open(share, more);
    expect([opened.status, opened.body.code]).toEqual([200, undefined]);
    return withTicket(opened.body.data.ticket);
  }

  function withTicket(ticket: string) {
    const headers = { authorization: `Share ${ticket}` };
    return {
      ticket,
      share: () => call(api, 'shares.shared', { headers }),
      list: async (query = {}) =>
        (await call(api, 'shares.sharedAssets', { headers, query })).body.data,
      get: (id: string) => call(api, 'shares.sharedAsset', { headers, params: { id } }),
      download: (id: string) => call(api, 'shares.sharedDownload', { headers, params: { id } }),
      comments: (id: string, query = {}) =>
        call(api, 'shares.sharedComments', { headers, params: { id }, query }),
      comment: (id: string, body: object, more: Record<string, string> = {}) =>
        call(api, 'shares.createSharedComment', {
          headers: { ...headers, ...more },
          params: { id },
          body: { body: 'The edge is blurred', visitorName: 'Grace', ...body },
        }),
      all: async (id: string) => [
        await call(api, 'shares.shared', { headers }),
        await call(api, 'shares.sharedAssets', { headers }),
        await call(api, 'shares.sharedAsset', { headers, params: { id } }),
        await call(api, 'shares.sharedDownload', { headers, params: { id } }),
      ],
    };
  }

  return { team, tokenOf, open, visit, withTicket };
}
