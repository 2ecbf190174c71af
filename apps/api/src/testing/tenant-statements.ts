import { parse } from 'libpg-query';

/** A node of a parsed statement; the parser wraps each in its own name. */
type Node = Readonly<Record<string, unknown>>;

/** The database schema that the check needs. */
export interface Tenancy {
  /** Tables with an `organization_id`. */
  readonly tables: ReadonlySet<string>;
  /** Columns in any of them that identify a row of one organization: `id`, and references such as `task_id`. */
  readonly keys: ReadonlySet<string>;
}

/** The source of the rows of one name, at one level of a statement. */
interface Source {
  readonly alias: string;
  readonly table: string;
  /** A table of organizations, `organizations` itself, rows bound elsewhere, rows from the caller, others. */
  readonly kind: 'tenant' | 'organizations' | 'bound' | 'given' | 'other';
}

/** Two sides that are equal in every row of the named sources, or of all if `of` is null. */
interface Equality {
  readonly sides: readonly [unknown, unknown];
  readonly of: ReadonlySet<string> | null;
}

/** The names of outer levels: those whose rows belong to one organization. */
interface Scope {
  readonly boundAliases: ReadonlySet<string>;
  readonly boundCommonTables: ReadonlySet<string>;
}

/**
 * Finds organization tables that a statement reads, changes or deletes from without binding them to an organization:
 * neither by `organization_id`, nor by the key of a bound row. It checks each subquery
 * separately, with the names visible from outside.
 *
 * @returns the tables, once for each occurrence
 */
export async function unboundTables(statement: string, tenancy: Tenancy): Promise<string[]> {
  const parsed: unknown = await parse(statement);
  const found: string[] = [];
  const scope = { boundAliases: new Set<string>(), boundCommonTables: new Set<string>() };
  lookInto(parsed, { scope, tenancy, report: (table) => found.push(table) });
  return found;
}

interface Look {
  readonly scope: Scope;
  readonly tenancy: Tenancy;
  readonly report: (table: string) => void;
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

function lookInto(value: unknown, look: Look): void {
  if (Array.isArray(value)) {
    for (const item of value) lookInto(item, look);
    return;
  }
  if (!isNode(value)) return;
  for (const [name, child] of Object.entries(value)) {
    const kind = isNode(child) ? kindOf(name, child) : null;
    const inner = isNode(child) && kind ? { ...look, scope: lookAtLevel(kind, child, look) } : look;
    lookInto(child, inner);
  }
}

type Kind = 'SelectStmt' | 'InsertStmt' | 'UpdateStmt' | 'DeleteStmt';
const kinds: readonly string[] = ['SelectStmt', 'InsertStmt', 'UpdateStmt', 'DeleteStmt'];

function kindOf(name: string, node: Node): Kind | null {
  if (kinds.includes(name)) return name as Kind;
  // The halves of a union are selects without the wrapper.
  return /^[lr]arg$/.test(name) && 'limitOption' in node ? 'SelectStmt' : null;
}

/** Reports the unbound tables of a level. @returns the bindings that its subqueries can use */
function lookAtLevel(kind: Kind, statement: Node, { scope, tenancy, report }: Look): Scope {
  const inner = {
    boundAliases: new Set(scope.boundAliases),
    boundCommonTables: new Set(scope.boundCommonTables),
  };
  for (const item of listIn(statement['withClause'], 'ctes')) {
    const common = within(item, 'CommonTableExpr');
    // A CTE may read those before it.
    if (mentionsTenants(common, tenancy, inner))
      inner.boundCommonTables.add(String(common?.['ctename']));
  }
  if (kind === 'InsertStmt') return inner;
  const { sources, equalities } = levelOf(kind, statement, { scope: inner, tenancy });
  // A name of this level hides the same one of an outer level.
  for (const { alias } of sources) inner.boundAliases.delete(alias);
  bindAll({ sources, equalities, inner, tenancy });
  for (const { alias, table, kind: sort } of sources) {
    if (sort === 'tenant' && !inner.boundAliases.has(alias)) report(table);
  }
  return inner;
}

/** Repeats until the bound names imply no more bindings. */
function bindAll(level: {
  readonly sources: readonly Source[];
  readonly equalities: readonly Equality[];
  readonly inner: {
    readonly boundAliases: Set<string>;
    readonly boundCommonTables: ReadonlySet<string>;
  };
  readonly tenancy: Tenancy;
}): void {
  const { sources, equalities, inner, tenancy } = level;
  for (const { alias, kind } of sources) if (kind === 'bound') inner.boundAliases.add(alias);
  for (let before = -1; before !== inner.boundAliases.size;) {
    before = inner.boundAliases.size;
    for (const source of sources) {
      const { alias } = source;
      const binds = ({ sides: [left, right], of }: Equality) =>
        (of === null || of.has(alias)) &&
        (saysWhose(left, right, { source, sources, inner, tenancy }) ||
          saysWhose(right, left, { source, sources, inner, tenancy }));
      if (source.kind !== 'other' && equalities.some(binds)) inner.boundAliases.add(alias);
    }
  }
}

/** Checks whether the equality of `ours`, a column of the source, and `other` binds the source to an organization. */
function saysWhose(
  ours: unknown,
  other: unknown,
  {
    source,
    sources,
    inner,
    tenancy,
  }: {
    readonly source: Source;
    readonly sources: readonly Source[];
    readonly inner: Scope;
    readonly tenancy: Tenancy;
  },
): boolean {
  const column = columnOf(ours);
  if (!column || (column.alias ?? sources[0]?.alias) !== source.alias) return false;
  if (column.alias === null && sources.length !== 1) return false;
  const isOrganization =
    column.name === (source.kind === 'organizations' ? 'id' : 'organization_id');
  if (!isOrganization && !tenancy.keys.has(column.name)) return false;
  const target = columnOf(other);
  const isGiven = sources.some(({ alias, kind }) => alias === target?.alias && kind === 'given');
  if (target && !isGiven) return target.alias !== null && inner.boundAliases.has(target.alias);
  // A key that was not read from bound rows may belong to any organization.
  return isOrganization || isBoundSubquery(other, inner, tenancy);
}

function isBoundSubquery(value: unknown, scope: Scope, tenancy: Tenancy): boolean {
  const select = within(within(value, 'SubLink') ?? value, 'subselect');
  return mentionsTenants(select, tenancy, scope);
}

/** Whether rows are read from organizations; whether of one is seen where the reading is looked at. */
function mentionsTenants(value: unknown, tenancy: Tenancy, scope: Scope): boolean {
  if (Array.isArray(value)) return value.some((item) => mentionsTenants(item, tenancy, scope));
  if (!isNode(value)) return false;
  const name = value['relname'];
  if (typeof name === 'string')
    return tenancy.tables.has(name) || scope.boundCommonTables.has(name);
  return Object.values(value).some((child) => mentionsTenants(child, tenancy, scope));
}

interface Level {
  readonly sources: Source[];
  readonly equalities: Equality[];
}

function levelOf(
  kind: Kind,
  statement: Node,
  { scope, tenancy }: Pick<Look, 'scope' | 'tenancy'>,
): Level {
  const target = kind === 'SelectStmt' ? [] : [{ RangeVar: statement['relation'] }];
  const items = [
    ...target,
    ...listIn(statement, 'fromClause'),
    ...listIn(statement, 'usingClause'),
  ];
  const level: Level = {
    sources: [],
    equalities: equalitiesOf(statement['whereClause'], null),
  };
  for (const item of items) addItem(item, level, { scope, tenancy });
  return level;
}

/** @returns the names that it added */
function addItem(item: unknown, level: Level, known: Pick<Look, 'scope' | 'tenancy'>): Set<string> {
  const join = within(item, 'JoinExpr');
  if (join) {
    const [left, right] = [
      addItem(join['larg'], level, known),
      addItem(join['rarg'], level, known),
    ];
    const both = new Set([...left, ...right]);
    // The join condition filters the rows of the optional side, but not those of the other.
    const chosen = { JOIN_INNER: both, JOIN_LEFT: right, JOIN_RIGHT: left }[
      String(join['jointype'])
    ];
    level.equalities.push(...equalitiesOf(join['quals'], chosen ?? new Set<string>()));
    return both;
  }
  const source = sourceOf(item, known);
  if (source) level.sources.push(source);
  return new Set(source ? [source.alias] : []);
}

function sourceOf(
  item: unknown,
  { scope, tenancy }: Pick<Look, 'scope' | 'tenancy'>,
): Source | null {
  const range = within(item, 'RangeVar');
  const derived = within(item, 'RangeSubselect');
  const alias = String(within(range ?? derived, 'alias')?.['aliasname'] ?? range?.['relname']);
  if (derived) {
    return { alias, table: '', kind: mentionsTenants(derived, tenancy, scope) ? 'bound' : 'other' };
  }
  const rows = within(item, 'RangeFunction');
  if (rows)
    return { alias: String(within(rows, 'alias')?.['aliasname']), table: '', kind: 'given' };
  if (!range) return null;
  const table = String(range['relname']);
  if (scope.boundCommonTables.has(table)) return { alias, table, kind: 'bound' };
  if (table === 'organizations') return { alias, table, kind: 'organizations' };
  return { alias, table, kind: tenancy.tables.has(table) ? 'tenant' : 'other' };
}

/** Returns the equalities that a condition requires, whatever else it contains. */
function equalitiesOf(condition: unknown, of: ReadonlySet<string> | null): Equality[] {
  const all = within(condition, 'BoolExpr');
  if (all?.['boolop'] === 'AND_EXPR') {
    return listIn(all, 'args').flatMap((part) => equalitiesOf(part, of));
  }
  const any = within(condition, 'SubLink');
  if (any?.['subLinkType'] === 'ANY_SUBLINK' && listIn(any, 'operName').length === 0) {
    return pairsOf(any['testexpr'], condition, of);
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
