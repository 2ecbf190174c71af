import { table } from './generated/routes.ts';
import type { OperationId } from './types.ts';

/** An operation as the route table has it. */
export interface Route {
  readonly id: OperationId;
  readonly group: string;
  readonly name: string;
  readonly method: string;
  readonly flags: string;
  readonly path: string;
}

/** Every operation by its id. */
export const routes: Readonly<Record<string, Route>> = Object.fromEntries(
  Object.entries(table).flatMap(([group, text]) => {
    const [start = '', ...rests] = text.split(',');
    return rests.flatMap((rest) => {
      const path = start + rest.replace(/ .*/, '');
      return Array.from(rest.matchAll(/ ([A-Z]+)(\w*) (\w+)/g), ([, method, flags, name]) => {
        const id = `${group}.${name}`;
        return [id, { id, group, name, method, flags, path } as Route];
      });
    });
  }),
);
