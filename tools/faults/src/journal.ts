import { open, readFile } from 'node:fs/promises';

/** What a line of the journal is about: a write that was begun, or what became of it. */
export interface Entry {
  /** The write, unlike any other. */
  readonly marker: string;
  readonly kind: WriteKind;
  readonly state: 'begun' | 'acknowledged' | 'refused' | 'unknown';
  /** Whose. */
  readonly account: number;
  /** What a change is to make of what, when it is begun. */
  readonly wanted?: Told;
  /** What an acknowledgement told, and what has to be found again. */
  readonly told?: Told;
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

export interface Told {
  readonly id: string;
  /** Of what it belongs to. */
  readonly parentId?: string;
  /** What it is, where it may change later. */
  readonly value?: string;
  /** SHA-256 of a file's content, in hexadecimal. */
  readonly sha256?: string;
  readonly sizeBytes?: number;
}

export interface Journal {
  /** Resolves when the line would outlive a power cut. */
  write(entry: Entry): Promise<void>;
  /** Every line, as it is in the file. */
  read(): Promise<Entry[]>;
  close(): Promise<void>;
}

export async function openJournal(file: string): Promise<Journal> {
  const handle = await open(file, 'a');
  let waiting: string[] = [];
  let syncing = Promise.resolve();

  /** Lines that come while others are written share the next turn. */
  function nextTurn(): Promise<void> {
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
      const written = nextTurn();
      // What was only begun, nobody was promised.
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
