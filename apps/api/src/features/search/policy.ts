import { searchPermissions, searchTypes, type Scope, type SearchType } from '@atelier/contract';
import { scopesOf, type MemberContext } from '../../kernel/context.ts';
import { reachOf } from '../../kernel/permissions.ts';

/** What a caller may find, and what may be shown of it. */
export interface Readable {
  readonly types: readonly SearchType[];
  readonly projects: boolean;
  readonly collections: boolean;
  readonly persons: boolean;
}

/** An API key finds only what its scopes let it read. A comment is shown with the title of its task. */
export function readableBy({
  role,
  credential,
}: Pick<MemberContext, 'role' | 'credential'>): Readable {
  const scopes = scopesOf(credential);
  const may = (type: SearchType) => {
    const permission = searchPermissions[type];
    const isInScope = scopes === null || scopes.some((scope: Scope) => scope === permission);
    return isInScope && reachOf(role, permission) !== 'none';
  };
  return {
    types: searchTypes.filter((type) => may(type) && (type !== 'comment' || may('task'))),
    projects: may('project'),
    collections: may('collection'),
    persons: may('person'),
  };
}
