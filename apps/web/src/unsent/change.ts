import type { CallOptions } from '@atelier/client';
import type { QueryClient } from '@tanstack/react-query';
import type { TopicKey } from '../session/queries.ts';
import type { ChangeName } from '../texts/unsent-changes.ts';

/** A kind of change that is shown at once, survives a lost network and a reload, and is sent later. */
export interface ChangeKind<Input, Data> {
  /** Stored with unsent changes, so it has to stay the same. */
  readonly name: ChangeName;
  /** Sends the request; passes `options` as request options. */
  readonly send: (input: Input, options: SendOptions) => Promise<Data>;
  /** Topics, or longer beginnings of query keys, to refetch afterwards. */
  readonly invalidates: readonly TopicKey[];
  /** Shows it in the cached data. Done again after each fetch until it is sent, so the second time is a no-op. */
  readonly show: (cache: QueryClient, input: Input) => void;
  /** Ids of the items that it changes, to mark them as unsent. */
  readonly items: (input: Input) => readonly string[];
  /** Replaces what was shown by the response. */
  readonly sent?: ((cache: QueryClient, data: Data, input: Input) => void) | undefined;
}

export interface SendOptions extends Pick<CallOptions, 'organizationId'> {
  /** The same in each attempt. */
  readonly idempotencyKey: string;
}

/** A change with everything that is needed to send it after a reload. */
export interface UnsentChange<Input = unknown> {
  readonly input: Input;
  readonly organizationId: string | null;
  readonly idempotencyKey: string;
  /** The session that made it, see `currentSession`. */
  readonly session: string;
}
