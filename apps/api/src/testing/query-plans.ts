import { z } from 'zod';

/** A scan of a table in a plan. */
export interface Scan {
  readonly table: string;
  readonly kind: string;
  readonly index: string | null;
  /** Rows read per loop, on average, including filtered ones; null in a plan that was not executed. */
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

/** Returns the scans in the output of `explain (format json)`. */
export function scansOf(response: unknown): Scan[] {
  return scansIn(Explained.parse(response)[0]['QUERY PLAN'][0].Plan);
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
