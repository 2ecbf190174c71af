import Papa from 'papaparse';

/** Returns the text of a CSV file; no value begins like a formula of a spreadsheet. */
export function csvOf(rows: readonly (readonly string[])[]): string {
  // With a byte order mark, spreadsheets know that it is UTF-8.
  return `\uFEFF${Papa.unparse(
    rows.map((row) => [...row]),
    { escapeFormulae: true },
  )}\r\n`;
}

/** Returns the rows of a CSV file, without empty ones. Separators may be commas, semicolons or tabs. */
export function rowsIn(text: string): readonly (readonly string[])[] {
  return Papa.parse<string[]>(text.replace(/^\uFEFF/, ''), { skipEmptyLines: 'greedy' }).data;
}
