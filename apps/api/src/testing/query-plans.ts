import { z } from 'zod';

/** One way that a plan reads a table. */
export interface Scan {
  readonly table: string;
  readonly kind: string;
  readonly index: string | null;
  /** Rows that it looked at each time, on average, those that it threw away too; null in a plan that was not run. */
  readonly rowsRead: number | null;
}

const Node = z.object({
  'Node Type': z.string(),
  'Relation Name': z.string().optional(),
  'Index Name': z.string().optional(),
  'Actual Rows': z.number().optional(),
  'Actual Loops': z.number().optional(),
  'Rows Removed by Filter': z.number().optional(),
  'Rows Removed by Index Recheck': z.number().optional(),
  get Plans() {
    return z.array(Node).optional();
  },
});
type Node = z.infer<typeof Node>;

const Explained = z.tuple([z.object({ 'QUERY PLAN': z.tuple([z.object({ Plan: Node })]) })]);

/** The scans of what `explain (format json)` answers. */
export function scansOf(answer: unknown): Scan[] {
  return scansIn(Explained.parse(answer)[0]['QUERY PLAN'][0].Plan);
}

function scansIn(node: Node): Scan[] {
  const table = node['Relation Name'];
  const kind = node['Node Type'];
  const inner = (node.Plans ?? []).flatMap(scansIn);
  // An insert, update or delete names its table as well.
  if (table === undefined || !kind.endsWith('Scan')) return inner;
  const perLoop = [
    node['Actual Rows'],
    node['Rows Removed by Filter'],
    node['Rows Removed by Index Recheck'],
  ];
  const wasRun = node['Actual Loops'] !== undefined;
  const rowsRead = wasRun ? perLoop.reduce<number>((sum, rows) => sum + (rows ?? 0), 0) : null;
  return [...inner, { table, kind, index: node['Index Name'] ?? null, rowsRead }];
}
