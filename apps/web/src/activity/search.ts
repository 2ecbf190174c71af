import type { ResourceType } from '@atelier/client';

/** What narrows a list of activities, as it stands in the address. */
export interface ActivitySearch {
  readonly type?: ResourceType | undefined;
  /** An action on that kind, as far as the address can tell. */
  readonly action?: string | undefined;
  /** Days of the reader's zone, such as “2026-11-21”; both are included. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

export const resourceTypes: readonly ResourceType[] = [
  'user',
  'organization',
  'member',
  'invitation',
  'collection',
  'asset',
  'upload',
  'project',
  'task',
  'comment',
];

export function resourceTypeOf(value: unknown): ResourceType | undefined {
  return resourceTypes.find((one) => one === value);
}

export function activitySearch(search: Record<string, unknown>): ActivitySearch {
  const type = resourceTypeOf(search['type']);
  const { action } = search;
  const [from, to] = [dayOf(search['from']), dayOf(search['to'])];
  return {
    ...(type && { type }),
    // One of another kind would match nothing.
    ...(typeof action === 'string' && type && action.startsWith(`${type}.`) && { action }),
    ...(from && { from }),
    ...(to && { to }),
  };
}

function dayOf(value: unknown): string | undefined {
  const isDay = typeof value === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(value);
  return isDay && !Number.isNaN(Date.parse(value)) ? value : undefined;
}
