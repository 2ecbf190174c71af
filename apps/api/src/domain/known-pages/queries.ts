import { eq, sql } from 'drizzle-orm';
import type { Executor } from '../../db/executor.ts';
import { activities, users } from '../../db/generated/schema.ts';
import { coordinatorRead, preparedRead, statement } from '../../db/session/statement.ts';
import {
  lastChangeIn,
  nextUnsettled,
  runOfServer,
  settledSnapshot,
  startOfServer,
} from '../../db/timeline.ts';
import type { PersonRow } from '../person-view/present.ts';
import { personJson } from '../person-view/queries.ts';

/** What decides whether a page is still what a list would show. */
export interface State {
  /** The server that numbers the transactions, and the one that has the rows, since their starts. */
  readonly run: string;
  /** The newest transaction that changed something in the organization; 0 without any. */
  readonly lastChange: bigint;
  /** All transactions before this one have ended: what is read from now on includes them. */
  readonly nextUnsettled: bigint;
  /** Those of the given people who still exist, by their ids in order. */
  readonly people: readonly PersonRow[];
}

interface StateRequest {
  readonly organizationId: string;
  readonly personIds: readonly string[];
}

const peopleAsked = sql<PersonRow[]>`(
  select coalesce(json_agg(${personJson} order by ${users.id}), '[]')
  from ${users} where ${users.id} = any(${sql.placeholder('personIds')}::uuid[])
)`;

const state = statement((db) =>
  db
    .select({
      run: runOfServer,
      lastChange: sql<string>`${lastChangeIn(sql.placeholder('organizationId'))}::text`,
      nextUnsettled: sql<string>`${nextUnsettled}::text`,
      people: peopleAsked,
    })
    .from(sql`(values (1)) as once`),
);

/** Reads the state of an organization, and the people of a page as they are now, from one server. */
export async function stateOf(db: Executor, of: StateRequest): Promise<State> {
  const row = single(await state(db, { ...of }));
  const { run, people } = row;
  return {
    run,
    people,
    lastChange: BigInt(row.lastChange),
    nextUnsettled: BigInt(row.nextUnsettled),
  };
}

const settledState = coordinatorRead((db) =>
  db
    .select({
      run: runOfServer,
      nextUnsettled: sql<string>`pg_snapshot_xmin(${settledSnapshot(sql.placeholder('organizationId'))})::text`,
      people: peopleAsked,
    })
    .from(sql`(values (1)) as once`),
);

const changesOnItsServer = preparedRead((db) =>
  db
    .select({
      start: startOfServer,
      lastChange: sql<string>`coalesce(max(${activities.transactionId}), '0'::xid8)::text`,
    })
    .from(activities)
    .where(eq(activities.organizationId, sql.placeholder('organizationId'))),
);

/**
 * Reads the same of an organization whose rows are on another server than the one that numbers the transactions. What is
 * settled is visible to every later statement, so these may look at different times, in any order.
 */
export async function stateOfSeveral(db: Executor, of: StateRequest): Promise<State> {
  const [settled, changes] = await Promise.all([
    settledState(db, of).then(single),
    changesOnItsServer(db, of).then(single),
  ]);
  return {
    run: `${settled.run} ${changes.start}`,
    people: settled.people,
    lastChange: BigInt(changes.lastChange),
    nextUnsettled: BigInt(settled.nextUnsettled),
  };
}

function single<Row>([row]: readonly Row[]): Row {
  if (row === undefined) throw new Error('a row without a group is always there');
  return row;
}
