export interface SummaryLine {
  label: string;
  value: string;
}

/** Formats the addresses of a running stack. */
export function summary(lines: readonly SummaryLine[]): string {
  const width = Math.max(...lines.map(({ label }) => label.length));
  const rows = lines.map(({ label, value }) => `  ${label.padEnd(width)}  ${value}`);
  return ['', 'Atelier is ready.', '', ...rows, '', 'Ctrl-C stops everything.', ''].join('\n');
}

/** Removes the password from a connection URL, because others may see the terminal. */
export function withoutPassword(address: string): string {
  const url = URL.parse(address);
  if (url === null) return 'the configured one';
  url.password = '';
  return url.href;
}
