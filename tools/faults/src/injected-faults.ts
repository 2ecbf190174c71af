import type { TransactionSql } from 'postgres';
import type { Harness } from './account.ts';
import type { WriteKind } from './journal.ts';
import type { Worker } from './load.ts';
import { verifyAll } from './round.ts';
import { acknowledgedState, wantedState, writesOf, type Write } from './writes.ts';

/** A promise that was broken directly in the database or the journal. */
interface InjectedFault {
  readonly what: string;
  /** The finding that the checks have to report. */
  readonly finding: RegExp;
}

interface InjectionContext {
  readonly harness: Harness;
  readonly sql: TransactionSql;
  /** Returns an acknowledged write that no fault was injected into yet. */
  readonly take: (kind: WriteKind) => { marker: string; id: string };
}

/**
 * Breaks one promise of each kind, bypassing all constraints, and checks that each is found. The data is
 * useless afterwards.
 *
 * @returns how many faults were injected
 */
export async function injectAndVerify(
  harness: Harness,
  workers: readonly Worker[],
): Promise<number> {
  const { stack, journal, findings } = harness;
  const take = unusedWritesOf(writesOf(await journal.read()));
  const faults = await stack.sql.begin(async (sql) => {
    await sql`set local session_replication_role = replica`;
    const injected: InjectedFault[] = [];
    for (const inject of injections) injected.push(await inject({ harness, sql, take }));
    return injected;
  });
  await verifyAll(harness, workers, 0);
  const found = findings.take();
  for (const { what, finding } of faults) {
    if (!found.some((text) => finding.test(text))) findings.add(`${what} was not found`);
  }
  return faults.length;
}

const injections: readonly ((context: InjectionContext) => Promise<InjectedFault>)[] = [
  async ({ sql, take }) => {
    const { marker, id } = take('collection');
    await sql`delete from collections where id = ${id}`;
    return { what: 'a lost collection', finding: about(marker, "can't be read") };
  },
  async ({ sql, take }) => {
    const { marker, id } = take('comment');
    await sql`delete from comments where id = ${id}`;
    return { what: 'a lost comment', finding: about(marker, "can't be read") };
  },
  async ({ sql, take }) => {
    const { marker, id } = take('project');
    await sql`update projects set name = 'injected' where id = ${id}`;
    return { what: 'a project with another name', finding: about(marker, '.*injected') };
  },
  async ({ sql, take }) => {
    const { marker, id } = take('task');
    await sql`update tasks set status = 'CANCELLED', rank = rank || 'injected' where id = ${id}`;
    return { what: 'a task that was never moved', finding: about(marker, 'is CANCELLED') };
  },
  async ({ sql, take }) => {
    const { marker, id } = take('upload');
    // Of another organization: after a short run, its own may have no second one.
    await sql`update stored_objects set key = (
      select other.key from stored_objects other
      where other.organization_id <> stored_objects.organization_id limit 1
    ) where id in (select stored_object_id from asset_versions where asset_id = ${id})`;
    return { what: 'a file with another content', finding: about(marker, 'has other content') };
  },
  async ({ sql, take }) => {
    const { marker } = take('collection');
    await repeatCreation(sql, marker, marker);
    return { what: 'a write that happened twice', finding: about(marker, 'happened 2 times') };
  },
  async ({ harness: { journal }, sql, take }) => {
    const marker = 'injected without a response';
    const line = { marker, kind: 'collection', account: 0 } as const;
    await journal.write({ ...line, state: 'begun' });
    await journal.write({ ...line, state: 'unknown' });
    const { marker: original } = take('collection');
    await repeatCreation(sql, original, marker);
    await repeatCreation(sql, original, marker);
    return {
      what: 'a write without a response that happened twice',
      finding: /^injected without a response happened 2 times instead of 0 to 1/,
    };
  },
  async ({ harness: { journal }, sql, take }) => {
    const marker = 'injected and refused';
    const line = { marker, kind: 'collection', account: 0 } as const;
    await journal.write({ ...line, state: 'begun' });
    await journal.write({ ...line, state: 'refused' });
    await repeatCreation(sql, take('collection').marker, marker);
    return {
      what: 'a refused write that happened',
      finding: /^injected and refused happened 1 times instead of 0 to 0/,
    };
  },
  async ({ harness: { journal } }) => {
    const marker = 'register injected';
    const line = { marker, kind: 'register', account: 0 } as const;
    await journal.write({ ...line, state: 'begun' });
    await journal.write({ ...line, state: 'acknowledged', acknowledged: { id: marker } });
    return { what: 'an account without a mail', finding: about(marker, 'got no mail') };
  },
  async ({ sql }) => {
    await sql`update organization_usage set storage_bytes = storage_bytes + 1`;
    return { what: 'a byte too many', finding: /^verify: [^]*BROKEN {2}storage-usage/ };
  },
];

async function repeatCreation(sql: TransactionSql, original: string, marker: string) {
  await sql`insert into activities
    select (json_populate_record(activities, json_build_object(
      'id', gen_random_uuid(), 'request_id', gen_random_uuid(), 'resource_name', ${marker}::text))).*
    from activities where action = 'collection.create' and resource_name = ${original} limit 1`;
}

function about(marker: string, finding: string): RegExp {
  return new RegExp(`^${marker} ${finding}`);
}

/** Hands out each write once; skips writes that were changed later. */
function unusedWritesOf(writes: readonly Write[]): InjectionContext['take'] {
  const changed = new Set(writes.map((write) => wantedState(write)?.id));
  const left = writes.filter((write) => {
    const state = acknowledgedState(write);
    return state && !changed.has(state.id);
  });
  return (kind) => {
    const index = left.findIndex((write) => write.kind === kind);
    const [write] = index < 0 ? [] : left.splice(index, 1);
    const state = write && acknowledgedState(write);
    if (!state) throw new Error(`there is no ${kind} to inject a fault into`);
    return { marker: write.marker, id: state.id };
  };
}
