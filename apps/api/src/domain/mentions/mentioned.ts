import { mayMention, newlyMentioned } from '@atelier/contract';
import type { Transaction } from '../../db/executor.ts';
import type { MemberContext } from '../../kernel/context.ts';
import { displayNameOf } from '../person-view/present-user.ts';
import { listMentionable } from './queries.ts';

/**
 * Finds the members whom a text newly mentions, except its author.
 *
 * @param bodies - `before` is empty for a new text
 * @returns their ids
 */
export async function mentionedBy(
  tx: Transaction,
  bodies: { readonly before: string; readonly after: string },
  ctx: MemberContext,
): Promise<string[]> {
  if (!mayMention(bodies.after)) return [];
  const members = await listMentionable(tx, ctx.organization.id);
  const people = members
    .filter(({ id }) => id !== ctx.user.id)
    .map((member) => ({ ...member, displayName: displayNameOf(member) }));
  return newlyMentioned(bodies, people);
}
