import type { Transaction } from '../../db/executor.ts';
import type { MemberContext } from '../../kernel/context.ts';
import { Failure } from '../../kernel/errors.ts';
import { reachOf } from '../../kernel/permissions.ts';
import { countAssetsOfOthers } from './queries.ts';

/**
 * Checks that the caller may delete, or restore, every asset in a collection.
 *
 * @param collection - locked; `deletedAt` null selects its live assets, otherwise those deleted along with it
 * @throws Failure `collection_has_others_assets` (409) with the number of the others
 * @see docs/decisions/0022-library-lists-and-bin.md
 */
export async function assertMayTakeAlong(
  tx: Transaction,
  collection: { organizationId: string; id: string; deletedAt: Date | null },
  { role, user }: MemberContext,
): Promise<void> {
  if (reachOf(role, 'asset:delete') === 'any') return;
  const count = await countAssetsOfOthers(tx, collection, user.id);
  if (count === 0) return;
  throw new Failure('collection_has_others_assets', {
    message: `The collection holds ${count} ${count === 1 ? 'asset' : 'assets'} of others, which you may not delete or restore`,
  });
}
