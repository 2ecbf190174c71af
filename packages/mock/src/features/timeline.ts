import type { Call, Feature } from '../state/model.ts';
import { isPrivate } from '../state/activities.ts';
import { textOf, type Fields, type Stored } from '../state/store.ts';

function isListed(activity: Stored, call: Call): boolean {
  const { operation, organization, caller, input } = call;
  const { organizationId, ownerId, fields } = activity;
  if (operation.id === 'timeline.mine') return ownerId === caller?.id;
  if (isPrivate(activity, call)) return false;
  if (organization && organizationId !== organization.id) return false;
  switch (operation.id) {
    case 'assets.logs':
      return fields['resourceType'] === 'asset' && fields['resourceId'] === input.params['id'];
    case 'assets.myLogs':
      return fields['resourceType'] === 'asset' && ownerId === caller?.id;
    case 'timeline.resource':
      return (
        fields['resourceType'] === input.params['type'] &&
        fields['resourceId'] === input.params['id']
      );
    default:
      return true;
  }
}

function summary(call: Call): unknown {
  const query = { ...call.input.query };
  const { from, to, actorId, resourceType } = query;
  const found = call.state.store
    .all('Activity')
    .filter((activity) => isListed(activity, call))
    .map(({ fields }) => fields)
    .filter(
      (fields) =>
        (resourceType === undefined || fields['resourceType'] === resourceType) &&
        (actorId === undefined || (fields['actor'] as Fields | null)?.['id'] === actorId) &&
        (from === undefined || textOf(fields, 'createdAt') >= textOf(query, 'from')) &&
        (to === undefined || textOf(fields, 'createdAt') < textOf(query, 'to')),
    );
  const days = countBy(found.map((fields) => textOf(fields, 'createdAt').slice(0, 10)));
  return {
    total: found.length,
    byAction: Object.fromEntries(countBy(found.map((fields) => textOf(fields, 'action')))),
    byDay: [...days.keys()].toSorted().map((day) => ({ day, count: days.get(day) })),
  };
}

function countBy(names: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
}

export const timeline: Feature = {
  operations: {
    'timeline.summary': { respond: summary },
    // An asset keeps its log while it can be restored.
    'assets.logs': { reachesBin: true },
  },
  kinds: { Activity: { isListed } },
};
