import Papa from 'papaparse';

/** Returns the text of a CSV file; no value begins like a formula of a spreadsheet. */
export function csvOf(rows: readonly (readonly string[])[]): string {
  // With a byte order mark, spreadsheets know that it is UTF-8.
  return `\uFEFF${Papa.unparse(
    rows.map((row) => [...row]),
    { escapeFormulae: true },
  )}\r\n`;
}

/** A row of a CSV file. */
export interface CsvRow {
  /** Where it begins in the file, from 1. */
  readonly line: number;
  readonly cells: readonly string[];
}

/** Returns the rows of a CSV file, without empty ones. Separators may be commas, semicolons or tabs. */
export function rowsIn(text: string): readonly CsvRow[] {
  const content = text.replace(/^\uFEFF/, '');
  // Empty rows would be taken for rows without the separator.
  const { meta } = Papa.parse(content, { skipEmptyLines: 'greedy', preview: 10 });
  let next = 1;
  return Papa.parse<string[]>(content, { delimiter: meta.delimiter })
    .data.map((cells) => {
      const line = next;
      next += cells.reduce((lines, cell) => lines + linesIn(cell) - 1, 1);
      return { line, cells };
    })
    .filter(({ cells }) => cells.some((cell) => cell.trim() !== ''));
}

function linesIn(cell: string): number {
  return cell.split(/\r\n|\r|\n/).length;
}
