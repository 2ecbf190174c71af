import { open, readFile } from 'node:fs/promises';

/** A line of the journal: a write that begins, or its outcome. */
export interface Entry {
  /** Identifies the write. */
  readonly marker: string;
  readonly kind: WriteKind;
  readonly state: 'begun' | 'acknowledged' | 'refused' | 'unknown';
  /** The number of the account. */
  readonly account: number;
  /** The state that a change should lead to; in the line that begins it. */
  readonly wanted?: RecordState;
  /** The state that the response acknowledged; it has to be found again. */
  readonly acknowledged?: RecordState;
}

export const writeKinds = [
  'register',
  'collection',
  'rename',
  'project',
  'task',
  'move',
  'comment',
  'upload',
  'refresh',
] as const;
export type WriteKind = (typeof writeKinds)[number];

export interface RecordState {
  readonly id: string;
  /** The id of the parent record. */
  readonly parentId?: string;
  /** The value of a field that may change later. */
  readonly value?: string;
  /** SHA-256 of a file's content, in hexadecimal. */
  readonly sha256?: string;
  readonly sizeBytes?: number;
}

export interface Journal {
  /** Resolves when the line is durable. */
  write(entry: Entry): Promise<void>;
  /** Reads every line of the file. */
  read(): Promise<Entry[]>;
  close(): Promise<void>;
}

export async function openJournal(file: string): Promise<Journal> {
  const handle = await open(file, 'a');
  let waiting: string[] = [];
  let syncing = Promise.resolve();

  /** Writes the waiting lines as one batch after the current one. */
  function nextBatch(): Promise<void> {
    if (waiting.length > 1) return syncing;
    syncing = syncing.then(async () => {
      const lines = waiting;
      waiting = [];
      await handle.appendFile(lines.join(''));
      await handle.datasync();
    });
    return syncing;
  }

  return {
    async write(entry) {
      waiting.push(`${JSON.stringify(entry)}\n`);
      const written = nextBatch();
      // A write that only begins is promised to no client.
      if (entry.state !== 'begun') await written;
    },
    async read() {
      await syncing;
      const lines = (await readFile(file, 'utf8')).split('\n').filter((line) => line !== '');
      // The lines are those written above.
      return lines.map((line) => JSON.parse(line) as Entry);
    },
    async close() {
      await syncing;
      await handle.close();
    },
  };
}
