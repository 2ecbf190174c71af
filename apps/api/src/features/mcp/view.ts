import { defaultToolsets, toolsets, type ToolDeclaration, type Toolset } from '@atelier/contract';
import { Failure } from '../../kernel/errors.ts';
import { hasScope, type McpCaller } from './caller.ts';

/** What the address of a client narrows its tools to. */
export interface McpView {
  readonly toolsets: ReadonlySet<Toolset>;
  readonly isReadOnly: boolean;
}

/**
 * Reads `?toolsets=work,members&mode=read-only`.
 *
 * @throws Failure `validation_failed` (400) that names what is wrong and what is wanted
 */
export function viewOf(query: Readonly<Record<string, unknown>>): McpView {
  const { toolsets: named = defaultToolsets.join(','), mode, ...others } = query;
  const unknown = Object.keys(others)[0];
  if (unknown !== undefined) throw invalid(unknown, 'expected `toolsets` or `mode`');
  const names = String(named).split(',');
  if (!names.every(isToolset)) {
    throw invalid('toolsets', `expected names of ${toolsets.join(', ')}, separated by commas`);
  }
  if (mode !== undefined && mode !== 'read-only') throw invalid('mode', 'expected `read-only`');
  return { toolsets: new Set(names), isReadOnly: mode === 'read-only' };
}

function isToolset(name: string): name is Toolset {
  return toolsets.some((toolset) => toolset === name);
}

function invalid(name: string, wanted: string): Failure {
  const message = `Invalid ${name}: ${wanted}`;
  return new Failure('validation_failed', {
    errors: [{ in: 'query', path: [name], code: 'invalid_value', message }],
  });
}

/** What decides who may use a tool. */
export interface RestrictedTool extends Pick<ToolDeclaration, 'name' | 'effect'> {
  /** Null: it is in every list. */
  readonly toolset: Toolset | null;
  /** Null: any key may use it. */
  readonly scope: string | null;
}

/** Returns why a client may not use a tool; null if it may. */
export function reasonAgainst(
  { name, toolset, effect, scope }: RestrictedTool,
  { view, caller }: { readonly view: McpView; readonly caller: McpCaller },
): string | null {
  if (toolset !== null && !view.toolsets.has(toolset)) {
    return `${name} is in the toolset ${toolset}, which the address of this client leaves out`;
  }
  if (caller.toolMode === 'READ_ONLY' && effect !== 'read') {
    return `${name} changes data, and tools only read with this API key`;
  }
  if (view.isReadOnly && effect !== 'read') {
    return `${name} changes data, and the address of this client is for reading only`;
  }
  if (scope !== null && !hasScope(caller, scope)) {
    return `The API key lacks the scope ${scope}, which ${name} needs`;
  }
  return null;
}
