/** Characters that Windows refuses in names, or that lead out of a folder. */
// eslint-disable-next-line no-control-regex -- control characters are among them
const refused = /[\u0000-\u001f<>:"/\\|?*]/g;

/** Makes a text usable as a name of a file on every system. */
export function safeFileName(name: string): string {
  const safe = name.replaceAll(refused, '_').replace(/[. ]+$/, '');
  return safe === '' ? '_' : safe;
}

/** Returns a function that names the files of a ZIP: equal names get ` (2)`, ` (3)` … before their extension. */
export function entryNames(): (name: string) => string {
  const used = new Set<string>();
  const lastNumbers = new Map<string, number>();
  return (name) => {
    const safe = safeFileName(name);
    const [, stem = safe, extension = ''] = /^(.+?)((?:\.tar)?\.\w{1,10})$/s.exec(safe) ?? [];
    let number = lastNumbers.get(keyOf(safe)) ?? 1;
    let free = number === 1 ? safe : `${stem} (${number})${extension}`;
    while (used.has(keyOf(free))) {
      number += 1;
      free = `${stem} (${number})${extension}`;
    }
    lastNumbers.set(keyOf(safe), number);
    used.add(keyOf(free));
    return free;
  };
}

/** Most file systems take names for equal that differ in case or in how an accent is written. */
function keyOf(name: string): string {
  return name.normalize('NFC').toLowerCase();
}
