/**
 * Characters that Windows refuses in names, that lead out of a folder, or that are invisible, such as those that reverse the
 * direction. Words of some scripts and combined emojis need the two joiners.
 */
const refused = /[\p{Cc}<>:"/\\|?*]|(?![\u200c\u200d])\p{Cf}/gu;
/** Windows ignores them. */
const ignoredEnd = /[. ]+$/;
/** Windows opens a device in their place, whatever extension they have. */
const devices = /^(?:aux|con|nul|prn|conin\$|conout\$|(?:com|lpt)[\d¹²³])(?= *(?:\.|$))/i;
/** File systems allow 255 bytes; the rest is for what a caller adds. */
const maxBytes = 200;

/** Makes a text usable as a name of a file on every system. */
export function safeFileName(name: string): string {
  const [stem, extension] = parts(name.replaceAll(refused, '_').replace(ignoredEnd, ''));
  const safe = fitted(stem, extension).replace(ignoredEnd, '').replace(devices, '_$&');
  return safe === '' ? '_' : safe;
}

/** Returns a function that names the files of a ZIP: equal names get ` (2)`, ` (3)` … before their extension. */
export function entryNames(): (name: string) => string {
  const used = new Set<string>();
  const lastNumbers = new Map<string, number>();
  return (name) => {
    const safe = safeFileName(name);
    const [stem, extension] = parts(safe);
    const numbered = () => fitted(stem, ` (${number})${extension}`);
    let number = lastNumbers.get(keyOf(safe)) ?? 1;
    let free = number === 1 ? safe : numbered();
    while (used.has(keyOf(free))) {
      number += 1;
      free = numbered();
    }
    lastNumbers.set(keyOf(safe), number);
    used.add(keyOf(free));
    return free;
  };
}

/** Splits a name before its extension, which is ASCII. */
function parts(name: string): [stem: string, extension: string] {
  const [, stem = name, extension = ''] = /^(.+?)((?:\.tar)?\.\w{1,10})$/s.exec(name) ?? [];
  return [stem, extension];
}

/** Joins a stem and an ASCII ending. Cuts the stem if the name would be too long. */
function fitted(stem: string, ending: string): string {
  const space = new Uint8Array(maxBytes - ending.length);
  return stem.slice(0, new TextEncoder().encodeInto(stem, space).read) + ending;
}

/** Most file systems take names for equal that differ in case or in how an accent is written. */
function keyOf(name: string): string {
  return name.normalize('NFC').toLowerCase();
}
