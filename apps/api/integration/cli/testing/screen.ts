import { PassThrough } from 'node:stream';

/** A terminal of some rows, without an end to the right. */
export interface Screen {
  readonly output: PassThrough & { readonly isTTY: true };
  /** The lines on it and above it, without spaces at their ends. */
  lines(): readonly string[];
}

/** Sequences with their number and name, ends of lines, and texts. */
// eslint-disable-next-line no-control-regex
const pieces = /\u001B\[\??(\d*)(\w)|\n|[^\n\u001B]+/g;

/** Shows what a terminal would: it knows the sequences that bars move the cursor and clear lines with. */
export function newScreen(height: number): Screen {
  const output = Object.assign(new PassThrough(), { isTTY: true as const });
  const rows = [''];
  let [row, column] = [0, 0];

  function moveTo(next: number): void {
    // Nothing above the first row of the screen can be reached.
    row = Math.max(next, rows.length - height, 0);
    while (rows.length <= row) rows.push('');
  }
  function write(text: string): void {
    const line = (rows[row] ?? '').padEnd(column);
    rows[row] = line.slice(0, column) + text + line.slice(column + text.length);
    column += text.length;
  }
  function control(count: number, name: string): void {
    if (name === 'A') moveTo(row - count);
    if (name === 'B') moveTo(Math.min(row + count, rows.length - 1));
    if (name === 'G') column = count - 1;
    if (name === 'J') rows.length = row + 1;
    if (name === 'J' || (name === 'K' && count === 0)) {
      rows[row] = (rows[row] ?? '').slice(0, column);
    }
    if (name === 'K' && count === 2) rows[row] = '';
  }
  output.on('data', (chunk: Buffer) => {
    for (const [text, count, name] of chunk.toString().matchAll(pieces)) {
      if (name !== undefined) control(Number(count), name);
      else if (text === '\n') {
        moveTo(row + 1);
        column = 0;
      } else write(text);
    }
  });
  return { output, lines: () => rows.map((line) => line.trimEnd()) };
}
