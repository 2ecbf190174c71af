import type { ReactNode } from 'react';

const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const;

/** Such as “1.4 MB”; a kilobyte has 1000 bytes, as the file managers of most systems count. */
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

/** The size of a file, with its exact number of bytes on hover. */
export function ByteSize({ bytes }: { readonly bytes: number }): ReactNode {
  return (
    <span className="tabular-nums" title={`${bytes.toLocaleString('en')} bytes`}>
      {byteSize(bytes)}
    </span>
  );
}
