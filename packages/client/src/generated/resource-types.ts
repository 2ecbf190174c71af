// Made from @atelier/contract by scripts/generate.ts; change the contract, not this file.

import type { ResourceType } from './types.ts';

/** Every type of resource that an activity can be about. */
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
  'label',
];
