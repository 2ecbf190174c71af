import type { Change } from '../../domain/activity-view/audience.ts';

/** Whether a change may end or alter what members see from then on. */
export function changesAccess({ action }: Pick<Change, 'action'>): boolean {
  return action.startsWith('member.') || action === 'organization.delete';
}
