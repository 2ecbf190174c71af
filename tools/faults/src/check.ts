import { createHash } from 'node:crypto';
import type { Account, Product, Harness } from './account.ts';
import { listOf, type Outcome } from './requests.ts';
import type { WriteKind } from './journal.ts';
import { emailOf } from './load.ts';
import { operate } from './operator.ts';
import {
  isRefused,
  tallyOf,
  acknowledgedState,
  wantedState,
  writesOf,
  type Tally,
  type Write,
} from './writes.ts';

/**
 * Compares the writes of the journal with what can be read now.
 *
 * @param since - lines of the journal that were checked before; records that only they concern are skipped
 * @returns the outcomes of the writes in the lines after those
 */
export async function checkJournal(
  { stack, journal, findings }: Harness,
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
    (write) => recent.has(write.marker) || recent.has(acknowledgedState(write)?.id),
  );
  // Each account reads its own records, all at the same time.
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
  /** How many lines the whole journal has. */
  readonly lines: number;
}

/** Checks how often each write happened: with an unknown outcome at most once, when refused never. */
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
    const [least, most] = acknowledgedState(write) ? [1, 1] : [0, isRefused(write) ? 0 : 1];
    if (count < least || count > most) {
      report(`${write.marker} happened ${count} times instead of ${least} to ${most}`);
    }
  }
}

const readAttempts = 3;

/** Reads with retries: the fault may have broken an idle connection, and a 503 asks to try again. */
async function readWithRetries(account: Account, path: string): Promise<Outcome> {
  for (let attempt = 1; ; attempt += 1) {
    const outcome = await account.request({ method: 'GET', path });
    if (outcome.state !== 'unknown' || attempt === readAttempts) return outcome;
  }
}

interface Reading {
  readonly account: Account;
  readonly writes: readonly Write[];
  readonly report: (finding: string) => void;
}

async function checkReadable(write: Write, reading: Reading): Promise<void> {
  const state = acknowledgedState(write);
  if (!state) return;
  const { account, writes, report } = reading;
  const read = async (path: string) => {
    const outcome = await readWithRetries(account, path);
    if (outcome.state === 'acknowledged') return outcome.body;
    report(`${write.marker} can't be read: ${JSON.stringify(outcome)}`);
    return null;
  };
  switch (write.kind) {
    case 'collection': {
      const found = await read(`/api/collections/${state.id}`);
      const allowed = valuesOf(state.id, { kind: 'rename', original: write.marker, writes });
      if (found && !allowed.includes(String(found['title']))) {
        report(`${write.marker} is called ${String(found['title'])}, not ${allowed.join(' or ')}`);
      }
      return;
    }
    case 'project':
      expectField(write, { found: await read(`/api/projects/${state.id}`), field: 'name', report });
      return;
    case 'task': {
      const found = await read(`/api/tasks/${state.id}`);
      expectField(write, { found, field: 'title', report });
      const allowed = valuesOf(state.id, { kind: 'move', original: 'TODO', writes });
      if (found && !allowed.includes(String(found['status']))) {
        report(`${write.marker} is ${String(found['status'])}, not ${allowed.join(' or ')}`);
      }
      return;
    }
    case 'comment':
      return;
    case 'upload':
      await checkFile(write, { found: await read(`/api/assets/${state.id}`), read, report });
      return;
    case 'rename':
    case 'move':
    case 'refresh':
    case 'register':
      return;
  }
}

/**
 * Lists the values that a field may have: the last acknowledged one, and those of writes without a response,
 * which may have taken effect later than they were sent.
 *
 * @param original - the value at creation
 */
function valuesOf(
  id: string,
  { kind, original, writes }: { kind: WriteKind; original: string; writes: readonly Write[] },
): string[] {
  const changes = writes.filter((write) => write.kind === kind && wantedState(write)?.id === id);
  const last = changes.findLast((write) => acknowledgedState(write));
  const open = changes.filter(
    (write) => !acknowledgedState(write) && write.entries.some(({ state }) => state !== 'refused'),
  );
  return [
    wantedState(last)?.value ?? original,
    ...open.flatMap((write) => wantedState(write)?.value ?? []),
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
  const state = acknowledgedState(write);
  if (!state || !found) return;
  if (found['fileSize'] !== state.sizeBytes) report(`${write.marker} has another size`);
  const download = await read(`/api/assets/${state.id}/download`);
  if (!download) return;
  const response = await fetch(String(download['url']));
  const content = Buffer.from(await response.arrayBuffer());
  if (createHash('sha256').update(content).digest('hex') !== state.sha256) {
    report(`${write.marker} has other content (${response.status}, ${content.length} bytes)`);
  }
}

/** Checks comments by the lists of their tasks, each read once. */
async function checkComments(
  writes: readonly Write[],
  { account, report }: Omit<Reading, 'writes'>,
): Promise<void> {
  const acknowledged = writes.filter(
    (write) => write.kind === 'comment' && acknowledgedState(write),
  );
  for (const [taskId, comments] of Map.groupBy(
    acknowledged,
    (write) => acknowledgedState(write)?.parentId,
  )) {
    const bodies = new Set<unknown>();
    for (let page = 1; ; page += 1) {
      const path = `/api/tasks/${taskId}/comments?limit=100&page=${page}`;
      const outcome = await readWithRetries(account, path);
      if (outcome.state !== 'acknowledged') {
        report(`the comments of ${taskId} can't be read: ${JSON.stringify(outcome)}`);
        break;
      }
      const items = listOf(outcome.body['items']);
      for (const { body } of items) bodies.add(body);
      if (items.length < 100) break;
    }
    for (const { marker } of comments) {
      if (!bodies.has(marker)) report(`${marker} can't be read`);
    }
  }
}

/** Checks that every registered account got a mail, however long the mail server was down. */
export async function checkMails({ stack, journal, findings }: Harness): Promise<void> {
  const mails = await stack.mail.mails();
  const mailed = new Set(mails.flatMap(({ to }) => to.map(({ address }) => address)));
  for (const write of writesOf(await journal.read())) {
    if (write.kind !== 'register' || !acknowledgedState(write)) continue;
    if (!mailed.has(emailOf(write.marker))) findings.add(`${write.marker} got no mail`);
  }
}

/** Runs `pnpm operator verify`. @returns what is left for the janitor; null if the output doesn't say */
export async function verify({ stack, findings }: Harness): Promise<string | null> {
  const { exitCode, stdout, stderr } = await operate(stack, ['verify']);
  if (exitCode !== 0) {
    const lines = stdout.split('\n').filter((line) => /^(BROKEN| {10})/.test(line));
    findings.add(`verify: ${[...lines, stderr.trim()].join('\n    ')}`);
  }
  return /^Left for the janitor: (.*)$/m.exec(stdout)?.[1] ?? null;
}
