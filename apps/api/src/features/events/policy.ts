import type { Change } from '../../domain/activity-view/audience.ts';

const actions: ReadonlySet<Change['action']> = new Set([
  'organization.delete',
  // It may be the key policy.
  'organization.update',
  'service_account.update',
]);

/** Whether a change may revoke or alter the access of members. */
export function changesAccess({ action }: Pick<Change, 'action'>): boolean {
  return action.startsWith('member.') || actions.has(action);
}
