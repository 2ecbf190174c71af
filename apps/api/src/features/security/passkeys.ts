import { maxPasskeys, type AddPasskeyBody, type Passkey } from '@atelier/contract';
import type { z } from 'zod';
import type { Transaction } from '../../db/executor.ts';
import type { Deps } from '../../deps.ts';
import { aboutUser, recordAccountActivity } from '../../domain/activity.ts';
import { passkeyChallenges } from '../../domain/passkeys/challenges.ts';
import {
  countPasskeys,
  deletePasskey,
  insertPasskey,
  listPasskeys,
  renamePasskey,
} from '../../domain/passkeys/queries.ts';
import { relyingParty } from '../../domain/passkeys/relying-party.ts';
import { displayNameOf } from '../../domain/person-view/present-user.ts';
import {
  countRecoveryCodes,
  forgetOtherConfirmations,
  replaceRecoveryCodes,
  settleSecondFactor,
} from '../../domain/second-factor/queries.ts';
import { recoveryCodes } from '../../domain/second-factor/recovery-codes.ts';
import { enqueueSecurityNotice } from '../../domain/security-notices.ts';
import { hasSignInMethod } from '../../domain/sign-in-methods/queries.ts';
import { mutate } from '../../domain/transaction.ts';
import type { UserContext } from '../../kernel/context.ts';
import { Failure } from '../../kernel/errors.ts';
import { newId } from '../../kernel/ids.ts';
import { factorChange } from './factor-change.ts';

/**
 * Manages the passkeys of an account.
 *
 * @see docs/decisions/0075-passkeys.md
 */
export function passkeyUseCases(deps: Deps) {
  const { db, clock } = deps;
  const challenges = passkeyChallenges(deps);
  const party = relyingParty(deps);
  const codes = recoveryCodes(deps.keys);
  const underLock = factorChange(deps);

  return {
    /** Makes a challenge for a confirmation or a second factor in the session of the request. */
    async challenge(ctx: UserContext) {
      const use = { purpose: 'PROOF', sessionId: ctx.credential.id } as const;
      return mutate({ db, clock, ctx }, async (tx, { user }) => {
        const known = await listPasskeys(tx, user.id);
        return party.requestOptions(await challenges.issue(use, tx), known);
      });
    },

    /** @throws Failure `too_many_passkeys` (409) */
    async start(ctx: UserContext) {
      const use = { purpose: 'REGISTRATION', sessionId: ctx.credential.id } as const;
      return mutate({ db, clock, ctx }, async (tx, { user }) => {
        const known = await listPasskeys(tx, user.id);
        if (known.length >= maxPasskeys) throw new Failure('too_many_passkeys');
        const account = { ...user, displayName: displayNameOf(user) };
        return party.creationOptions(await challenges.issue(use, tx), account, known);
      });
    },

    /**
     * Other sessions lose their confirmation, as when another factor is turned on.
     *
     * @throws Failure `passkey_invalid` (400), `too_many_passkeys` (409)
     */
    async add({ name, response }: z.output<typeof AddPasskeyBody>, ctx: UserContext) {
      const { user } = ctx;
      const sessionId = ctx.credential.id;
      const use = { purpose: 'REGISTRATION', sessionId } as const;
      const challenge = await challenges.take(response.response.clientDataJSON, use);
      const verified =
        challenge === null ? null : await party.verifyRegistration(response, challenge);
      if (!verified) throw new Failure('passkey_invalid');
      const now = clock.now();
      const { transports = [] } = response.response;
      return underLock(ctx, async (tx) => {
        if ((await countPasskeys(tx, user.id)) >= maxPasskeys) {
          throw new Failure('too_many_passkeys');
        }
        const own = { id: newId(), userId: user.id, name, createdAt: now };
        const passkey = await insertPasskey(tx, { ...verified, ...own, transports });
        if (!passkey) throw new Failure('passkey_invalid');
        await forgetOtherConfirmations(tx, { userId: user.id, sessionId });
        await recordAccountActivity(tx, {
          ...aboutUser(user, ctx, now),
          action: 'user.add_passkey',
        });
        await enqueueSecurityNotice(tx, { userId: user.id, about: 'PASSKEY_ADDED' }, ctx);
        return { ...presentPasskey(passkey), recoveryCodes: await firstCodes(tx, user.id) };
      });
    },

    /** @throws Failure `not_found` (404) */
    async rename(id: string, name: string, ctx: UserContext) {
      // Changes only the caller's own passkeys.
      ctx.targets.note('params.id');
      return mutate({ db, clock, ctx }, async (tx) => {
        const passkey = await renamePasskey(tx, { id, userId: ctx.user.id, name });
        if (!passkey) throw new Failure('not_found');
        return presentPasskey(passkey);
      });
    },

    /** @throws Failure `not_found` (404), `last_sign_in_method` (409) */
    async remove(id: string, ctx: UserContext) {
      ctx.targets.note('params.id');
      const { user } = ctx;
      const now = clock.now();
      return underLock(ctx, async (tx) => {
        if (!(await deletePasskey(tx, { id, userId: user.id }))) throw new Failure('not_found');
        if (!(await hasSignInMethod(tx, user.id))) throw new Failure('last_sign_in_method');
        await settleSecondFactor(tx, user.id);
        await recordAccountActivity(tx, {
          ...aboutUser(user, ctx, now),
          action: 'user.remove_passkey',
        });
        await enqueueSecurityNotice(tx, { userId: user.id, about: 'PASSKEY_REMOVED' }, ctx);
        return { id };
      });
    },
  };

  /** @returns the recovery codes of an account that had none; null for any other */
  async function firstCodes(tx: Transaction, userId: string): Promise<string[] | null> {
    if ((await countRecoveryCodes(tx, userId, codes.keyIds)) > 0) return null;
    const { shown, hashes } = codes.issue(userId);
    await replaceRecoveryCodes(tx, userId, hashes);
    return shown;
  }
}

interface PasskeyRow {
  readonly id: string;
  readonly name: string;
  readonly isBackedUp: boolean;
  readonly createdAt: Date;
  readonly lastUsedAt: Date | null;
}

/** Returns a passkey as its owner sees it. */
export function presentPasskey(passkey: PasskeyRow): Passkey {
  const { id, name, isBackedUp, createdAt, lastUsedAt } = passkey;
  return {
    id,
    name,
    isBackedUp,
    createdAt: createdAt.toISOString(),
    lastUsedAt: lastUsedAt?.toISOString() ?? null,
  };
}
