/** Why a request got no usable response. */
export type OutboundError =
  | 'timeout'
  | 'connection_refused'
  | 'connection_reset'
  | 'tls'
  | 'dns'
  | 'address_refused'
  | 'response_too_large';

export interface OutboundRequest {
  readonly method: 'GET' | 'POST';
  readonly url: string;
  /** Chosen by the service, never by a caller. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer | null;
  /** For everything: names, connection, request and response, in milliseconds. */
  readonly timeoutMs: number;
  readonly maxResponseBytes: number;
}

/** A response with its complete body; a redirect is a response like any other. */
export interface OutboundResponse {
  readonly status: number;
  /** By name in lower case; of a repeated one the values that Node joins or keeps. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Buffer;
}

/** Requests addresses that people enter, and reaches nothing inside the operator's network. */
export interface OutboundHttp {
  /** Whether {@link OutboundHttp.send} could send to an address, as far as that is known without resolving its name. */
  mayRequest(url: string): boolean;
  /** Sends a request once. Never rejects: what went wrong is the result. */
  send(request: OutboundRequest): Promise<OutboundResponse | { readonly error: OutboundError }>;
}
