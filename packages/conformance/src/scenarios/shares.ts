import { newAccount } from '../accounts.ts';
import type { Check } from '../check.ts';
import { sampleFile, upload } from '../uploading.ts';
import type { Probe } from '../probe.ts';

/** A collection with two assets, of an account of its own. */
async function newCollection(probe: Probe) {
  const { token, personalOrganizationId } = await newAccount(probe, 'sharer');
  const { id } = await probe.succeed('collections.create', { token, body: { title: 'Autumn' } });
  const file = { ...sampleFile(20, 'notes.txt'), contentType: 'text/plain' };
  const asset = await upload(probe, file, { token, collectionId: id });
  const neighbour = await upload(probe, file, { token, collectionId: id });
  return { token, personalOrganizationId, collectionId: id, asset, neighbour };
}

const tokenIn = ({ url }: { readonly url: string | null }) => String(url).split('#')[1] ?? '';

const asVisitor = (ticket: string) => ({ headers: { authorization: `Share ${ticket}` } });

const shown: Check = {
  id: 'share.shown',
  group: 'shares',
  title: 'a share of an asset shows that asset to a visitor, and nothing else of its collection',
  run: async ({ probe, random }) => {
    const rule = 'share.shown';
    const { token, asset, neighbour } = await newCollection(probe);
    const body = { targetType: 'ASSET', targetId: asset.id, allowDownload: false };
    const missing = { ...body, targetId: random.id() };
    const refused = await probe.request('shares.create', { token, body: missing });
    probe.expectRefusal(rule, refused, 'not_found');
    const share = await probe.succeed('shares.create', { token, body });
    const { ticket } = await probe.succeed('shares.open', { body: { token: tokenIn(share) } });
    const visitor = asVisitor(ticket);
    const list = await probe.succeed('shares.sharedAssets', visitor);
    const seen = await probe.request('shares.shared', visitor);
    probe.expect({
      rule,
      response: seen,
      holds: list.items.length === 1 && !seen.text.includes(share.id),
      expected: 'one asset, and no id of the share',
    });
    for (const id of [neighbour.id, random.id()]) {
      for (const operation of ['shares.sharedAsset', 'shares.sharedDownload'] as const) {
        const response = await probe.request(operation, { ...visitor, params: { id } });
        probe.expectRefusal(rule, response, 'share_not_found');
      }
    }
    const own = { ...visitor, params: { id: asset.id } };
    const download = await probe.request('shares.sharedDownload', own);
    probe.expectRefusal(rule, download, 'share_download_off');
    const change = { token, params: { id: share.id }, body: { allowDownload: true } };
    await probe.succeed('shares.update', change);
    await probe.succeed('shares.sharedDownload', own);
    await probe.succeed('shares.sharedAsset', own);
    const binned = await probe.succeed('assets.remove', { token, params: { id: asset.id } });
    const gone = await probe.request('shares.sharedAsset', {
      ...visitor,
      params: { id: binned.id },
    });
    probe.expectRefusal(rule, gone, 'share_not_found');
  },
};

const ended: Check = {
  id: 'share.ended',
  group: 'shares',
  title: 'a password guards a share, and a share that ends ends its visits',
  run: async ({ probe }) => {
    const rule = 'share.ended';
    const { token, collectionId } = await newCollection(probe);
    const password = 'printer 4711';
    const body = { targetType: 'COLLECTION', targetId: collectionId, password };
    const share = await probe.succeed('shares.create', { token, body });
    const params = { id: share.id };
    const linked = { token: tokenIn(share) };
    const without = await probe.request('shares.open', { body: linked });
    probe.expectRefusal(rule, without, 'share_password_required');
    const wrong = await probe.request('shares.open', {
      body: { ...linked, password: 'printer 4712' },
    });
    probe.expectRefusal(rule, wrong, 'share_password_wrong');
    const { ticket } = await probe.succeed('shares.open', { body: { ...linked, password } });
    const visitor = asVisitor(ticket);
    await probe.succeed('shares.shared', visitor);
    const rotated = await probe.succeed('shares.rotate', { token, params });
    for (const operation of ['shares.shared', 'shares.sharedAssets'] as const) {
      probe.expectRefusal(rule, await probe.request(operation, visitor), 'share_not_found');
    }
    const former = await probe.request('shares.open', { body: { ...linked, password } });
    probe.expectRefusal(rule, former, 'share_not_found');
    const again = { token: tokenIn(rotated), password };
    await probe.succeed('shares.open', { body: again });
    await probe.succeed('shares.remove', { token, params });
    const last = await probe.request('shares.open', { body: again });
    probe.expectRefusal(rule, last, 'share_not_found');
    for (const refused of [
      await probe.request('shares.update', { token, params, body: { label: 'New' } }),
      await probe.request('shares.rotate', { token, params }),
    ]) {
      probe.expectRefusal(rule, refused, 'share_revoked');
    }
  },
};

const policy: Check = {
  id: 'share.policy',
  group: 'shares',
  title: 'the policy of an organization ends the shares that it no longer allows',
  run: async ({ probe }) => {
    const rule = 'share.policy';
    const { token, collectionId, personalOrganizationId } = await newCollection(probe);
    const body = { targetType: 'COLLECTION', targetId: collectionId };
    const share = await probe.succeed('shares.create', { token, body });
    const params = { id: personalOrganizationId };
    const demanded = { requirePassword: true, maxDays: 7 };
    await probe.succeed('shares.updatePolicy', { token, params, body: demanded });
    const own = { token, params: { id: share.id } };
    const { status } = await probe.succeed('shares.get', own);
    const refused = await probe.request('shares.create', { token, body });
    probe.expectRefusal(rule, refused, 'share_policy');
    probe.expect({
      rule,
      response: refused,
      holds: status === 'REVOKED',
      expected: 'an ended share',
    });
    const allowed = { ...body, password: 'printer 4711' };
    const other = await probe.succeed('shares.create', { token, body: allowed });
    const longer = await probe.request('shares.update', {
      token,
      params: { id: other.id },
      body: { expiresAt: null },
    });
    probe.expectRefusal(rule, longer, 'share_policy');
  },
};

const commented: Check = {
  id: 'share.commented',
  group: 'shares',
  title:
    'visitors comment under a name, see what was written in their share only, and members reply',
  run: async ({ probe, random }) => {
    const rule = 'share.commented';
    const { token, asset, neighbour } = await newCollection(probe);
    const target = { targetType: 'ASSET', targetId: asset.id };
    const share = await probe.succeed('shares.create', { token, body: target });
    const { ticket } = await probe.succeed('shares.open', { body: { token: tokenIn(share) } });
    const visitor = { ...asVisitor(ticket), params: { id: asset.id } };
    const body = { body: 'The edge is blurred here.', visitorName: 'Grace' };
    for (const refused of [
      await probe.request('shares.sharedComments', visitor),
      await probe.request('shares.createSharedComment', { ...visitor, body }),
    ]) {
      probe.expectRefusal(rule, refused, 'share_comments_off');
    }
    const allow = { token, params: { id: share.id }, body: { allowComments: true } };
    await probe.succeed('shares.update', allow);
    const own = { token, params: { id: asset.id } };
    const internal = await probe.succeed('assetComments.create', {
      ...own,
      body: { body: 'Ours' },
    });
    const written = await probe.succeed('shares.createSharedComment', { ...visitor, body });
    const reply = { body: 'Sharper in the next one.', parentId: written.id };
    const answer = await probe.succeed('assetComments.create', { ...own, body: reply });
    const thanks = { ...body, parentId: written.id };
    const last = await probe.succeed('shares.createSharedComment', { ...visitor, body: thanks });
    const seen = await probe.request('shares.sharedComments', visitor);
    const { items } = await probe.succeed('shares.sharedComments', visitor);
    probe.expect({
      rule,
      response: seen,
      holds:
        items.map(({ id }) => id).join() === [written.id, answer.id, last.id].join() &&
        items.map(({ isGuest }) => isGuest).join() === 'true,false,true' &&
        !seen.text.includes(internal.id),
      expected: 'the comment, the reply of a member and that of the visitor',
    });
    const inTeam = await probe.succeed('assetComments.list', own);
    probe.expect({
      rule,
      response: seen,
      holds: inTeam.items.some(
        ({ id, author, guestName }) =>
          id === written.id && author === null && guestName === 'Grace',
      ),
      expected: 'a comment with the name of the guest, without an author',
    });
    for (const refused of [
      await probe.request('shares.createSharedComment', {
        ...visitor,
        body: { ...body, parentId: internal.id },
      }),
      await probe.request('shares.createSharedComment', {
        ...visitor,
        params: { id: neighbour.id },
        body,
      }),
      await probe.request('shares.sharedComments', { ...visitor, params: { id: random.id() } }),
    ]) {
      probe.expectRefusal(rule, refused, 'share_not_found');
    }
    for (const invalid of [
      { ...body, parentId: answer.id },
      { ...body, visitorName: 'Grace \u202eecarG' },
      { ...body, visitorName: ' ' },
      { body: body.body },
    ]) {
      const refused = await probe.request('shares.createSharedComment', {
        ...visitor,
        body: invalid,
      });
      probe.expectRefusal(rule, refused, 'validation_failed');
    }
    const removed = { token, params: { id: asset.id, commentId: written.id } };
    await probe.succeed('assetComments.remove', removed);
    const left = await probe.succeed('shares.sharedComments', visitor);
    probe.expect({
      rule,
      response: seen,
      holds: left.items.length === 0,
      expected: 'nothing after a member deleted the comment',
    });
  },
};

export const shareScenarios: readonly Check[] = [shown, ended, policy, commented];
