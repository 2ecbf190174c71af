export interface SummaryLine {
  label: string;
  value: string;
}

/** What a start tells about a running stack. */
export interface Summary {
  addresses: readonly SummaryLine[];
  /** A sentence for each preferred port that another program had. */
  takenPorts: readonly string[];
  /** What to do first. */
  next: string;
}

/** Formats the addresses of a running stack. */
export function summary({ addresses, takenPorts, next }: Summary): string {
  const width = Math.max(...addresses.map(({ label }) => label.length));
  const rows = addresses.map(({ label, value }) => `  ${label.padEnd(width)}  ${value}`);
  const blocks = ['Atelier is ready.', rows.join('\n'), takenPorts.join('\n')];
  const last = `${next}\nCtrl-C stops everything.`;
  return `\n${[...blocks.filter(Boolean), last].join('\n\n')}\n`;
}

/** Tells of a preferred port that an address didn't get; null if it got it. */
export function takenPort(preferred: number, address: string): string | null {
  const port = URL.parse(address)?.port ?? '';
  if (port === '' || port === String(preferred)) return null;
  return `Port ${preferred} was taken by another program: ${address} is used.`;
}

/** Removes the password from a connection URL, because others may see the terminal. */
export function withoutPassword(address: string): string {
  const url = URL.parse(address);
  if (url === null) return 'the configured one';
  url.password = '';
  return url.href;
}
