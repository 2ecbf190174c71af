import type { ActivityAction, ResourceType } from '@atelier/client';
import { texts } from '../texts/activity.ts';
import type { ActivitySearch } from './search.ts';

export function actionOf(value: unknown): ActivityAction | undefined {
  return isAction(value) ? value : undefined;
}

/** Lists the actions on one type of resource. */
export function actionsOf(type: ResourceType): readonly ActivityAction[] {
  return Object.keys(texts.actions)
    .filter(isAction)
    .filter((action) => action.startsWith(`${type}.`));
}

function isAction(value: unknown): value is ActivityAction {
  return typeof value === 'string' && Object.hasOwn(texts.actions, value);
}

/** Converts the filters to the API's query: known actions, and timestamps with an exclusive end. */
export function activityQuery({ type, action, person, from, to }: ActivitySearch) {
  const known = actionOf(action);
  return {
    ...(type && { resourceType: type }),
    ...(known && { action: known }),
    ...(person && { actorId: person }),
    ...(from && { from: midnight(from, 0) }),
    ...(to && { to: midnight(to, 1) }),
  };
}

/** Returns the start of a day in the user's time zone, moved by a number of days. */
function midnight(day: string, addedDays: number): string {
  const at = new Date(`${day}T00:00:00`);
  at.setDate(at.getDate() + addedDays);
  return at.toISOString();
}
