import Bowser from 'bowser';

const unknownDevice = 'Unknown device';
const maxNameLength = 60;

/** What a `User-Agent` calls itself, for people: `Firefox on Linux`, or the program's name alone. */
export function deviceNameOf(userAgent: string | null): string {
  if (!userAgent) return unknownDevice;
  const { browser, os } = Bowser.parse(userAgent);
  const product = browser.name || /^[^\s/(]+/.exec(userAgent)?.[0];
  // Also printed on terminals, which obey control characters.
  const name = [product, os.name].filter(Boolean).join(' on ').replaceAll(/\p{C}/gu, '');
  return name.slice(0, maxNameLength) || unknownDevice;
}
