export { createClient } from './client.ts';
export { ApiError, TransportError } from './errors.ts';
export { localStorageTokens, memoryTokens } from './token-stores.ts';
export type { Lock, Tokens, TokenStore } from './token-stores.ts';
export type { Session } from './session.ts';
export type {
  Args,
  Attempt,
  Call,
  CallOptions,
  Client,
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
  Result,
  Streaming,
  WithMeta,
} from './types.ts';
export type * from './generated/types.ts';
// The name above is that of the client's own session; this is one of the list of `sessions.list`.
export type { Session as SessionRecord } from './generated/types.ts';
