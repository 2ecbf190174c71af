import type { WebhookMessageData, WebhookMessageFields } from './generated/webhook-types.ts';

export type { WebhookMessageData, WebhookMessageFields } from './generated/webhook-types.ts';

/**
 * A message of a webhook, discriminated by `type`. A newer service may send types that are not listed here: have a
 * default that ignores them.
 */
export type WebhookMessage = {
  [Type in keyof WebhookMessageData]: WebhookMessageFields & {
    type: Type;
    data: WebhookMessageData[Type];
  };
}[keyof WebhookMessageData];

/** A `Request` of the platform, whose body is unread. */
export interface UnreadRequest {
  readonly headers: { get(name: string): string | null };
  arrayBuffer(): Promise<ArrayBuffer>;
}

/** A request whose body has been read. */
export interface ReadRequest {
  /** As Node has them: names in lower case. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** Exactly the bytes that arrived, not a parsed and printed copy. */
  readonly body: string | Uint8Array;
}

/** How to verify a message: with the secret of the webhook, or with its public key. */
export type WebhookKey =
  | {
      /** `whsec_…`; several while one replaces another. */
      readonly secret: string | readonly string[];
      readonly publicKey?: undefined;
    }
  | {
      /** `whpk_…`, for receivers that can't keep a secret. */
      readonly publicKey: string;
      readonly secret?: undefined;
    };

export interface VerifyOptions {
  /** How many seconds the clocks may differ and the message may travel; default 300. */
  readonly toleranceSeconds?: number | undefined;
}

/** A message that is not to be trusted. Respond with status 400. */
export class WebhookVerificationError extends Error {
  override readonly name = 'WebhookVerificationError';
  /**
   * `missing_header`: not a webhook; `timestamp`: too old, which includes messages that an attacker replays, or too far in the future;
   * `signature`: not signed with this key; `body`: not a message.
   */
  declare readonly code: 'missing_header' | 'timestamp' | 'signature' | 'body';

  constructor(code: WebhookVerificationError['code'], message: string) {
    super(message);
    this.code = code;
  }
}

/**
 * Verifies the signature and the age of a webhook's message and returns it.
 *
 * The same message can arrive twice, with the same `id`: remember the ids that you have handled.
 *
 * @returns `id` is the `webhook-id`
 * @throws WebhookVerificationError
 * @throws TypeError for a key that is none
 * @see https://www.standardwebhooks.com
 */
export async function verifyWebhook(
  request: UnreadRequest | ReadRequest,
  { toleranceSeconds = 300, ...key }: WebhookKey & VerifyOptions,
): Promise<WebhookMessage & { id: string }> {
  const [id, timestamp, signatures] = ['id', 'timestamp', 'signature'].map((name) =>
    headerOf(request, `webhook-${name}`),
  ) as [string, string, string];
  const seconds = Number(timestamp);
  if (!(Math.abs(Date.now() / 1000 - seconds) <= toleranceSeconds)) {
    throw new WebhookVerificationError('timestamp', `The timestamp ${timestamp} is not recent`);
  }
  const body = bytesOf('arrayBuffer' in request ? await request.arrayBuffer() : request.body);
  const start = bytesOf(`${id}.${timestamp}.`);
  const signed = new Uint8Array(start.length + body.length);
  signed.set(start);
  signed.set(body, start.length);
  if (!(await isSigned(signed, signatures, key))) {
    throw new WebhookVerificationError('signature', 'No signature was made with this key');
  }
  try {
    // Signed by the service, which sends nothing else.
    return { ...(JSON.parse(new TextDecoder().decode(body)) as WebhookMessage), id };
  } catch {
    throw new WebhookVerificationError('body', 'The body is no JSON');
  }
}

function headerOf(request: UnreadRequest | ReadRequest, name: string): string {
  const value = 'arrayBuffer' in request ? request.headers.get(name) : request.headers[name];
  if (typeof value === 'string') return value;
  throw new WebhookVerificationError('missing_header', `The header ${name} is missing`);
}

async function isSigned(
  signed: Uint8Array<ArrayBuffer>,
  signatures: string,
  key: WebhookKey,
): Promise<boolean> {
  const isPublic = key.publicKey !== undefined;
  const name = isPublic ? 'Ed25519' : 'HMAC';
  const algorithm = isPublic ? name : { name, hash: 'SHA-256' };
  const keys = await Promise.all(
    (isPublic ? [key.publicKey] : [key.secret].flat()).map((text) =>
      crypto.subtle.importKey('raw', keyBytesOf(text), algorithm, false, ['verify']),
    ),
  );
  const version = isPublic ? 'v1a,' : 'v1,';
  // The service sends three at most.
  for (const signature of signatures.split(' ', 8)) {
    const bytes = signature.startsWith(version) && decoded(signature.slice(version.length));
    if (!bytes) continue;
    for (const imported of keys) {
      // Compares in constant time.
      if (await crypto.subtle.verify(name, imported, bytes, signed)) return true;
    }
  }
  return false;
}

function keyBytesOf(text: string): Uint8Array<ArrayBuffer> {
  const bytes = /^wh(sec|pk)_/.test(text) && decoded(text.replace(/^wh(sec|pk)_/, ''));
  if (!bytes || bytes.length < 24) {
    throw new TypeError('The key of a webhook is whsec_ or whpk_ and base64');
  }
  return bytes;
}

function decoded(base64: string): Uint8Array<ArrayBuffer> | null {
  try {
    return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  } catch {
    return null;
  }
}

function bytesOf(content: string | Uint8Array | ArrayBuffer): Uint8Array<ArrayBuffer> {
  return typeof content === 'string'
    ? new TextEncoder().encode(content)
    : new Uint8Array(content as ArrayBuffer);
}
