import type { Role } from '@atelier/contract';
import type { Database, Executor, Transaction } from '../db/executor.ts';
import type { Clock } from '../ports/clock.ts';
import { proveAuthority } from './authority/authority.ts';
import { spendApproval } from './approvals/queries.ts';
import { inTurn, type Turn } from './bulkhead.ts';
import { KeyTaken, type Claim } from '../kernel/claim.ts';
import type { MemberContext, PublicContext } from '../kernel/context.ts';
import { Failure } from '../kernel/errors.ts';

/** The parts of a request that a change needs. */
interface Occasion<Ctx extends PublicContext> extends Pick<Turn, 'organizationId'> {
  readonly db: Database;
  readonly clock: Clock;
  readonly ctx: Ctx;
  /**
   * Takes locks that must precede those of the request's own account and membership: `lockAccount` to end
   * the account's sessions, `lockMemberChanges` to change memberships, `keepOrganization` for a visitor who
   * locks what the deletion of an organization locks before shares.
   */
  readonly lockFirst?: (tx: Transaction) => Promise<unknown>;
}

/**
 * Runs a transaction that proves session, account and membership of the request again and keeps them valid
 * until it ends. They may have ended since the request arrived, while its body was read.
 *
 * The proof is sent ahead of the work's first statement and costs no round trip of its own. If the role
 * has changed, the work is rolled back and runs once more with the current role, after the proof.
 *
 * @param work - makes the change. It gets the context with the proven role and checks
 *   every id that the request names, see `assertMayTouch`
 * @throws Failure `unauthenticated` (401), `organization_access_denied` or `permission_denied` (403),
 *   `not_found` (404) where the path names the organization
 * @throws CallerChanged for a known caller who is not what they were: the request begins anew
 * @see docs/decisions/0052-authority-at-the-commit.md
 */
export function withAuthority<Ctx extends PublicContext, Result>(
  occasion: Occasion<Ctx>,
  work: (tx: Transaction, ctx: Ctx) => Promise<Result>,
): Promise<Result> {
  return inTurn(occasion, () => workWithProof(occasion, work));
}

async function workWithProof<Ctx extends PublicContext, Result>(
  occasion: Occasion<Ctx>,
  work: (tx: Transaction, ctx: Ctx) => Promise<Result>,
): Promise<Result> {
  const { db, clock, ctx, lockFirst } = occasion;
  const forgetChecks = ctx.targets.mark();
  try {
    return await db.transaction(async (tx) => {
      await lockFirst?.(tx);
      // Sent together, in this order: the work's locks follow those of the proof.
      const [proof, result] = await Promise.allSettled([
        proveAuthority(tx, ctx, clock.now()),
        work(tx, ctx),
      ]);
      // A refusal for lack of authority precedes all errors of the work.
      if (proof.status === 'rejected') throw isTaken(result) ? new ToProveFirst() : proof.reason;
      if (proof.value !== roleIn(ctx)) throw new ToProveFirst();
      if (result.status === 'rejected') throw result.reason;
      ctx.targets.assertAllChecked();
      return result.value;
    });
  } catch (error) {
    if (!(error instanceof ToProveFirst)) throw error;
    forgetChecks();
    return workAfterProof(occasion, work);
  }
}

/** Does the same sequentially: the work begins with the proven role. */
async function workAfterProof<Ctx extends PublicContext, Result>(
  { db, clock, ctx, lockFirst }: Occasion<Ctx>,
  work: (tx: Transaction, ctx: Ctx) => Promise<Result>,
): Promise<Result> {
  return db.transaction(async (tx) => {
    await lockFirst?.(tx);
    const role = await proveAuthority(tx, ctx, clock.now());
    const result = await work(tx, role === null ? ctx : { ...ctx, role });
    ctx.targets.assertAllChecked();
    return result;
  });
}

/** The role is another, or a taken key has ended the transaction, in which nothing explains a refusal any more. */
class ToProveFirst extends Error {}

function isTaken(result: PromiseSettledResult<unknown>): boolean {
  return result.status === 'rejected' && result.reason instanceof KeyTaken;
}

function roleIn(ctx: PublicContext | MemberContext): Role | null {
  return 'role' in ctx ? ctx.role : null;
}

/**
 * Runs the one transaction of a mutation, by {@link withAuthority}. When the request came with an
 * `Idempotency-Key`, its response is stored in the same transaction: after a crash there are both or
 * neither, so a retry never repeats the effect.
 *
 * @param work - makes the change and returns the complete response: the `data` of the declared success
 * @throws Failure `idempotency_in_flight` (409) when another attempt took the key over; nothing changes then
 * @throws KeyTaken when another attempt has the key, or has responded; nothing changes then
 * @see docs/decisions/0015-idempotency-keys.md
 */
export async function mutate<Ctx extends PublicContext, Response>(
  occasion: Occasion<Ctx>,
  work: (tx: Transaction, ctx: Ctx) => Promise<Response>,
): Promise<Response> {
  return withAuthority(occasion, async (tx, ctx) => {
    const response = await underClaim(ctx.claim, tx, () => work(tx, ctx));
    await spendApprovalOf(tx, ctx, occasion.clock.now());
    await ctx.claim?.settle(tx, response);
    return response;
  });
}

/**
 * Uses up the approval of an assistant's call: what a person approved happens once.
 *
 * @throws Failure `permission_denied` (403) if it is not approved any more; nothing changes then
 */
async function spendApprovalOf(
  tx: Transaction,
  ctx: PublicContext | MemberContext,
  now: Date,
): Promise<void> {
  const { approvalId: id } = ctx;
  if (id === null) return;
  const isSpent =
    'organization' in ctx &&
    (await spendApproval(tx, { organizationId: ctx.organization.id, id }, now));
  if (!isSpent) throw new Failure('permission_denied', { message: 'The approval has ended' });
}

/** Sends the work behind the claim of its key. That another attempt has the key precedes all errors of the work. */
async function underClaim<Result>(
  claim: Claim | null,
  tx: Transaction,
  work: () => Promise<Result>,
): Promise<Result> {
  if (claim === null) return work();
  const [taken, result] = await Promise.allSettled([claim.take(tx), work()]);
  if (taken.status === 'rejected') throw taken.reason;
  if (result.status === 'rejected') throw result.reason;
  return result.value;
}

/**
 * A statement that changes nothing without authority, nor for a known caller who has changed. It doesn't wait for a
 * request that ends authority.
 *
 * @returns whether it changed something
 */
type AuthorizedStatement = (db: Executor) => Promise<boolean>;

/**
 * Like {@link mutate}, for an effect that is a single statement and proves the authority itself: called without an
 * `Idempotency-Key`, the statement is its own transaction, without the round trips that begin and commit one. If it changes
 * nothing, it runs again in a transaction, which waits for a request that ends authority and knows what was missing.
 *
 * @param response - the complete response: the `data` of the declared success
 * @throws Failure as {@link withAuthority} does; `not_found` (404) when the statement finds nothing to change;
 *   `idempotency_in_flight` (409) when another attempt took the key over
 * @throws KeyTaken as {@link mutate} does
 */
export async function mutateAtOnce<Response>(
  { effect, ...occasion }: Occasion<MemberContext> & { effect: AuthorizedStatement },
  response: Response,
): Promise<Response> {
  const { db, ctx } = occasion;
  ctx.targets.assertAllChecked();
  const { claim, approvalId } = ctx;
  const inTransaction = () =>
    mutate(occasion, async (tx) => {
      if (!(await effect(tx))) throw new Failure('not_found');
      return response;
    });
  if (approvalId !== null) return inTransaction();
  const once = claim ? () => onceUnder(claim, db, { effect, response }) : () => effect(db);
  if (await inTurn(occasion, once)) {
    ctx.known?.prove();
    return response;
  }
  return inTransaction();
}

/** @returns false also for a key that another attempt has taken: who may learn that is proven in a transaction of its own */
async function onceUnder(
  claim: Claim,
  db: Database,
  { effect, response }: { effect: AuthorizedStatement; response: unknown },
): Promise<boolean> {
  try {
    return await db.transaction(async (tx) => {
      const isDone = await underClaim(claim, tx, () => effect(tx));
      if (isDone) await claim.settle(tx, response);
      return isDone;
    });
  } catch (error) {
    if (error instanceof KeyTaken) return false;
    throw error;
  }
}
