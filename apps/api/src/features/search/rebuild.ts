import type { Deps } from '../../deps.ts';
import { enqueueJobOf } from '../../domain/job-queue.ts';
import { firstPiece } from '../../domain/search-index/index-resources.ts';
import { mutate } from '../../domain/transaction.ts';
import type { MemberContext } from '../../kernel/context.ts';

/** Builds the index of an organization anew. Nothing that is shown changes, so it leaves no activity. */
export function rebuildUseCases({ db, clock }: Deps) {
  return {
    async rebuild(ctx: MemberContext): Promise<{ startedAt: string }> {
      return mutate({ db, clock, ctx }, async (tx) => {
        const { id: organizationId } = ctx.organization;
        const payload = firstPiece(organizationId);
        await enqueueJobOf(tx, organizationId, { name: 'index_search', payload });
        return { startedAt: clock.now().toISOString() };
      });
    },
  };
}
