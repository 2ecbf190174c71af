/** What a caller knows after a call. */
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
  /** It may have happened, or may still. */
  | {
      readonly state: 'unknown';
      readonly because: string;
      readonly status?: number;
      readonly requestId?: string;
    };

/** The `data` of an answer, as far as the suite reads it. */
export type Body = Readonly<Record<string, unknown>>;

export interface Request {
  readonly method: 'GET' | 'POST' | 'PATCH';
  readonly path: string;
  readonly body?: unknown;
  readonly token?: string;
  readonly idempotencyKey?: string;
}

export interface Patience {
  /** Longest that an answer is waited for. */
  readonly timeoutMs: number;
}

const usualPatience: Patience = { timeoutMs: 8_000 };

/** One call over HTTP, without any repeating. */
export async function send(
  url: string,
  request: Request,
  { timeoutMs }: Patience = usualPatience,
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
    return outcomeOf(response, await response.text());
  } catch (error) {
    return { state: 'unknown', because: error instanceof Error ? error.name : 'error' };
  }
}

function outcomeOf({ status, headers }: Response, text: string): Outcome {
  const saidOnTheWay = headers.get('proxy-status');
  if (saidOnTheWay !== null) return { state: 'unknown', because: saidOnTheWay, status };
  const answer = JSON.parse(text) as Body;
  if (status < 300) {
    const isReplay = headers.get('idempotency-replayed') === 'true';
    return { state: 'acknowledged', status, body: recordOf(answer['data']), text, isReplay };
  }
  const code = String(answer['code']);
  const requestId = String(answer['requestId']);
  // Another attempt under the same key is not done yet.
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
