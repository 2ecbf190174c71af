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
