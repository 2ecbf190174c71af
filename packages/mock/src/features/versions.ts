import { MockFailure } from '../failure.ts';
import { activityOn } from '../state/activities.ts';
import { callerOf, organizationOf, recordAt } from '../state/call.ts';
import type { Call, Feature } from '../state/model.ts';
import { shown } from '../state/perform.ts';
import { textOf } from '../state/store.ts';
import { reviewOf } from './assets.ts';
import { addVersion, contentOf, versionOf } from './contents.ts';
import { expectWithinPlan } from './plans.ts';

function restoreVersion(call: Call): unknown {
  const { state, input } = call;
  const asset = recordAt(call, 'params.id');
  const restoredFrom = Number(input.params['versionNumber']);
  const currentVersion = Number(asset.fields['currentVersion']);
  const version = versionOf(state, asset.id, restoredFrom);
  if (!version) throw new MockFailure('not_found');
  const current = versionOf(state, asset.id, currentVersion);
  call.activities = [];
  if (current?.['objectId'] === version['objectId']) return shown(call, asset);
  expectWithinPlan(state, organizationOf(call), { versionsPerAsset: currentVersion + 1 });
  const createdBy = callerOf(call).id;
  addVersion(state, asset, { ...contentOf(state, version), createdBy, restoredFrom });
  const action = 'asset.restore_version';
  const changes = [{ field: 'currentVersion', from: currentVersion, to: currentVersion + 1 }];
  call.activities = [activityOn(call, asset, { action, changes, metadata: { restoredFrom } })];
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
