import { defaultShareDays, maxPinnedAssets, maxShares, type ShareStatus } from '@atelier/contract';
import { invalidField, MockFailure } from '../failure.ts';
import { reachOf } from '../state/access.ts';
import { activityOn } from '../state/activities.ts';
import { bodyOf, callerOf, organizationOf, recordAt } from '../state/call.ts';
import { pageOf } from '../state/lists.ts';
import { listedBy } from '../state/kinds.ts';
import type { Call, Feature, State } from '../state/model.ts';
import { shown } from '../state/perform.ts';
import { isRecord, textOf, type Fields, type Stored } from '../state/store.ts';
import { expectAllowed, sharePolicyOf } from './share-policy.ts';
import { allIn } from './teams.ts';

const dayMs = 24 * 60 * 60 * 1000;

/** The target of a share as it is now. */
export function targetOf(state: State, { fields }: Stored) {
  const { type, id } = isRecord(fields['target']) ? fields['target'] : {};
  const record = state.store.find(type === 'ASSET' ? 'asset' : 'collection', id);
  const title = record?.fields[type === 'ASSET' ? 'assetName' : 'title'] ?? null;
  return { type, id, title, isGone: !record || record.bin !== null };
}

function hasExpired(state: State, { fields }: Stored): boolean {
  const { expiresAt } = fields;
  return typeof expiresAt === 'string' && Date.parse(expiresAt) <= state.nowMs();
}

export function shareStatusOf(state: State, share: Stored): ShareStatus {
  const { openingCount, maxOpenings } = share.fields;
  if (share.hidden['isRevoked'] === true) return 'REVOKED';
  if (targetOf(state, share).isGone) return 'TARGET_GONE';
  if (hasExpired(state, share)) return 'EXPIRED';
  return typeof maxOpenings === 'number' && Number(openingCount) >= maxOpenings
    ? 'USED_UP'
    : 'ACTIVE';
}

/** 43 letters and digits, as links of the service have. */
export function base62Of(state: State): string {
  let text = '';
  while (text.length < 43) text += state.newSecret().replaceAll(/[^0-9A-Za-z]/g, '');
  return text.slice(0, 43);
}

function issueToken(state: State, share: Pick<Stored, 'fields' | 'hidden'>): void {
  const token = `atls_${base62Of(state)}`;
  share.hidden['token'] = token;
  share.fields['url'] = `${state.appUrl}/share#${token}`;
}

/** @throws MockFailure `validation_failed` for an expiry that has passed */
function expectAhead(state: State, expiresAt: unknown): void {
  if (typeof expiresAt !== 'string' || Date.parse(expiresAt) > state.nowMs()) return;
  const message = 'Invalid time: expected one that is yet to come';
  throw invalidField(['expiresAt'], 'too_small', message);
}

/** @throws MockFailure `too_many_shares` */
function expectRoom(state: State, organization: Stored): void {
  const open = allIn(state, 'share', organization.id).filter(
    (share) => share.hidden['isRevoked'] !== true && !hasExpired(state, share),
  );
  if (open.length >= maxShares) throw new MockFailure('too_many_shares');
}

/**
 * Returns the assets that a share pins; null for one that shows what there is.
 *
 * @throws MockFailure `too_many_pinned_assets`
 */
function pinnedBy(state: State, organization: Stored, share: Fields): string[] | null {
  if (share['versions'] !== 'PINNED') return null;
  const { id: target } = share['target'] as Fields;
  const pinned = allIn(state, 'asset', organization.id)
    .filter(({ id, fields }) => [id, fields['collectionId']].includes(String(target)))
    .map(({ id }) => id);
  if (pinned.length > maxPinnedAssets) throw new MockFailure('too_many_pinned_assets');
  return pinned;
}

function create(call: Call): unknown {
  const { state } = call;
  const organization = organizationOf(call);
  const { targetType: type, targetId: id, password, ...wanted } = bodyOf(call);
  const target = state.store.find(type === 'ASSET' ? 'asset' : 'collection', id);
  const isOurs = target?.organizationId === organization.id && target.bin === null;
  if (!isOurs) throw new MockFailure('not_found');
  expectRoom(state, organization);
  const days = Math.min(defaultShareDays, sharePolicyOf(organization).maxDays ?? defaultShareDays);
  const defaultExpiry = new Date(state.nowMs() + days * dayMs).toISOString();
  const now = state.now();
  const fields: Fields = {
    target: { type, id },
    label: null,
    hasPassword: password !== undefined,
    expiresAt: defaultExpiry,
    allowDownload: false,
    allowComments: false,
    versions: 'CURRENT',
    watermark: null,
    maxOpenings: null,
    openingCount: 0,
    lastOpenedAt: null,
    createdBy: callerOf(call).id,
    createdAt: now,
    updatedAt: now,
    ...wanted,
  };
  expectAhead(state, fields['expiresAt']);
  expectAllowed(call, fields);
  const hidden: Fields = {
    password: password ?? null,
    revision: 1,
    pinned: pinnedBy(state, organization, fields),
  };
  issueToken(state, { fields, hidden });
  const share = state.store.add({
    kind: 'share',
    id: state.newId(),
    organizationId: organization.id,
    ownerId: callerOf(call).id,
    fields,
    hidden,
  });
  call.activities = [activityOn(call, share, { action: 'share.create' })];
  return shown(call, share);
}

function update(call: Call): unknown {
  const { state } = call;
  const share = recordAt(call, 'params.id');
  if (share.hidden['isRevoked'] === true) throw new MockFailure('share_revoked');
  const { password, ...wanted } = bodyOf(call);
  const isPasswordNew = password !== undefined;
  const after: Fields = { ...wanted, ...(isPasswordNew && { hasPassword: password !== null }) };
  const changes = Object.entries(after)
    .map(([field, to]) => ({ field, from: share.fields[field], to }))
    .filter(({ from, to }) => from !== to);
  call.activities = [];
  if (changes.length === 0 && !isPasswordNew) return shown(call, share);
  const organization = organizationOf(call);
  if (changes.some(({ field }) => field === 'expiresAt')) {
    expectAhead(state, after['expiresAt']);
    if (hasExpired(state, share)) expectRoom(state, organization);
  }
  const whole = { ...share.fields, ...after };
  expectAllowed(call, whole);
  if (changes.some(({ field }) => field === 'versions')) {
    share.hidden['pinned'] = pinnedBy(state, organization, whole);
  }
  Object.assign(share.fields, after, { updatedAt: state.now() });
  if (isPasswordNew) {
    const revision = Number(share.hidden['revision']) + 1;
    Object.assign(share.hidden, { password, revision });
  }
  call.activities = [activityOn(call, share, { action: 'share.update', changes })];
  return shown(call, share);
}

function remove(call: Call): unknown {
  const share = recordAt(call, 'params.id');
  if (share.hidden['isRevoked'] === true) throw new MockFailure('not_found');
  share.hidden['isRevoked'] = true;
  share.fields['updatedAt'] = call.state.now();
  call.activities = [activityOn(call, share, { action: 'share.revoke' })];
  return { id: share.id };
}

function rotate(call: Call): unknown {
  const share = recordAt(call, 'params.id');
  if (share.hidden['isRevoked'] === true) throw new MockFailure('share_revoked');
  issueToken(call.state, share);
  share.hidden['revision'] = Number(share.hidden['revision']) + 1;
  share.fields['updatedAt'] = call.state.now();
  call.activities = [activityOn(call, share, { action: 'share.rotate' })];
  return shown(call, share);
}

/** Whether a member sees a record of shares: owners and admins see all, others their own. */
function isOwnOrAny({ ownerId, organizationId }: Stored, call: Call): boolean {
  if (organizationId !== call.organization?.id) return false;
  return reachOf('share:manage', call.role) === 'any' || ownerId === call.caller?.id;
}

function listLinks(call: Call): unknown {
  const { state } = call;
  const listed = listedBy(call.operation);
  if (!listed) throw new Error('it lists links');
  for (const record of state.store.all(listed.kind)) state.store.remove(record);
  const isForbidden = organizationOf(call).fields['publicLinks'] === 'FORBIDDEN';
  const linked = allIn(state, 'asset', organizationOf(call).id).filter(
    ({ fields }) => !isForbidden && fields['publicLinkEnabled'] === true,
  );
  for (const { id, organizationId, ownerId, fields, hidden } of linked) {
    const { assetName, createdBy, createdAt } = fields;
    const url = `${state.baseUrl}/s/${String(hidden['code'])}`;
    const link = { assetName, url, createdBy, createdAt };
    state.store.add({ kind: listed.kind, id, organizationId, ownerId, fields: link });
  }
  return pageOf(call, listed);
}

function listViews(call: Call): unknown {
  recordAt(call, 'params.id');
  const listed = listedBy(call.operation);
  if (!listed) throw new Error('it lists views');
  return pageOf(call, listed);
}

export const shares: Feature = {
  operations: {
    'shares.create': { respond: create, findsItsRecords: true },
    'shares.update': { respond: update },
    'shares.remove': { respond: remove },
    'shares.rotate': { respond: rotate },
    'shares.publicLinks': { respond: listLinks },
    'shares.views': { respond: listViews },
  },
  kinds: {
    share: {
      isListed: isOwnOrAny,
      nameOf: ({ fields }) => textOf(fields, 'label') || 'Share',
      computed: {
        target: (share, { state }) => {
          const { type, id, title } = targetOf(state, share);
          return { type, id, title };
        },
        status: (share, { state }) => shareStatusOf(state, share),
      },
    },
    ShareView: {
      isListed: ({ fields }, { input }) => fields['shareId'] === input.params['id'],
    },
    PublicAsset: { isListed: () => true },
    PublicLink: { isListed: isOwnOrAny },
  },
};
