export interface SummaryLine {
  label: string;
  value: string;
}

/** The block that tells where everything is. */
export function summary(lines: readonly SummaryLine[]): string {
  const width = Math.max(...lines.map(({ label }) => label.length));
  const rows = lines.map(({ label, value }) => `  ${label.padEnd(width)}  ${value}`);
  return ['', 'Atelier is ready.', '', ...rows, '', 'Ctrl-C stops everything.', ''].join('\n');
}

/** A connection address without its password, for a terminal that others may look at. */
export function withoutPassword(address: string): string {
  const url = URL.parse(address);
  if (url === null) return 'the one that was given';
  url.password = '';
  return url.href;
}
