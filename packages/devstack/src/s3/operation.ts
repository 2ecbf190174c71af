import type { HeaderMap } from './headers.ts';
import type { Payload } from './payload.ts';
import type { Store } from './store.ts';
import type { Target } from './target.ts';
import type { UploadStore } from './uploads.ts';

/** The services of every operation. */
export interface Services {
  store: Store;
  uploads: UploadStore;
  region: string;
}

/** A request with a verified signature, and the services. */
export interface OperationContext extends Services {
  method: string;
  target: Target;
  headers: HeaderMap;
  payload: Payload;
}

export interface ByteStream {
  sizeBytes: number;
  chunks: AsyncIterable<Buffer>;
  /** Must be called once, even if `chunks` was not read. */
  close: () => Promise<void>;
}

export interface Reply {
  status: number;
  headers?: Record<string, string>;
  body?: string | ByteStream;
}

export type Operation = (context: OperationContext) => Promise<Reply>;

export function xmlReply(body: string): Reply {
  return { status: 200, headers: { 'content-type': 'application/xml' }, body };
}
