export type { Client } from './api.ts';
export type { CallOptions, ConditionalOptions, IdempotentOptions } from './call-options.ts';
export { createClient } from './client.ts';
export { ApiError, TransportError } from './errors.ts';
export type { Lock } from './lock.ts';
export { localStorageTokens, memoryTokens } from './token-stores.ts';
export type { Tokens, TokenStore } from './token-stores.ts';
export type { Session } from './session.ts';
export type {
  Args,
  Attempt,
  Call,
  ClientOptions,
  Data,
  ErrorOf,
  Item,
  ListOperation,
  Meta,
  Middleware,
  Navigation,
  Operation,
  OperationId,
  OptionsOf,
  Result,
  Streaming,
  WithMeta,
} from './types.ts';
export type * from './generated/groups.ts';
export type * from './generated/types.ts';
// The name above is that of the client's own session; this is one of the list of `sessions.list`.
export type { Session as SessionRecord } from './generated/types.ts';
