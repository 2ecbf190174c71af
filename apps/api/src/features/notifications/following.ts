import type { Deps } from '../../deps.ts';
import { mutate } from '../../domain/transaction.ts';
import type { MemberContext } from '../../kernel/context.ts';
import { Failure } from '../../kernel/errors.ts';
import { pageOf, rowWindowOf, type PageRequest } from '../../kernel/pagination.ts';
import { assertMayUse } from '../../kernel/permissions.ts';
import { pictureAddressesOf, shownPerson } from '../../domain/person-view/present.ts';
import { findFollowing, holdTask, listFollowers, setFollow } from './queries.ts';

/** Lets members follow tasks by hand, both ways. */
export function followingUseCases({
  db,
  clock,
  store,
  cursors,
}: Pick<Deps, 'db' | 'clock' | 'store' | 'cursors'>) {
  const keyOf = (taskId: string, { organization, user }: MemberContext) => ({
    organizationId: organization.id,
    taskId,
    userId: user.id,
  });

  return {
    /** @throws Failure `not_found` (404) */
    async find(taskId: string, ctx: MemberContext) {
      const following = await findFollowing(db, keyOf(taskId, ctx));
      if (!following) throw new Failure('not_found');
      return following;
    },

    /** @throws Failure `not_found` (404) */
    async list(taskId: string, request: PageRequest, ctx: MemberContext) {
      const key = keyOf(taskId, ctx);
      const list = `followers:${key.organizationId}:${taskId}`;
      const found = await listFollowers(db, key, rowWindowOf(request, { list, cursors }));
      if (!found) throw new Failure('not_found');
      const pictures = await pictureAddressesOf(store, found.rows);
      return pageOf(found, request, {
        list,
        cursors,
        present: (row) => shownPerson(row, pictures),
        positionOf: ({ id }) => ({ sortValue: id, id }),
      });
    },

    /** @throws Failure `not_found` (404) */
    async set(taskId: string, state: 'FOLLOWING' | 'MUTED', ctx: MemberContext) {
      return mutate({ db, clock, ctx }, async (tx, ctx) => {
        const key = keyOf(taskId, ctx);
        if (!(await holdTask(tx, key))) throw new Failure('not_found');
        assertMayUse(ctx, 'params.id');
        await setFollow(tx, { ...key, state });
        const following = await findFollowing(tx, key);
        if (!following) throw new Error('a task vanished under its lock');
        return following;
      });
    },
  };
}
