import { Failure } from '../../kernel/errors.ts';

/**
 * Checks the confirmation of an organization's deletion.
 *
 * @throws Failure `personal_organization` (409), `confirmation_mismatch` (400) unless the name is exact
 */
export function assertMayDelete(
  organization: { readonly type: 'PERSONAL' | 'TEAM'; readonly name: string },
  confirmedName: string,
): void {
  if (organization.type === 'PERSONAL') throw new Failure('personal_organization');
  if (confirmedName !== organization.name) throw new Failure('confirmation_mismatch');
}
