import { parse } from 'libpg-query';

/** A node of a parsed statement; the parser wraps each in its own name. */
type Node = Readonly<Record<string, unknown>>;

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null;

/** What a node says under a name, when that is a node too. */
function within(node: unknown, name: string): Node | null {
  const value = isNode(node) ? node[name] : undefined;
  return isNode(value) ? value : null;
}

function listIn(node: Node, name: string): unknown[] {
  const value = node[name];
  return Array.isArray(value) ? value : [];
}

/** A table that a level of a statement names, and under which name. */
interface NamedTable {
  readonly table: string;
  readonly alias: string;
}

/**
 * Tables of organizations that a statement reads, changes or deletes from without naming the organization.
 * Each level is looked at by itself: what holds outside of a subquery has to be said in it again.
 *
 * @param tenantTables - tables with an `organization_id`
 * @returns the tables, once for each time
 */
export async function unboundTables(
  statement: string,
  tenantTables: ReadonlySet<string>,
): Promise<string[]> {
  const parsed: unknown = await parse(statement);
  const found: string[] = [];
  visit(parsed, (level) => {
    const { tables, conditions } = level;
    for (const named of tables.filter(({ table }) => tenantTables.has(table))) {
      const isAlone = tables.length === 1;
      if (!conditions.some((condition) => binds(condition, named.alias, isAlone))) {
        found.push(named.table);
      }
    }
  });
  return found;
}

interface Level {
  readonly tables: readonly NamedTable[];
  /** All of them hold. */
  readonly conditions: readonly unknown[];
}

/** Calls back for each select, update and delete, the inner ones too. */
function visit(value: unknown, onLevel: (level: Level) => void): void {
  if (Array.isArray(value)) {
    for (const item of value) visit(item, onLevel);
    return;
  }
  if (!isNode(value)) return;
  for (const [name, child] of Object.entries(value)) {
    if (isNode(child)) {
      if (name === 'SelectStmt') onLevel(levelOf(listIn(child, 'fromClause'), child));
      if (name === 'UpdateStmt') onLevel(levelOf([...target(child), ...listIn(child, 'fromClause')], child));
      if (name === 'DeleteStmt') onLevel(levelOf([...target(child), ...listIn(child, 'usingClause')], child));
    }
    visit(child, onLevel);
  }
}

const target = (statement: Node) => [{ RangeVar: statement['relation'] }];

function levelOf(sources: readonly unknown[], statement: Node): Level {
  const tables: NamedTable[] = [];
  const conditions: unknown[] = [...conjunctsOf(statement['whereClause'])];
  const add = (source: unknown): void => {
    const range = within(source, 'RangeVar');
    const join = within(source, 'JoinExpr');
    if (range) {
      const table = String(range['relname']);
      tables.push({ table, alias: String(within(range, 'alias')?.['aliasname'] ?? table) });
    }
    if (join) {
      add(join['larg']);
      add(join['rarg']);
      conditions.push(...conjunctsOf(join['quals']));
    }
  };
  for (const source of sources) add(source);
  return { tables, conditions };
}

function conjunctsOf(condition: unknown): unknown[] {
  const all = within(condition, 'BoolExpr');
  if (all?.['boolop'] === 'AND_EXPR') return listIn(all, 'args').flatMap(conjunctsOf);
  return condition === undefined ? [] : [condition];
}

/** Whether a condition says which organization a table's rows are of: an equality, alone or in a row. */
function binds(condition: unknown, alias: string, isAlone: boolean): boolean {
  const comparison = within(condition, 'A_Expr');
  if (!comparison || !isEquality(comparison)) return false;
  const [left, right] = [comparison['lexpr'], comparison['rexpr']].map(partsOf);
  return (left ?? []).some((part, index) => {
    const other = right?.[index];
    const isOurs = (side: unknown) => names(side, alias, isAlone);
    return isOurs(part) !== isOurs(other);
  });
}

function isEquality(comparison: Node): boolean {
  const [operator] = listIn(comparison, 'name');
  return within(operator, 'String')?.['sval'] === '=';
}

const partsOf = (side: unknown): unknown[] => {
  const row = within(side, 'RowExpr');
  return row ? listIn(row, 'args') : [side];
};

function names(side: unknown, alias: string, isAlone: boolean): boolean {
  const column = within(side, 'ColumnRef');
  if (!column) return false;
  const path = listIn(column, 'fields').map((field) => within(field, 'String')?.['sval']);
  return path.join('.') === `${alias}.organization_id` || (isAlone && path.join('.') === 'organization_id');
}
