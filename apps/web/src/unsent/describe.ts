import { queryClient } from '../session/query-client.ts';
import { texts, type ChangeName } from '../texts/unsent-changes.ts';
import { itemsOf } from './declare.ts';
import type { PendingChange } from './pending.ts';

const { kinds } = texts;
/** Fields by which people know an item. */
const nameFields = ['title', 'name', 'assetName', 'body'];
const maxLength = 60;

/** Says what a change does, such as “Move “Paint the boat””. */
export function describe({ name, variables }: Pick<PendingChange, 'name' | 'variables'>): string {
  const [id] = itemsOf(name, variables);
  const found = nameIn(variables.input) ?? (id === undefined ? undefined : nameOf(id));
  const item = found === undefined ? texts.something : texts.quoted(shortened(found));
  return isKind(name) ? kinds[name](item) : item;
}

function isKind(name: string): name is ChangeName {
  return name in kinds;
}

function shortened(name: string): string {
  return name.length <= maxLength ? name : `${name.slice(0, maxLength).trimEnd()}…`;
}

/** Returns the name in the input of a change that makes an item, or changes its name. */
function nameIn(input: unknown): string | undefined {
  if (!isObject(input)) return undefined;
  return ownName(input) ?? nameIn(input['comment'] ?? input['asset']);
}

/** Returns the name of an item that any query has. */
function nameOf(id: string): string | undefined {
  for (const query of queryClient.getQueryCache().getAll()) {
    const item = itemIn(query.state.data, id);
    if (item) return ownName(item);
  }
  return undefined;
}

function itemIn(data: unknown, id: string): Record<string, unknown> | undefined {
  if (Array.isArray(data)) {
    for (const one of data) {
      const found = itemIn(one, id);
      if (found) return found;
    }
    return undefined;
  }
  if (!isObject(data)) return undefined;
  if (data['id'] === id && ownName(data) !== undefined) return data;
  return itemIn(data['items'] ?? data['pages'], id);
}

function ownName(item: Readonly<Record<string, unknown>>): string | undefined {
  const name = nameFields.map((field) => item[field]).find((value) => typeof value === 'string');
  return typeof name === 'string' ? name : undefined;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
