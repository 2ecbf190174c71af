import type { ActivityAction, ResourceType } from '@atelier/client';
import { texts } from '../texts/activity.ts';
import type { ActivitySearch } from './search.ts';

export function actionOf(value: unknown): ActivityAction | undefined {
  return isAction(value) ? value : undefined;
}

/** The actions on one kind of resource. */
export function actionsOf(type: ResourceType): readonly ActivityAction[] {
  return Object.keys(texts.sentences)
    .filter(isAction)
    .filter((action) => action.startsWith(`${type}.`));
}

function isAction(value: unknown): value is ActivityAction {
  return typeof value === 'string' && Object.hasOwn(texts.sentences, value);
}

/** The filters as the API takes them: known actions, and moments of which the end is not included. */
export function activityQuery({ type, action, from, to }: ActivitySearch) {
  const known = actionOf(action);
  return {
    ...(type && { resourceType: type }),
    ...(known && { action: known }),
    ...(from && { from: midnight(from, 0) }),
    ...(to && { to: midnight(to, 1) }),
  };
}

/** The beginning of a day in the reader's zone, some days later. */
function midnight(day: string, laterDays: number): string {
  const at = new Date(`${day}T00:00:00`);
  at.setDate(at.getDate() + laterDays);
  return at.toISOString();
}
