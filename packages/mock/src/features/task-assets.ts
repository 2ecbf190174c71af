import { maxAssetsOfTask, TaskAsset } from '@atelier/contract';
import { MockFailure } from '../failure.ts';
import { activityOn } from '../state/activities.ts';
import { callerOf, recordAt } from '../state/call.ts';
import { cursorAfter, positionIn } from '../state/lists.ts';
import type { Call, Feature, State } from '../state/model.ts';
import { shown } from '../state/perform.ts';
import { present } from '../state/present.ts';
import { textOf, type Fields, type Stored } from '../state/store.ts';

function attachmentsOf({ store }: State, taskId: string): Stored[] {
  return store.all('attachment').filter(({ fields }) => fields['taskId'] === taskId);
}

function attachedAsset({ store }: State, { fields }: Stored): Stored | null {
  const asset = store.find('asset', fields['assetId']);
  return asset && asset.bin === null ? asset : null;
}

/** Counts for `attachmentCount` of a task. */
export function countAttachments(state: State, taskId: string): number {
  return attachmentsOf(state, taskId).filter((one) => attachedAsset(state, one) !== null).length;
}

function list(call: Call): unknown {
  const { state, operation, input, caller, session } = call;
  const task = recordAt(call, 'params.id');
  const view = { state, callerId: caller?.id ?? null, sessionId: session?.id ?? null };
  const attached = attachmentsOf(state, task.id).flatMap((one): Fields[] => {
    const asset = attachedAsset(state, one);
    return asset ? [{ ...present(asset, view, TaskAsset), ...attachmentIn(one) }] : [];
  });
  const key = (item: Fields) => `${textOf(item, 'attachedAt')} ${textOf(item, 'id')}`;
  const way = input.query['sort'] === '-attachedAt' ? -1 : 1;
  const compare = (a: Fields, b: Fields) => {
    if (key(a) === key(b)) return 0;
    return key(a) < key(b) ? -way : way;
  };
  const items = attached.toSorted(compare);

  const limit = Number(input.query['limit']);
  const { page = 1, cursor } = input.query;
  const name = `${operation.id} ${String(input.query['sort'])} ${task.id}`;
  const last = typeof cursor === 'string' ? positionIn(call, { list: name, cursor }) : null;
  const rest = last
    ? items.filter((item) => compare(item, last) > 0)
    : items.slice((Number(page) - 1) * limit);
  const shownItems = rest.slice(0, limit);
  const hasNext = rest.length > limit;
  const end = shownItems.at(-1);
  return {
    items: shownItems,
    pagination: {
      page: Number(page),
      limit,
      total: items.length,
      totalPages: Math.ceil(items.length / limit),
      hasNext,
      ...(hasNext && end && { nextCursor: cursorAfter(call, name, positionOf(end)) }),
    },
  };
}

/** The values that the list is sorted by. */
function positionOf({ attachedAt, id }: Fields): Fields {
  return { attachedAt, id };
}

function attachmentIn({ ownerId, fields }: Stored): Fields {
  return { attachedBy: ownerId, attachedAt: fields['attachedAt'] };
}

function attach(call: Call): unknown {
  const { state } = call;
  const { task, asset, attachment } = addressed(call);
  call.activities = [];
  if (attachment) return shown(call, task);
  if (attachmentsOf(state, task.id).length >= maxAssetsOfTask) {
    throw new MockFailure('too_many_task_assets');
  }
  state.store.add({
    kind: 'attachment',
    id: state.newId(),
    organizationId: task.organizationId,
    ownerId: callerOf(call).id,
    fields: { taskId: task.id, assetId: asset.id, attachedAt: state.now() },
  });
  call.activities = [activityOn(call, task, { action: 'task.attach', metadata: named(asset) })];
  return shown(call, task);
}

function detach(call: Call): unknown {
  const { task, asset, attachment } = addressed(call);
  if (!attachment) throw new MockFailure('not_found');
  call.state.store.remove(attachment);
  call.activities = [activityOn(call, task, { action: 'task.detach', metadata: named(asset) })];
  return shown(call, task);
}

function addressed(call: Call) {
  const task = recordAt(call, 'params.id');
  const asset = recordAt(call, 'params.assetId');
  const attachment = attachmentsOf(call.state, task.id).find(
    ({ fields }) => fields['assetId'] === asset.id,
  );
  return { task, asset, attachment };
}

function named({ id, fields }: Stored): Fields {
  return { assetId: id, assetName: fields['assetName'] };
}

export const taskAssets: Feature = {
  operations: {
    'taskAssets.list': { respond: list },
    'taskAssets.attach': { respond: attach },
    'taskAssets.detach': { respond: detach },
  },
};
