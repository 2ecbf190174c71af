import type { ResourceType } from '@atelier/client';
import { resourceTypes } from '@atelier/client/resources';

/** Filters of a list of activities, as the URL holds them. */
export interface ActivitySearch {
  readonly type?: ResourceType | undefined;
  /** Begins with the resource type; not checked against the known actions. */
  readonly action?: string | undefined;
  /** Id of the person who did it. */
  readonly person?: string | undefined;
  /** Days in the user's time zone, such as “2026-11-21”; both are inclusive. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

export function resourceTypeOf(value: unknown): ResourceType | undefined {
  return resourceTypes.find((one) => one === value);
}

export function activitySearch(search: Record<string, unknown>): ActivitySearch {
  const type = resourceTypeOf(search['type']);
  const { action, person } = search;
  const [from, to] = [dayOf(search['from']), dayOf(search['to'])];
  return {
    ...(type && { type }),
    // An action on another resource type would match nothing.
    ...(typeof action === 'string' && type && action.startsWith(`${type}.`) && { action }),
    ...(typeof person === 'string' && isId(person) && { person }),
    ...(from && { from }),
    ...(to && { to }),
  };
}

const isId = (value: string): boolean => /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(value);

function dayOf(value: unknown): string | undefined {
  const isDay = typeof value === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(value);
  return isDay && !Number.isNaN(Date.parse(value)) ? value : undefined;
}
