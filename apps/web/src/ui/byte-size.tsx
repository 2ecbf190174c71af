import type { ReactNode } from 'react';

const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const;

/** Formats a size, such as “1.4 MB”. Decimal units, as browsers and file managers show them. */
export function byteSize(bytes: number): string {
  const power = bytes < 1 ? 0 : Math.min(units.length - 1, Math.floor(Math.log10(bytes) / 3));
  const value = bytes / 1000 ** power;
  return new Intl.NumberFormat('en', {
    style: 'unit',
    unit: units[power] ?? 'byte',
    unitDisplay: power === 0 ? 'long' : 'short',
    maximumFractionDigits: value < 100 && power > 0 ? 1 : 0,
  }).format(value);
}

/** Shows the size of a file, with the exact number of bytes on hover. */
export function ByteSize({ bytes }: { readonly bytes: number }): ReactNode {
  return (
    <span className="tabular-nums" title={`${bytes.toLocaleString('en')} bytes`}>
      {byteSize(bytes)}
    </span>
  );
}
