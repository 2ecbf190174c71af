import { createHash } from 'node:crypto';
import type { Account, Product, Surroundings } from './account.ts';
import { listOf, type Outcome } from './calls.ts';
import type { WriteKind } from './journal.ts';
import { emailOf } from './load.ts';
import { operate } from './operator.ts';
import {
  isRefused,
  tallyOf,
  toldBy,
  wantedBy,
  writesOf,
  type Tally,
  type Write,
} from './writes.ts';

/**
 * Holds the writes of the journal against what can be read now.
 *
 * @param since - lines of the journal that were looked at before; what they alone tell of is left out
 * @returns what came of the writes of the lines after those
 */
export async function checkJournal(
  { stack, journal, findings }: Surroundings,
  accounts: readonly Account[],
  since: number,
): Promise<JournalReport> {
  const entries = await journal.read();
  const writes = writesOf(entries);
  await checkCounts(stack, writes, findings.add);
  const recent = new Set(
    entries.slice(since).flatMap(({ marker, wanted }) => [marker, wanted?.id]),
  );
  const chosen = writes.filter(
    (write) => recent.has(write.marker) || recent.has(toldBy(write)?.id),
  );
  // Each account its own, all at once.
  await Promise.all(
    accounts.map(async (account) => {
      for (const write of chosen) {
        if (write.account !== account.number) continue;
        await checkReadable(write, { account, writes, report: findings.add });
      }
      const comments = chosen.filter((write) => write.account === account.number);
      await checkComments(comments, { account, report: findings.add });
    }),
  );
  return { lines: entries.length, ...tallyOf(writesOf(entries.slice(since))) };
}

export interface JournalReport extends Tally {
  /** Of the whole journal. */
  readonly lines: number;
}

/** An unknown outcome may have come about once; what was refused never. */
async function checkCounts(stack: Product, writes: Write[], report: (finding: string) => void) {
  const rows = await stack.sql<{ marker: string; count: number }[]>`
    select marker, count(*)::int as count from (
      select resource_name as marker from activities
      where action in ('collection.create', 'project.create', 'task.create', 'asset.create')
      union all select body from comments
      union all select email from users
      union all select changes -> 0 ->> 'to' from activities where action = 'collection.rename') as made
    group by marker`;
  const counts = new Map(rows.map(({ marker, count }) => [marker, count]));
  for (const write of writes) {
    if (write.kind === 'move' || write.kind === 'refresh') continue;
    const name = write.kind === 'register' ? emailOf(write.marker) : write.marker;
    const count = counts.get(name) ?? 0;
    const [least, most] = toldBy(write) ? [1, 1] : [0, isRefused(write) ? 0 : 1];
    if (count < least || count > most) {
      report(`${write.marker} happened ${count} times instead of ${least} to ${most}`);
    }
  }
}

const readAttempts = 3;

/** A connection that broke with the fault may only be found out by a read; a 503 says to try again. */
async function readAgain(account: Account, path: string): Promise<Outcome> {
  for (let attempt = 1; ; attempt += 1) {
    const answer = await account.call({ method: 'GET', path });
    if (answer.state !== 'unknown' || attempt === readAttempts) return answer;
  }
}

interface Reading {
  readonly account: Account;
  readonly writes: readonly Write[];
  readonly report: (finding: string) => void;
}

async function checkReadable(write: Write, reading: Reading): Promise<void> {
  const told = toldBy(write);
  if (!told) return;
  const { account, writes, report } = reading;
  const read = async (path: string) => {
    const answer = await readAgain(account, path);
    if (answer.state === 'acknowledged') return answer.body;
    report(`${write.marker} can't be read: ${JSON.stringify(answer)}`);
    return null;
  };
  switch (write.kind) {
    case 'collection': {
      const found = await read(`/api/collections/${told.id}`);
      const allowed = valuesOf(told.id, { kind: 'rename', original: write.marker, writes });
      if (found && !allowed.includes(String(found['title']))) {
        report(`${write.marker} is called ${String(found['title'])}, not ${allowed.join(' or ')}`);
      }
      return;
    }
    case 'project':
      expectField(write, { found: await read(`/api/projects/${told.id}`), field: 'name', report });
      return;
    case 'task': {
      const found = await read(`/api/tasks/${told.id}`);
      expectField(write, { found, field: 'title', report });
      const allowed = valuesOf(told.id, { kind: 'move', original: 'TODO', writes });
      if (found && !allowed.includes(String(found['status']))) {
        report(`${write.marker} is ${String(found['status'])}, not ${allowed.join(' or ')}`);
      }
      return;
    }
    case 'comment':
      return;
    case 'upload':
      await checkFile(write, { found: await read(`/api/assets/${told.id}`), read, report });
      return;
    case 'rename':
    case 'move':
    case 'refresh':
    case 'register':
      return;
  }
}

/**
 * What a field may be: what was acknowledged last, and whatever was not answered, which may have come
 * about later than it was asked for.
 *
 * @param original - what it was made with
 */
function valuesOf(
  id: string,
  { kind, original, writes }: { kind: WriteKind; original: string; writes: readonly Write[] },
): string[] {
  const changes = writes.filter((write) => write.kind === kind && wantedBy(write)?.id === id);
  const last = changes.findLast((write) => toldBy(write));
  const open = changes.filter(
    (write) => !toldBy(write) && write.entries.some(({ state }) => state !== 'refused'),
  );
  return [
    wantedBy(last)?.value ?? original,
    ...open.flatMap((write) => wantedBy(write)?.value ?? []),
  ];
}

function expectField(
  { marker }: Write,
  {
    found,
    field,
    report,
  }: { found: Record<string, unknown> | null; field: string; report: (finding: string) => void },
): void {
  if (found && found[field] !== marker)
    report(`${marker} has another ${field}: ${String(found[field])}`);
}

async function checkFile(
  write: Write,
  {
    found,
    read,
    report,
  }: {
    found: Record<string, unknown> | null;
    read: (path: string) => Promise<Record<string, unknown> | null>;
    report: (finding: string) => void;
  },
): Promise<void> {
  const told = toldBy(write);
  if (!told || !found) return;
  if (found['fileSize'] !== told.sizeBytes) report(`${write.marker} has another size`);
  const download = await read(`/api/assets/${told.id}/download`);
  if (!download) return;
  const response = await fetch(String(download['url']));
  const content = Buffer.from(await response.arrayBuffer());
  if (createHash('sha256').update(content).digest('hex') !== told.sha256) {
    report(`${write.marker} has another content (${response.status}, ${content.length} bytes)`);
  }
}

/** Comments are read by their tasks, each list once. */
async function checkComments(
  writes: readonly Write[],
  { account, report }: Omit<Reading, 'writes'>,
): Promise<void> {
  const told = writes.filter((write) => write.kind === 'comment' && toldBy(write));
  for (const [taskId, comments] of Map.groupBy(told, (write) => toldBy(write)?.parentId)) {
    const bodies = new Set<unknown>();
    for (let page = 1; ; page += 1) {
      const path = `/api/tasks/${taskId}/comments?limit=100&page=${page}`;
      const answer = await readAgain(account, path);
      if (answer.state !== 'acknowledged') {
        report(`the comments of ${taskId} can't be read: ${JSON.stringify(answer)}`);
        break;
      }
      const items = listOf(answer.body['items']);
      for (const { body } of items) bodies.add(body);
      if (items.length < 100) break;
    }
    for (const { marker } of comments) {
      if (!bodies.has(marker)) report(`${marker} can't be read`);
    }
  }
}

/** Who registered has got a mail, however long its server was away. */
export async function checkMails({ stack, journal, findings }: Surroundings): Promise<void> {
  const mails = await stack.mail.mails();
  const mailed = new Set(mails.flatMap(({ to }) => to.map(({ address }) => address)));
  for (const write of writesOf(await journal.read())) {
    if (write.kind !== 'register' || !toldBy(write)) continue;
    if (!mailed.has(emailOf(write.marker))) findings.add(`${write.marker} got no mail`);
  }
}

/** `pnpm operator verify`. @returns what is left for the janitor; null when that was not told */
export async function verify({ stack, findings }: Surroundings): Promise<string | null> {
  const { exitCode, stdout, stderr } = await operate(stack, ['verify']);
  if (exitCode !== 0) {
    const lines = stdout.split('\n').filter((line) => /^(BROKEN| {10})/.test(line));
    findings.add(`verify: ${[...lines, stderr.trim()].join('\n    ')}`);
  }
  return /^Left for the janitor: (.*)$/m.exec(stdout)?.[1] ?? null;
}
