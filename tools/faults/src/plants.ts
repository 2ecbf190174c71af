import type { TransactionSql } from 'postgres';
import type { Surroundings } from './account.ts';
import type { WriteKind } from './journal.ts';
import type { Worker } from './load.ts';
import { lookAtEverything } from './round.ts';
import { toldBy, wantedBy, writesOf, type Write } from './writes.ts';

/** Something that was promised, undone behind everybody's back. */
interface Plant {
  readonly what: string;
  /** What the look afterwards has to name. */
  readonly finding: RegExp;
}

interface Ground {
  readonly surroundings: Surroundings;
  readonly sql: TransactionSql;
  /** An acknowledged write that nothing was planted in yet. */
  readonly take: (kind: WriteKind) => { marker: string; id: string };
}

/**
 * Breaks one promise of each kind, past all constraints, and looks whether that is found. What is there
 * is of no use afterwards.
 *
 * @returns how many were planted
 */
export async function plantAndLook(
  surroundings: Surroundings,
  workers: readonly Worker[],
): Promise<number> {
  const { stack, journal, findings } = surroundings;
  const take = takerFrom(writesOf(await journal.read()));
  const plants = await stack.sql.begin(async (sql) => {
    await sql`set local session_replication_role = replica`;
    const planted: Plant[] = [];
    for (const plant of everyPlant) planted.push(await plant({ surroundings, sql, take }));
    return planted;
  });
  await lookAtEverything(surroundings, workers, 0);
  const found = findings.take();
  for (const { what, finding } of plants) {
    if (!found.some((text) => finding.test(text))) findings.add(`${what} was not found`);
  }
  return plants.length;
}

const everyPlant: readonly ((ground: Ground) => Promise<Plant>)[] = [
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
    await sql`update projects set name = 'planted' where id = ${id}`;
    return { what: 'a project with another name', finding: about(marker, '.*planted') };
  },
  async ({ sql, take }) => {
    const { marker, id } = take('task');
    await sql`update tasks set status = 'CANCELLED', rank = rank || 'planted' where id = ${id}`;
    return { what: 'a task that nobody moved', finding: about(marker, 'is CANCELLED') };
  },
  async ({ sql, take }) => {
    const [{ marker, id }, other] = [take('upload'), take('upload')];
    await sql`update asset_versions set stored_object_id = (
      select stored_object_id from asset_versions where asset_id = ${other.id}) where asset_id = ${id}`;
    return { what: 'a file with another content', finding: about(marker, 'has another content') };
  },
  async ({ sql, take }) => {
    const { marker } = take('collection');
    await repeatCreation(sql, marker, marker);
    return { what: 'a write that happened twice', finding: about(marker, 'happened 2 times') };
  },
  async ({ surroundings: { journal }, sql, take }) => {
    const marker = 'planted without an answer';
    const line = { marker, kind: 'collection', account: 0 } as const;
    await journal.write({ ...line, state: 'begun' });
    await journal.write({ ...line, state: 'unknown' });
    const { marker: original } = take('collection');
    await repeatCreation(sql, original, marker);
    await repeatCreation(sql, original, marker);
    return {
      what: 'an unanswered write that happened twice',
      finding: /^planted without an answer happened 2 times instead of 0 to 1/,
    };
  },
  async ({ surroundings: { journal }, sql, take }) => {
    const marker = 'planted and refused';
    const line = { marker, kind: 'collection', account: 0 } as const;
    await journal.write({ ...line, state: 'begun' });
    await journal.write({ ...line, state: 'refused' });
    await repeatCreation(sql, take('collection').marker, marker);
    return {
      what: 'a refused write that happened',
      finding: /^planted and refused happened 1 times instead of 0 to 0/,
    };
  },
  async ({ surroundings: { journal } }) => {
    const marker = 'register planted';
    const line = { marker, kind: 'register', account: 0 } as const;
    await journal.write({ ...line, state: 'begun' });
    await journal.write({ ...line, state: 'acknowledged', told: { id: marker } });
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

/** Gives each write once; none that was changed later. */
function takerFrom(writes: readonly Write[]): Ground['take'] {
  const changed = new Set(writes.map((write) => wantedBy(write)?.id));
  const left = writes.filter((write) => {
    const told = toldBy(write);
    return told && !changed.has(told.id);
  });
  return (kind) => {
    const index = left.findIndex((write) => write.kind === kind);
    const [write] = index < 0 ? [] : left.splice(index, 1);
    const told = write && toldBy(write);
    if (!told) throw new Error(`there is no ${kind} to plant something in`);
    return { marker: write.marker, id: told.id };
  };
}
