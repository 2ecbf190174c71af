import type { Activity } from '@atelier/client';
import { texts } from '../texts/activity.ts';

interface ReadableChange {
  readonly label: string;
  readonly from: string;
  readonly to: string;
}

const fields: Readonly<Record<string, string | undefined>> = texts.fields;
const values: Readonly<Record<string, string | undefined>> = texts.values;
const maxCharacters = 80;

/** Returns the changes that people can read: known fields with neither ids nor lists as values. */
export function readableChanges(changes: Activity['changes']): readonly ReadableChange[] {
  return changes.flatMap(({ field, from, to }) => {
    const label = Object.hasOwn(fields, field) ? fields[field] : undefined;
    const [before, after] = [readable(from), readable(to)];
    if (!label || before === undefined || after === undefined) return [];
    return [{ label, from: before, to: after }];
  });
}

function isMissing(value: unknown): boolean {
  return value === null || value === undefined;
}

function readable(value: unknown): string | undefined {
  if (isMissing(value) || value === '') return texts.nothing;
  if (!['string', 'number', 'boolean'].includes(typeof value)) return undefined;
  const text = String(value);
  const known = Object.hasOwn(values, text) ? values[text] : undefined;
  return known ?? shortened(text);
}

function shortened(text: string): string {
  const characters = Array.from(text);
  return characters.length > maxCharacters
    ? `${characters.slice(0, maxCharacters).join('')}…`
    : text;
}
