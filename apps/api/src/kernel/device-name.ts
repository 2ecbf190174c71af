import Bowser from 'bowser';

const unknownDevice = 'Unknown device';
const maxNameLength = 60;

/** Formats a `User-Agent` for people: `Firefox on Linux`, or just the name of the program. */
export function deviceNameOf(userAgent: string | null): string {
  if (!userAgent) return unknownDevice;
  const { browser, os } = Bowser.parse(userAgent);
  const product = browser.name || /^[^\s/(]+/.exec(userAgent)?.[0];
  // Also printed on terminals, which interpret control characters.
  const name = [product, os.name].filter(Boolean).join(' on ').replaceAll(/\p{C}/gu, '');
  return name.slice(0, maxNameLength) || unknownDevice;
}
