import type { HeaderMap } from './headers.ts';
import type { Payload } from './payload.ts';
import type { Store } from './store.ts';
import type { Target } from './target.ts';
import type { UploadStore } from './uploads.ts';

/** What every operation works with. */
export interface Services {
  store: Store;
  uploads: UploadStore;
  region: string;
}

/** A request whose signature has been verified. */
export interface Call extends Services {
  method: string;
  target: Target;
  headers: HeaderMap;
  payload: Payload;
}

export interface ByteStream {
  sizeBytes: number;
  chunks: AsyncIterable<Buffer>;
  /** To be called once, whether or not `chunks` was read. */
  close: () => Promise<void>;
}

export interface Reply {
  status: number;
  headers?: Record<string, string>;
  body?: string | ByteStream;
}

export type Operation = (call: Call) => Promise<Reply>;

export function xmlReply(body: string): Reply {
  return { status: 200, headers: { 'content-type': 'application/xml' }, body };
}
