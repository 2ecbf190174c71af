import type { OperationId } from './operations.ts';
import type { Effect } from './scopes.ts';
import type { Toolset } from './toolsets.ts';

/** Where an argument of a tool belongs in the request. */
export type ArgumentPlace = 'path' | 'query' | 'header' | 'body';

/** A tool as `tools.json` has it, which is made from the contract. Its schemas are JSON Schema 2020-12. */
export interface ToolDeclaration {
  readonly name: string;
  readonly toolset: Toolset;
  readonly operation: OperationId;
  readonly effect: Effect;
  /** The argument with which a call shows data to outsiders; null without one. */
  readonly disclosesWith: string | null;
  /** What an API key needs for it. */
  readonly scope: string;
  readonly title: string;
  readonly description: string;
  /** By the name of the argument. */
  readonly places: Readonly<Record<string, ArgumentPlace>>;
  readonly inputSchema: Readonly<Record<string, unknown>>;
  readonly outputSchema: Readonly<Record<string, unknown>>;
  /** Hints for programs that show or choose tools; they protect nothing. */
  readonly annotations: Readonly<
    Record<'readOnlyHint' | 'destructiveHint' | 'idempotentHint' | 'openWorldHint', boolean>
  >;
}
