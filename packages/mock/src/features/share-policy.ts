import { SharePolicy } from '@atelier/contract';
import { MockFailure } from '../failure.ts';
import { activityOn } from '../state/activities.ts';
import { bodyOf, organizationOf } from '../state/call.ts';
import { eTagOf, expectUnchanged } from '../state/etags.ts';
import type { Call, Feature } from '../state/model.ts';
import type { Fields, Stored } from '../state/store.ts';
import { allIn } from './teams.ts';

const dayMs = 24 * 60 * 60 * 1000;

const initial: SharePolicy = {
  allowed: true,
  requirePassword: false,
  maxDays: null,
  allowDownload: true,
};

export function sharePolicyOf({ hidden }: Stored): SharePolicy {
  return (hidden['sharePolicy'] as SharePolicy | undefined) ?? initial;
}

/** @throws MockFailure `share_policy` */
export function expectAllowed({ state, organization }: Call, share: Fields): void {
  const policy = organization ? sharePolicyOf(organization) : initial;
  const isTooLong =
    policy.maxDays !== null && isAfter(share, state.nowMs() + policy.maxDays * dayMs);
  const isRefused =
    !policy.allowed ||
    (policy.requirePassword && share['hasPassword'] !== true) ||
    isTooLong ||
    (!policy.allowDownload && share['allowDownload'] === true);
  if (isRefused) throw new MockFailure('share_policy');
}

function isAfter({ expiresAt }: Fields, atMs: number): boolean {
  return typeof expiresAt !== 'string' || Date.parse(expiresAt) > atMs;
}

function update(call: Call): unknown {
  const { state } = call;
  const organization = organizationOf(call);
  const current = sharePolicyOf(organization);
  expectUnchanged(call.request.headers['if-match'], eTagOf(SharePolicy, current));
  const policy: SharePolicy = { ...current, ...bodyOf(call) };
  call.activities = [];
  if (JSON.stringify(policy) === JSON.stringify(current)) return policy;
  organization.hidden['sharePolicy'] = policy;
  for (const { fields, hidden } of allIn(state, 'share', organization.id)) {
    const isEnded = !policy.allowed || (policy.requirePassword && fields['hasPassword'] !== true);
    if (isEnded) hidden['isRevoked'] = true;
    const untilMs = state.nowMs() + (policy.maxDays ?? 0) * dayMs;
    const isShortened = policy.maxDays !== null && isAfter(fields, untilMs);
    if (isShortened) fields['expiresAt'] = new Date(untilMs).toISOString();
    if (!policy.allowDownload) fields['allowDownload'] = false;
  }
  const action = 'organization.change_share_policy';
  call.activities = [activityOn(call, organization, { action })];
  return policy;
}

export const sharePolicy: Feature = {
  operations: {
    'shares.policy': { respond: (call) => sharePolicyOf(organizationOf(call)) },
    'shares.updatePolicy': { respond: update, findsItsRecords: true },
  },
};
