import type { Change } from '../../domain/activity-view/audience.ts';

/** Whether a change may revoke or alter the access of members. */
export function changesAccess({ action }: Pick<Change, 'action'>): boolean {
  return action.startsWith('member.') || action === 'organization.delete';
}
