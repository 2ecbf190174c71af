import { stripVTControlCharacters } from 'node:util';

const warnLevel = 40;
const errorLevel = 50;

function textAt(value: unknown, name: string): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const found: unknown = Reflect.get(value, name);
  return typeof found === 'string' && found !== '' ? found : undefined;
}

function parseEntry(line: string): object | undefined {
  if (!line.startsWith('{')) return undefined;
  try {
    const parsed: unknown = JSON.parse(line);
    return typeof parsed === 'object' && parsed !== null ? parsed : undefined;
  } catch {
    return undefined;
  }
}

/** A log line as people read it: a structured one is cut down to its message and its error's. */
export function readableLine(line: string): string {
  const entry = parseEntry(line);
  if (entry === undefined) return stripVTControlCharacters(line);
  const error: unknown = Reflect.get(entry, 'err');
  const parts = [textAt(entry, 'msg'), textAt(error, 'message')].filter(
    (part) => part !== undefined,
  );
  return stripVTControlCharacters([...new Set(parts)].join(': ') || line);
}

/**
 * What the terminal is to show of a log line, or undefined for what belongs into the file only:
 * structured lines below a warning are quiet.
 */
export function lineWorthShowing(line: string): string | undefined {
  if (line.trim() === '') return undefined;
  const entry = parseEntry(line);
  if (entry === undefined) return readableLine(line);
  const level: unknown = Reflect.get(entry, 'level');
  if (typeof level !== 'number' || level < warnLevel) return undefined;
  return `${level < errorLevel ? 'warning' : 'error'}: ${readableLine(line)}`;
}
