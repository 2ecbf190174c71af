// Made from @atelier/contract by scripts/generate.ts; change the contract, not this file.

import type { ResourceType } from './types.ts';

/** Every type of resource that an activity can be about. */
export const resourceTypes: readonly ResourceType[] = [
  'user',
  'api_key',
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
  'webhook',
  'service_account',
  'asset_comment',
  'share',
  'approval',
];
