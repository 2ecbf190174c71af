import type { FastifyBaseLogger } from 'fastify';
import type { Deps } from '../../deps.ts';
import type { CallApi } from './api.ts';
import type { McpCaller } from './caller.ts';
import type { McpView } from './view.ts';

/** Whom a message comes from, and what it can reach. */
export interface McpContext {
  readonly caller: McpCaller;
  readonly view: McpView;
  readonly callApi: CallApi;
  readonly deps: Deps;
  readonly client: McpClient;
  /** Of the message. */
  readonly requestId: string;
  /** Adds the request id to each line. */
  readonly log: FastifyBaseLogger;
}

/** What a client says of itself with a message. */
export interface McpClient {
  /** Whether it can ask its user to open an address. */
  readonly opensAddresses: boolean;
  /** Whether its user has responded to what it was asked for. */
  readonly hasResponded: boolean;
}
