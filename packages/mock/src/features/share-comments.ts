import { MockFailure } from '../failure.ts';
import { activityOn } from '../state/activities.ts';
import { bodyOf } from '../state/call.ts';
import { listedBy } from '../state/kinds.ts';
import { pageOf } from '../state/lists.ts';
import type { Call, Feature, State } from '../state/model.ts';
import { textOf, type Fields, type Stored } from '../state/store.ts';
import { commentsOn, threadOf } from './asset-comments.ts';
import { assetOf, noteView } from './share-visits.ts';

/** @throws MockFailure `share_comments_off` */
function commentableOf(call: Call) {
  const visit = assetOf(call);
  if (visit.share.fields['allowComments'] !== true) throw new MockFailure('share_comments_off');
  return visit;
}

/** What visitors of the share wrote, and the replies to that. */
function writtenIn(state: State, share: Stored, asset: Stored): Stored[] {
  return commentsOn(state, asset.id).filter(
    (comment) => threadOf(state, comment).fields['shareId'] === share.id,
  );
}

function shownTo(state: State, comment: Stored, asset: Stored): Fields {
  const { fields, ownerId } = comment;
  const author = state.store.find('user', ownerId);
  return {
    parentId: fields['parentId'],
    author: author ? textOf(author.fields, 'displayName') : textOf(fields, 'guestName'),
    isGuest: author === undefined,
    body: fields['body'],
    anchor: fields['anchor'],
    isOnShownVersion: fields['versionNumber'] === asset.fields['currentVersion'],
    isResolved: threadOf(state, comment).fields['resolvedAt'] !== null,
    createdAt: fields['createdAt'],
    editedAt: fields['editedAt'],
  };
}

function list(call: Call): unknown {
  const { share, asset } = commentableOf(call);
  const listed = listedBy(call.operation);
  if (!listed) throw new Error('it lists comments');
  const { state } = call;
  // Beside the comments of members, which are another kind to the contract.
  const kind = 'SharedComment';
  for (const record of state.store.all(kind)) state.store.remove(record);
  for (const comment of writtenIn(state, share, asset)) {
    const fields = shownTo(state, comment, asset);
    state.store.add({ kind, id: comment.id, organizationId: null, ownerId: null, fields });
  }
  return pageOf(call, { ...listed, kind });
}

function create(call: Call): unknown {
  const { state } = call;
  const { share, ticket, asset } = commentableOf(call);
  const { body, visitorName, parentId = null, anchor = null } = bodyOf(call);
  const parent = writtenIn(state, share, asset).find(({ id }) => id === parentId);
  if (parentId !== null && !parent) throw new MockFailure('share_not_found');
  if (parent && parent.fields['parentId'] !== null) {
    const message = 'Invalid parent: it is a reply itself';
    throw new MockFailure('validation_failed', {
      errors: [{ in: 'body', path: ['parentId'], code: 'is_reply', message }],
    });
  }
  const comment = state.store.add({
    kind: 'asset_comment',
    id: state.newId(),
    organizationId: share.organizationId,
    ownerId: null,
    fields: {
      assetId: asset.id,
      parentId,
      versionNumber: parent?.fields['versionNumber'] ?? asset.fields['currentVersion'],
      shareId: share.id,
      guestName: visitorName,
      body,
      anchor,
      resolvedAt: null,
      resolvedById: null,
      createdAt: state.now(),
      editedAt: null,
    },
  });
  const metadata = { shareId: share.id, sharerId: share.ownerId };
  call.activities = [activityOn(call, comment, { action: 'asset_comment.create', metadata })];
  noteView(call, share, {
    assetId: asset.id,
    ticket: ticket.id,
    asset: { id: asset.id, name: asset.fields['assetName'] },
    visitorName,
    action: 'COMMENTED',
  });
  return { id: comment.id, ...shownTo(state, comment, asset) };
}

export const shareComments: Feature = {
  operations: {
    'shares.sharedComments': { respond: list, findsItsRecords: true },
    'shares.createSharedComment': { respond: create, findsItsRecords: true },
  },
  kinds: { SharedComment: { isListed: () => true } },
};
