import { MockFailure } from '../failure.ts';
import { activityOn } from '../state/activities.ts';
import { callerOf, organizationOf, recordAt } from '../state/call.ts';
import type { Call, Feature } from '../state/model.ts';
import { shown } from '../state/perform.ts';
import { textOf } from '../state/store.ts';
import { reviewOf } from './assets.ts';
import { addVersion, bytesOf, versionOf } from './contents.ts';
import { expectWithinPlan } from './plans.ts';

function restoreVersion(call: Call): unknown {
  const { state, input } = call;
  const asset = recordAt(call, 'params.id');
  const number = Number(input.params['versionNumber']);
  const version = versionOf(state, asset.id, number);
  if (!version) throw new MockFailure('not_found');
  const current = versionOf(state, asset.id, Number(asset.fields['currentVersion']));
  const eTag = textOf(version, 'eTag');
  call.activities = [];
  if (textOf(current, 'eTag') === eTag) return shown(call, asset);
  expectWithinPlan(state, organizationOf(call), {
    versionsPerAsset: Number(asset.fields['currentVersion']) + 1,
  });
  addVersion(state, asset, {
    bytes: bytesOf(state, asset.id, number),
    contentType: textOf(version, 'contentType'),
    createdBy: callerOf(call).id,
    restoredFrom: number,
    eTag,
  });
  call.activities = [activityOn(call, asset, { action: 'asset.restore_version' })];
  return shown(call, asset);
}

export const versions: Feature = {
  operations: { 'assets.restoreVersion': { respond: restoreVersion } },
  kinds: {
    AssetVersion: {
      isListed: ({ fields }, { input }) => fields['assetId'] === input.params['id'],
      computed: {
        isCurrent: ({ fields }, { state }) =>
          state.store.find('asset', fields['assetId'])?.fields['currentVersion'] ===
          fields['versionNumber'],
        review: ({ fields }, { state }) =>
          reviewOf(state, textOf(fields, 'assetId'), fields['versionNumber']),
      },
    },
  },
};
