import type { Effect, Scope, Toolset } from '@atelier/contract';
import type { CallToolResult } from '@modelcontextprotocol/server';
import type { z } from 'zod';
import type { Deps } from '../../../deps.ts';
import type { CallApi } from '../api.ts';
import type { McpCaller } from '../caller.ts';

/** What a tool that is no single operation works with. */
export interface OwnToolCall<Input> {
  readonly input: Input;
  readonly caller: McpCaller;
  readonly callApi: CallApi;
  readonly deps: Deps;
}

/** A tool that is made by hand, of several operations or of none. */
export interface OwnTool<Input = never> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** Null: it is always there. */
  readonly toolset: Toolset | null;
  /** Null: any key may use it. */
  readonly scope: Scope | null;
  readonly effect: Effect;
  readonly input: z.ZodType<Input>;
  readonly call: (call: OwnToolCall<Input>) => Promise<CallToolResult>;
}
