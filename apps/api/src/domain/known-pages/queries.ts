import { sql } from 'drizzle-orm';
import type { Executor } from '../../db/executor.ts';
import { users } from '../../db/generated/schema.ts';
import { statement } from '../../db/session/statement.ts';
import { lastChangeIn, nextUnsettled, runOfServer } from '../../db/timeline.ts';
import type { PersonRow } from '../person-view/present.ts';
import { personJson } from '../person-view/queries.ts';

/** What decides whether a page is still what a list would show. */
export interface State {
  /** The server that numbers the transactions, since its start. */
  readonly run: string;
  /** The newest transaction that changed something in the organization; 0 without any. */
  readonly lastChange: bigint;
  /** All transactions before this one have ended: what is read from now on includes them. */
  readonly nextUnsettled: bigint;
  /** Those of the given people who still exist, by their ids in order. */
  readonly people: readonly PersonRow[];
}

const state = statement((db) =>
  db
    .select({
      run: runOfServer,
      lastChange: sql<string>`${lastChangeIn(sql.placeholder('organizationId'))}::text`,
      nextUnsettled: sql<string>`${nextUnsettled}::text`,
      people: sql<PersonRow[]>`(
        select coalesce(json_agg(${personJson} order by ${users.id}), '[]')
        from ${users} where ${users.id} = any(${sql.placeholder('personIds')}::uuid[])
      )`,
    })
    .from(sql`(values (1)) as once`),
);

/** Reads the state of an organization, and the people of a page as they are now. */
export async function stateOf(
  db: Executor,
  of: { readonly organizationId: string; readonly personIds: readonly string[] },
): Promise<State> {
  const [row] = await state(db, of);
  if (!row) throw new Error('a row without a table is always there');
  const { run, people } = row;
  return {
    run,
    people,
    lastChange: BigInt(row.lastChange),
    nextUnsettled: BigInt(row.nextUnsettled),
  };
}
