import { table } from './generated/routes.ts';
import type { OperationId } from './types.ts';

/** An operation as the route table has it. */
export interface Route {
  readonly id: OperationId;
  readonly group: string;
  readonly name: string;
  readonly method: string;
  /** The method, and small letters that the table explains. */
  readonly flags: string;
  readonly path: string;
}

type Texts = [string, string, ...string[]];

/** Every operation. */
export const routes: readonly Route[] = table.split(';').flatMap((text) => {
  const [group, start, ...rests] = text.split(',') as Texts;
  return rests.flatMap((rest) => {
    const [end, ...cells] = rest.split(' ') as Texts;
    return cells.map((cell) => {
      const [flags, name = end.replace(/.*\W/, '')] = cell.split('=') as [string, string?];
      const method = flags.replace(/[a-z]+/, '');
      return { id: `${group}.${name}`, group, name, method, flags, path: start + end } as Route;
    });
  });
});
