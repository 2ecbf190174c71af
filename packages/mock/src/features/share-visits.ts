import { sharedAddressSeconds, shareTicketSeconds } from '@atelier/contract';
import { MockFailure } from '../failure.ts';
import { bodyOf } from '../state/call.ts';
import { pageOf } from '../state/lists.ts';
import { listedBy } from '../state/kinds.ts';
import type { Call, Feature, State } from '../state/model.ts';
import { isRecord, textOf, type Fields, type Stored } from '../state/store.ts';
import { urlOf } from './contents.ts';
import { base62Of, shareStatusOf, targetOf } from './shares.ts';

function publicShareOf(state: State, share: Stored): Fields {
  const { label, allowDownload, allowComments, expiresAt } = share.fields;
  const { type, title } = targetOf(state, share);
  const sharer = state.store.find('user', share.ownerId);
  const organization = state.store.find('organization', share.organizationId);
  return {
    type,
    title,
    label,
    organizationName: organization?.fields['name'] ?? '',
    sharedBy: textOf(sharer?.fields, 'displayName'),
    allowDownload,
    allowComments,
    expiresAt,
  };
}

export function noteView({ state }: Call, share: Stored, view: Fields): void {
  state.store.add({
    kind: 'ShareView',
    id: state.newId(),
    organizationId: share.organizationId,
    ownerId: null,
    fields: {
      shareId: share.id,
      at: state.now(),
      asset: null,
      visitorName: null,
      network: '127.0.0.0/24',
      device: 'Unknown device',
      ...view,
    },
  });
}

function open(call: Call): unknown {
  const { state } = call;
  const { token, password, visitorName = null } = bodyOf(call);
  const share = state.store.all('share').find(({ hidden }) => hidden['token'] === token);
  if (!share || shareStatusOf(state, share) !== 'ACTIVE') throw new MockFailure('share_not_found');
  const wanted = share.hidden['password'];
  if (wanted !== null) {
    if (password === undefined) throw new MockFailure('share_password_required');
    if (password !== wanted) {
      noteView(call, share, { action: 'PASSWORD_WRONG', visitorName });
      throw new MockFailure('share_password_wrong');
    }
  }
  share.fields['openingCount'] = Number(share.fields['openingCount']) + 1;
  share.fields['lastOpenedAt'] = state.now();
  const ticket = `atlv_${base62Of(state)}`;
  const expiresAt = ticketExpiry(state, share);
  state.store.add({
    kind: 'ShareTicket',
    id: ticket,
    organizationId: share.organizationId,
    ownerId: null,
    fields: { shareId: share.id, visitorName, expiresAt, revision: share.hidden['revision'] },
  });
  noteView(call, share, { action: 'OPENED', visitorName });
  return { ticket, expiresAt, share: publicShareOf(state, share) };
}

function ticketExpiry(state: State, { fields }: Stored): string {
  const ticketMs = state.nowMs() + shareTicketSeconds * 1000;
  const { expiresAt } = fields;
  const shareMs = typeof expiresAt === 'string' ? Date.parse(expiresAt) : Infinity;
  return new Date(Math.min(ticketMs, shareMs)).toISOString();
}

/** @throws MockFailure `unauthenticated`, or `share_not_found` for a share that has ended */
function visitOf({ state, request }: Call): { share: Stored; ticket: Stored } {
  const id = /^Share (\S+)$/i.exec(request.headers['authorization'] ?? '')?.[1];
  const ticket = state.store.find('ShareTicket', id);
  const isOver = !ticket || Date.parse(textOf(ticket.fields, 'expiresAt')) <= state.nowMs();
  if (isOver) throw new MockFailure('unauthenticated');
  const share = state.store.find('share', ticket.fields['shareId']);
  const isLiving = share && ['ACTIVE', 'USED_UP'].includes(shareStatusOf(state, share));
  const isOfRevision = share?.hidden['revision'] === ticket.fields['revision'];
  if (!share || !isLiving || !isOfRevision) throw new MockFailure('share_not_found');
  return { share, ticket };
}

function isShown(share: Stored, asset: Stored): boolean {
  const target = share.fields['target'];
  if (!isRecord(target) || asset.organizationId !== share.organizationId) return false;
  const pinned = share.hidden['pinned'];
  if (Array.isArray(pinned) && !pinned.includes(asset.id)) return false;
  return target['type'] === 'ASSET'
    ? asset.id === target['id']
    : asset.fields['collectionId'] === target['id'];
}

export function assetOf(call: Call): { share: Stored; ticket: Stored; asset: Stored } {
  const visit = visitOf(call);
  const asset = call.state.store.find('asset', call.input.params['id']);
  if (!asset || asset.bin !== null || !isShown(visit.share, asset)) {
    throw new MockFailure('share_not_found');
  }
  return { ...visit, asset };
}

function publicAssetOf(state: State, asset: Stored): Fields {
  const contentType = textOf(asset.fields, 'assetType');
  const url = contentType.startsWith('image/') ? urlOf(state, asset) : null;
  return {
    id: asset.id,
    name: asset.fields['assetName'],
    contentType,
    fileSize: asset.fields['fileSize'],
    thumbnailUrl: url,
    previewUrl: url,
    preview: url ? 'READY' : 'NONE',
  };
}

function list(call: Call): unknown {
  const { share } = visitOf(call);
  const listed = listedBy(call.operation);
  if (!listed) throw new Error('it lists assets');
  const { store } = call.state;
  // Beside the assets of members, which are the same kind to the contract.
  const kind = 'PublicAsset';
  for (const record of store.all(kind)) store.remove(record);
  for (const asset of store.all('asset').filter((one) => isShown(share, one))) {
    const { id, ...fields } = publicAssetOf(call.state, asset);
    store.add({ kind, id: String(id), organizationId: null, ownerId: null, fields });
  }
  return pageOf(call, { ...listed, kind });
}

function get(call: Call): unknown {
  const visited = assetOf(call);
  noteOnce(call, visited, { action: 'PREVIEWED', since: '' });
  return publicAssetOf(call.state, visited.asset);
}

/** Notes a view of an asset, unless the visit has the same since then. */
function noteOnce(
  call: Call,
  { share, ticket, asset }: ReturnType<typeof assetOf>,
  { action, since }: { action: string; since: string },
): void {
  const view = { ...viewOf(asset, ticket), action };
  const isKnown = call.state.store
    .all('ShareView')
    .some(
      ({ fields }) =>
        fields['ticket'] === ticket.id &&
        fields['assetId'] === asset.id &&
        fields['action'] === action &&
        textOf(fields, 'at') >= since,
    );
  if (!isKnown) noteView(call, share, view);
}

function viewOf({ id, fields }: Stored, ticket: Stored): Fields {
  return {
    assetId: id,
    ticket: ticket.id,
    asset: { id, name: fields['assetName'] },
    visitorName: ticket.fields['visitorName'],
  };
}

function download(call: Call): unknown {
  const visited = assetOf(call);
  const { share, asset } = visited;
  if (share.fields['allowDownload'] !== true) throw new MockFailure('share_download_off');
  const minute = call.state.now().slice(0, 'yyyy-mm-ddThh:mm'.length);
  noteOnce(call, visited, { action: 'DOWNLOADED', since: minute });
  const expiresAtMs = call.state.nowMs() + sharedAddressSeconds * 1000;
  return {
    url: urlOf(call.state, asset, { isAttachment: 'yes' }),
    expiresAt: new Date(expiresAtMs).toISOString(),
    fileName: asset.fields['assetName'],
  };
}

export const shareVisits: Feature = {
  operations: {
    'shares.open': { respond: open },
    'shares.shared': { respond: (call) => publicShareOf(call.state, visitOf(call).share) },
    'shares.sharedAssets': { respond: list },
    'shares.sharedAsset': { respond: get, findsItsRecords: true },
    'shares.sharedDownload': { respond: download, findsItsRecords: true },
  },
};
