/** What a client knows after a request. */
export type Outcome =
  | {
      readonly state: 'acknowledged';
      readonly status: number;
      readonly body: Body;
      readonly text: string;
      readonly isReplay: boolean;
    }
  | {
      readonly state: 'refused';
      readonly status: number;
      readonly code: string;
      readonly requestId: string;
    }
  /** The request may have had an effect, or may still have one. */
  | {
      readonly state: 'unknown';
      readonly because: string;
      readonly status?: number;
      readonly requestId?: string;
    };

/** The `data` of a response, as far as the suite reads it. */
export type Body = Readonly<Record<string, unknown>>;

export interface Request {
  readonly method: 'GET' | 'POST' | 'PATCH';
  readonly path: string;
  readonly body?: unknown;
  readonly token?: string;
  readonly idempotencyKey?: string;
}

export interface RequestTimeout {
  readonly timeoutMs: number;
}

const defaultTimeout: RequestTimeout = { timeoutMs: 8_000 };

/** Sends one HTTP request, without retries. */
export async function send(
  url: string,
  request: Request,
  { timeoutMs }: RequestTimeout = defaultTimeout,
): Promise<Outcome> {
  const { method, path, body, token, idempotencyKey } = request;
  try {
    const response = await fetch(`${url}${path}`, {
      method,
      headers: {
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(timeoutMs),
    });
    return toOutcome(response, await response.text());
  } catch (error) {
    return { state: 'unknown', because: error instanceof Error ? error.name : 'error' };
  }
}

/** Reads a response of the API, or of the balancer in front of it. */
export function toOutcome({ status, headers }: Response, text: string): Outcome {
  const proxyStatus = headers.get('proxy-status');
  if (proxyStatus !== null) return { state: 'unknown', because: proxyStatus, status };
  const envelope = JSON.parse(text) as Body;
  if (status < 300) {
    const isReplay = headers.get('idempotency-replayed') === 'true';
    return { state: 'acknowledged', status, body: recordOf(envelope['data']), text, isReplay };
  }
  const code = String(envelope['code']);
  const requestId = String(envelope['requestId']);
  // Another attempt with the same key is still running.
  if (status >= 500 || code === 'idempotency_in_flight') {
    return { state: 'unknown', because: code, status, requestId };
  }
  return { state: 'refused', status, code, requestId };
}

export function recordOf(value: unknown): Body {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}

export function listOf(value: unknown): Body[] {
  return Array.isArray(value) ? value.map(recordOf) : [];
}
