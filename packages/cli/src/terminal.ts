import { text } from 'node:stream/consumers';

/** What the program reads and writes. */
export interface Terminal {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly stdin: NodeJS.ReadableStream & { readonly isTTY?: boolean };
  /** Results only, so that other programs can read them. */
  readonly stdout: NodeJS.WritableStream & { readonly isTTY?: boolean };
  /** Questions, progress and errors. */
  readonly stderr: NodeJS.WritableStream & { readonly isTTY?: boolean };
}

/** Returns a variable of the environment; undefined also if it is empty, as scripts leave it. */
export function variable(
  { environment }: Pick<Terminal, 'environment'>,
  name: string,
): string | undefined {
  return environment[name] || undefined;
}

/** Reads all of standard input. */
export function readInput({ stdin }: Pick<Terminal, 'stdin'>): Promise<string> {
  return text(stdin);
}

/** What a command prints: text for people, or JSON. */
export interface Result {
  readonly isJson: boolean;
  readonly data: unknown;
  readonly text: string;
}

/** Prints a result, JSON on one line. */
export function print(
  { stdout }: { readonly stdout: { write(lines: string): unknown } },
  { isJson, data, text }: Result,
): void {
  stdout.write(`${isJson ? jsonOf(data) : text}\n`);
}

/** Returns JSON in which what a terminal would take for a command is escaped, which JSON does for some of it only. */
export function jsonOf(data: unknown, indentation?: number): string {
  return JSON.stringify(data, null, indentation).replaceAll(
    /[\u007f-\u009f\u2028\u2029\p{Cf}]/gu,
    (character) => character.replaceAll(/[^]/g, escaped),
  );
}

function escaped(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/** Aligns rows in columns. */
export function table(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map((row) => printable(row[column] ?? '').length)),
  );
  return rows
    .map((row) =>
      row
        .map((cell, column) => printable(cell).padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

/** Removes what a terminal would take for a command: names come from other people. */
export function printable(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cf}]/gu, ' ');
}
