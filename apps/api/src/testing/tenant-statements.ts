import { parse } from 'libpg-query';

/** A node of a parsed statement; the parser wraps each in its own name. */
type Node = Readonly<Record<string, unknown>>;

/** A table that one level of a statement reads, changes or deletes from. */
interface Relation {
  readonly alias: string;
  /** Empty for what is no table. */
  readonly table: string;
}

/** Two sides that are equal in every row of the named relations, or of all if `of` is null. */
interface Equality {
  readonly sides: readonly [unknown, unknown];
  readonly of: ReadonlySet<string> | null;
}

interface Level {
  readonly relations: Relation[];
  readonly equalities: Equality[];
  /** The names in the statement of those that it locks the rows of, besides what it changes; null for all. */
  readonly locked: readonly (string | null)[];
}

/**
 * Finds the tenant tables that a statement reads, changes or deletes from without comparing their `organization_id`
 * with a parameter. A comparison with a column of another relation doesn't count: a distributed database routes a
 * statement by its parameters. Each subquery is checked separately; what an outer level compares doesn't count in it.
 *
 * @param tables - the names of the tables with an `organization_id`
 * @returns the tables, once for each occurrence
 */
export async function unboundTables(
  statement: string,
  tables: ReadonlySet<string>,
): Promise<string[]> {
  const parsed: unknown = await parse(statement);
  return levelsIn(parsed, new Set()).flatMap((level) =>
    level.relations
      .filter(({ table }) => tables.has(table))
      .filter((relation) => !isBound(relation, level))
      .map(({ table }) => table),
  );
}

/** Finds the tables whose rows a statement locks by `for update` or a weaker lock, once for each occurrence. */
export async function lockedTables(statement: string): Promise<string[]> {
  const parsed: unknown = await parse(statement);
  return levelsIn(parsed, new Set()).flatMap(({ relations, locked }) =>
    relations
      .filter(({ alias, table }) => table && (locked.includes(null) || locked.includes(alias)))
      .map(({ table }) => table),
  );
}

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null;

/** Returns a property of a node if it is a node, too. */
function within(node: unknown, name: string): Node | null {
  const value = isNode(node) ? node[name] : undefined;
  return isNode(value) ? value : null;
}

function listIn(node: unknown, name: string): unknown[] {
  const value = isNode(node) ? node[name] : undefined;
  return Array.isArray(value) ? value : [];
}

/** Returns a statement's levels: itself and its subqueries. @param common - the visible common table expressions */
function levelsIn(value: unknown, common: ReadonlySet<string>): Level[] {
  if (Array.isArray(value)) return value.flatMap((item) => levelsIn(item, common));
  if (!isNode(value)) return [];
  const levels = levelsOfCommonTables(value, common);
  const visible = withCommonTables(value, common);
  for (const [name, child] of Object.entries(value)) {
    if (!isNode(child) || name === 'withClause') continue;
    if (isLevel(name, child)) levels.push(levelOf(child, withCommonTables(child, visible)));
    levels.push(...levelsIn(child, visible));
  }
  return levels;
}

function isLevel(name: string, node: Node): boolean {
  // The halves of a union are selects without the wrapper.
  if (/^[lr]arg$/.test(name)) return 'limitOption' in node;
  return ['SelectStmt', 'UpdateStmt', 'DeleteStmt'].includes(name);
}

const commonTablesOf = (statement: Node) =>
  listIn(statement['withClause'], 'ctes').map((item) => within(item, 'CommonTableExpr'));

/** Each may read those before it; a name hides the table of the same name only from then on. */
function levelsOfCommonTables(statement: Node, common: ReadonlySet<string>): Level[] {
  const isRecursive = within(statement, 'withClause')?.['recursive'] === true;
  const visible = isRecursive ? withCommonTables(statement, common) : new Set(common);
  return commonTablesOf(statement).flatMap((table) => {
    const levels = levelsIn(table, new Set(visible));
    visible.add(nameOf(table));
    return levels;
  });
}

const withCommonTables = (statement: Node, common: ReadonlySet<string>) =>
  new Set([...common, ...commonTablesOf(statement).map(nameOf)]);

const nameOf = (common: Node | null) => String(common?.['ctename']);

function levelOf(statement: Node, common: ReadonlySet<string>): Level {
  const level: Level = {
    relations: [],
    equalities: equalitiesOf(statement['whereClause'], null),
    locked: listIn(statement, 'lockingClause').flatMap(namesLockedBy),
  };
  // What a statement changes is a table, even where a common table expression has its name.
  const changed = within(statement, 'relation');
  if (changed) addItem({ RangeVar: changed }, level, new Set());
  for (const item of listIn(statement, 'fromClause')) addItem(item, level, common);
  for (const item of listIn(statement, 'usingClause')) addItem(item, level, common);
  return level;
}

function namesLockedBy(item: unknown): (string | null)[] {
  const named = listIn(within(item, 'LockingClause'), 'lockedRels');
  if (named.length === 0) return [null];
  return named.map((relation) => String(within(relation, 'RangeVar')?.['relname']));
}

/** @returns the aliases that it added */
function addItem(item: unknown, level: Level, common: ReadonlySet<string>): Set<string> {
  const join = within(item, 'JoinExpr');
  if (join) {
    const left = addItem(join['larg'], level, common);
    const right = addItem(join['rarg'], level, common);
    const both = new Set([...left, ...right]);
    // The join condition filters the rows of the optional side, but not those of the other.
    const chosen = { JOIN_INNER: both, JOIN_LEFT: right, JOIN_RIGHT: left }[
      String(join['jointype'])
    ];
    level.equalities.push(...equalitiesOf(join['quals'], chosen ?? new Set<string>()));
    return both;
  }
  const range = within(item, 'RangeVar');
  const named = range ?? within(item, 'RangeSubselect') ?? within(item, 'RangeFunction');
  const alias = String(within(named, 'alias')?.['aliasname'] ?? range?.['relname']);
  const name = String(range?.['relname'] ?? '');
  level.relations.push({ alias, table: common.has(name) ? '' : name });
  return new Set([alias]);
}

function isBound({ alias }: Relation, { relations, equalities }: Level): boolean {
  const isOrganization = (side: unknown) => {
    const column = columnOf(side);
    if (column?.name !== 'organization_id') return false;
    return column.alias === null ? relations.length === 1 : column.alias === alias;
  };
  return equalities.some(
    ({ sides: [left, right], of }) =>
      (of === null || of.has(alias)) &&
      ((isOrganization(left) && isParameter(right)) ||
        (isOrganization(right) && isParameter(left))),
  );
}

const isParameter = (side: unknown) =>
  within(within(side, 'TypeCast')?.['arg'] ?? side, 'ParamRef') !== null;

/** Returns the equalities that a condition requires, whatever else it contains. */
function equalitiesOf(condition: unknown, of: ReadonlySet<string> | null): Equality[] {
  const all = within(condition, 'BoolExpr');
  if (all?.['boolop'] === 'AND_EXPR') {
    return listIn(all, 'args').flatMap((part) => equalitiesOf(part, of));
  }
  const comparison = within(condition, 'A_Expr');
  const [operator] = listIn(comparison, 'name');
  if (!comparison || comparison['kind'] !== 'AEXPR_OP') return [];
  if (within(operator, 'String')?.['sval'] !== '=') return [];
  return pairsOf(comparison['lexpr'], comparison['rexpr'], of);
}

/** Returns one pair, or one for each column of a row. */
function pairsOf(left: unknown, right: unknown, of: ReadonlySet<string> | null): Equality[] {
  const [ours, theirs] = [left, right].map((side) => within(side, 'RowExpr'));
  if (!ours) return [{ sides: [left, right], of }];
  return listIn(ours, 'args').map((part, index) => ({
    sides: [part, theirs ? listIn(theirs, 'args')[index] : right],
    of,
  }));
}

function columnOf(side: unknown): { alias: string | null; name: string } | null {
  const column = within(within(side, 'TypeCast')?.['arg'] ?? side, 'ColumnRef');
  if (!column) return null;
  const path = listIn(column, 'fields').map((field) => String(within(field, 'String')?.['sval']));
  return { alias: path.at(-2) ?? null, name: path.at(-1) ?? '' };
}
