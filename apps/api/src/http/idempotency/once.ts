import {
  isKeptError,
  type EndpointMetadata,
  type ErrorBody,
  type ErrorCode,
} from '@atelier/contract';
import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { Transaction } from '../../db/executor.ts';
import { KeyTaken, type Claim } from '../../kernel/claim.ts';
import type {
  CallerContext,
  MemberContext,
  PublicContext,
  VisitorContext,
} from '../../kernel/context.ts';
import { Failure } from '../../kernel/errors.ts';
import { refusalOf } from '../error-handler.ts';
import type { ClaimedKey, SerializedResponse } from './claimed-keys.ts';
import type { IdempotencyKeys } from './keys.ts';

/** A validated request of an operation that takes an `Idempotency-Key`. */
export interface IdempotentCall {
  readonly operation: string;
  readonly metadata: EndpointMetadata;
  readonly request: FastifyRequest;
  readonly ctx: PublicContext | CallerContext | VisitorContext;
  /** Parsed input: path, query and body. */
  readonly input: readonly unknown[];
  /** Whether the handler asks and does nothing outside of its transaction, which then claims the key. */
  readonly isAtomic: boolean;
  /** Serializes the response from the `data` that a handler returns. */
  readonly finish: (data: unknown) => SerializedResponse;
}

const Expiring = z.union([
  z.object({ expiresAt: z.string() }),
  z.object({ expiresIn: z.number().describe('Seconds.') }),
]);

/** How long a response with a secret is kept, in seconds. */
const secretLifetimeSeconds = 60 * 60;

type Handle<Ctx> = (ctx: Ctx) => Promise<unknown>;

/**
 * Runs a handler at most once for the client's key; without a key, simply runs it.
 *
 * @see docs/decisions/0015-idempotency-keys.md
 */
export async function respondOnce<Ctx extends PublicContext>(
  keys: IdempotencyKeys,
  call: IdempotentCall & { ctx: Ctx },
  handle: Handle<Ctx>,
): Promise<SerializedResponse> {
  const { ctx, finish, operation, input } = call;
  const key = call.request.headers['idempotency-key'];
  if (typeof key !== 'string') return finish(await handle(ctx));

  const use = {
    scope: scopeOf(ctx),
    operation,
    key,
    payload: [...input, 'organization' in ctx ? ctx.organization : null],
    organizationId: organizationOf(ctx),
  };
  const claimed = await (call.isAtomic ? keys.claimWithin(use) : keys.claim(use));
  if ('replay' in claimed) return replayed(call, claimed.replay);
  try {
    return await claimed.during(() => runUnder(claimed, call, handle));
  } catch (error) {
    if (error instanceof KeyTaken) return replayed(call, await keys.replay(use));
    throw error;
  }
}

function replayed({ request }: IdempotentCall, replay: SerializedResponse): SerializedResponse {
  const { headers, ...first } = replay;
  request.refusedWith = codeOf(first);
  return { ...first, headers: { ...headers, 'idempotency-replayed': 'true' } };
}

/** Returns the error code of a stored refusal; null for a success. */
function codeOf({ status, body }: Omit<SerializedResponse, 'headers'>): ErrorCode | null {
  // Written by `refusalOf`.
  return status < 400 || body === null ? null : (JSON.parse(body) as ErrorBody).code;
}

async function runUnder<Ctx extends PublicContext>(
  claimed: ClaimedKey,
  { ctx, finish, metadata, request }: IdempotentCall & { ctx: Ctx },
  handle: Handle<Ctx>,
): Promise<SerializedResponse> {
  let settled: SerializedResponse | null = null;
  const claim: Claim = {
    // `mutate` passes its transaction.
    take: (tx) => claimed.take(tx as Transaction),
    async settle(tx, data) {
      settled = finish(data);
      await claimed.settle(settled, usableUntil(data, metadata, claimed), tx as Transaction);
    },
  };
  try {
    const data = await handle({ ...ctx, claim });
    if (settled) return settled;
    const response = finish(data);
    await claimed.settle(response, usableUntil(data, metadata, claimed));
    return response;
  } catch (error) {
    // Another attempt may come with another approval.
    const mayKeep = ctx.approvalId === null && error instanceof Failure;
    const isKept = mayKeep && isKeptError(error.code, metadata.errors);
    if (isKept) await keepRefusal(claimed, refusalOf(error, request.id));
    else await claimed.release();
    throw error;
  }
}

/** Returns when a response with expiring data becomes useless. */
function usableUntil(
  data: unknown,
  { responseExpires, secretResponse }: EndpointMetadata,
  { claimedAt }: ClaimedKey,
): Date | null {
  if (secretResponse) return new Date(claimedAt.getTime() + secretLifetimeSeconds * 1000);
  if (!responseExpires) return null;
  const life = Expiring.parse(data);
  if ('expiresAt' in life) return new Date(life.expiresAt);
  return new Date(claimedAt.getTime() + life.expiresIn * 1000);
}

async function keepRefusal(claimed: ClaimedKey, refusal: SerializedResponse): Promise<void> {
  await claimed.settle(refusal, null).catch(() => claimed.release());
}

/** Returns the key's scope: the user, an API key, the share of a visitor, or for an anonymous caller the address. */
function scopeOf(ctx: PublicContext | CallerContext | VisitorContext): string {
  // Not the ticket: another opening replaces it, and all visitors of a share may see the same.
  if ('share' in ctx) return `share:${ctx.share.id}`;
  if (!('user' in ctx)) return `address:${ctx.ipAddress}`;
  // A stored response may hold more than the scopes of another key show.
  return ctx.credential.kind === 'key' ? `key:${ctx.credential.id}` : ctx.user.id;
}

/** Returns the organization that the request is about; null if only its handler knows, or there is none. */
function organizationOf(ctx: PublicContext | MemberContext | VisitorContext): string | null {
  if ('share' in ctx) return ctx.share.organizationId;
  return 'organization' in ctx ? ctx.organization.id : null;
}
