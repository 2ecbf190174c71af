import { makeZip } from 'client-zip';
import type { Database } from '../../db/executor.ts';
import { exportedTables } from './contents.ts';
import { exportedFiles, exportedRows, type AccountScope } from './queries.ts';

interface Archive {
  readonly scope: AccountScope;
  readonly exportedAt: Date;
  readonly signal: AbortSignal;
}

interface Entry {
  readonly name: string;
  readonly input: AsyncIterable<Uint8Array>;
}

const readme = `This is what Atelier keeps of you, as of the date of the files.

Each file that ends with .jsonl holds one kind of record, one JSON object in a line. A file without a line means that
there are none. Records of organizations are there for those that you were a member of at that date.

files.json names the files of your personal organization, with size and SHA-256 checksum. The command
"atelier export --files <directory>" downloads them.

Left out are secrets, such as your password and tokens, and what other people wrote.
`;

/** Yields the ZIP of an export. It reads one page of one table at a time. */
export async function* archiveOf(db: Database, archive: Archive): AsyncGenerator<Uint8Array> {
  const { exportedAt: lastModified, signal } = archive;
  async function* files() {
    for (const entry of entriesOf(db, archive)) {
      signal.throwIfAborted();
      yield { ...entry, lastModified };
    }
  }
  for await (const chunk of makeZip(files())) {
    signal.throwIfAborted();
    yield chunk;
  }
}

function entriesOf(db: Database, { scope }: Archive): readonly Entry[] {
  return [
    { name: 'README.txt', input: textOf([readme]) },
    ...exportedTables.map((table) => ({
      name: `${table.name}.jsonl`,
      input: jsonLines(exportedRows(db, table, scope)),
    })),
    { name: 'files.json', input: jsonArray(exportedFiles(db, scope)) },
  ];
}

async function* jsonLines(pages: AsyncIterable<readonly object[]>): AsyncGenerator<Uint8Array> {
  for await (const page of pages) {
    if (page.length > 0) yield Buffer.from(page.map((row) => `${JSON.stringify(row)}\n`).join(''));
  }
}

async function* jsonArray(pages: AsyncIterable<readonly object[]>): AsyncGenerator<Uint8Array> {
  let separator = '[';
  for await (const page of pages) {
    if (page.length === 0) continue;
    yield Buffer.from(`${separator}\n${page.map((row) => JSON.stringify(row)).join(',\n')}`);
    separator = ',';
  }
  yield Buffer.from(separator === '[' ? '[]\n' : '\n]\n');
}

async function* textOf(texts: readonly string[]): AsyncGenerator<Uint8Array> {
  for (const text of texts) yield Buffer.from(text);
}
