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

/** Formats a log line for people: of a structured line, its message and that of its error. */
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
 * Formats a log line for the terminal; undefined for structured lines below a warning, which are only written to
 * the file.
 */
export function terminalLine(line: string): string | undefined {
  if (line.trim() === '') return undefined;
  const entry = parseEntry(line);
  if (entry === undefined) return readableLine(line);
  const level: unknown = Reflect.get(entry, 'level');
  if (typeof level !== 'number' || level < warnLevel) return undefined;
  return `${level < errorLevel ? 'warning' : 'error'}: ${readableLine(line)}`;
}
