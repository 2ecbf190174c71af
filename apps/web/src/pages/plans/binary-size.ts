const units = ['bytes', 'KiB', 'MiB', 'GiB', 'TiB'] as const;

/**
 * Such as “10 GiB”. Plans are made in powers of two, so that this gives round limits; what is used of
 * them is shown in the same unit.
 */
export function binarySize(bytes: number): string {
  const power = bytes < 1 ? 0 : Math.min(units.length - 1, Math.floor(Math.log2(bytes) / 10));
  const value = bytes / 1024 ** power;
  const rounded = value.toLocaleString('en', {
    maximumFractionDigits: value < 100 && power > 0 ? 1 : 0,
  });
  return `${rounded} ${units[power] ?? 'bytes'}`;
}
