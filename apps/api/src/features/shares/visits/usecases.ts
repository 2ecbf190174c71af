import { createHash } from 'node:crypto';
import {
  shareTicketSeconds,
  type OpenShareBody,
  type PublicAsset,
  type PublicShare,
  sharedAddressSeconds,
} from '@atelier/contract';
import type { z } from 'zod';
import type { Deps } from '../../../deps.ts';
import { enqueueJobOf } from '../../../domain/job-queue.ts';
import { enqueuePictures } from '../../../domain/shares/pictures.ts';
import {
  findShown,
  listShown,
  type ShownAsset,
} from '../../../domain/shares/queries/shown-assets.ts';
import {
  countOpening,
  findShareOfToken,
  insertTicket,
  type LinkedShare,
} from '../../../domain/shares/queries/visits.ts';
import { mutate } from '../../../domain/transaction.ts';
import type { PublicContext, VisitorContext } from '../../../kernel/context.ts';
import { Failure } from '../../../kernel/errors.ts';
import { pageOf, rowWindowOf, type PageRequest } from '../../../kernel/pagination.ts';
import { hashSecretToken } from '../../../kernel/secret-tokens.ts';
import { newShareTicket } from '../../../kernel/share-tokens.ts';
import { passwordChecks } from './password.ts';
import { presentVisited, presentShown } from './present.ts';
import type { Note } from './notes.ts';

/** What visitors of shares do. */
export function visitUseCases(deps: Deps, note: Note) {
  const { db, clock, store, cursors } = deps;

  const assertPassword = passwordChecks(deps);

  /** @throws Failure `share_not_found` (404) */
  async function findShownAsset(assetId: string, { share }: VisitorContext): Promise<ShownAsset> {
    const row = await findShown(db, share, assetId);
    if (!row) throw new Failure('share_not_found');
    return row;
  }

  return {
    /**
     * Opens a share for a visitor.
     *
     * @throws Failure `share_not_found` (404), `share_password_required` or `share_password_wrong` (401),
     *   `rate_limited` (429) after wrong passwords
     */
    async open(
      { token, password, visitorName: name }: z.output<typeof OpenShareBody>,
      ctx: PublicContext,
    ) {
      const visitorName = name ?? null;
      const tokenHash = hashSecretToken(token);
      const share = await findShareOfToken(db, { tokenHash, now: clock.now() });
      if (!share?.isLiving || share.isUsedUp) throw new Failure('share_not_found');
      await assertPassword(share, { password, address: ctx.ipAddress }, () =>
        note(share, { action: 'PASSWORD_WRONG', visitorName }, ctx),
      );
      const ticket = newShareTicket();
      const { organizationId, id: shareId, revision: shareRevision } = share;
      const opened = await mutate({ db, clock, ctx, organizationId }, async (tx) => {
        const now = clock.now();
        // Under the lock of the share: exactly `maxOpenings` openings get a ticket.
        const opening = await countOpening(tx, share, now);
        if (opening === null) throw new Failure('share_not_found');
        const expiresAt = ticketExpiry(share, now);
        const ticketHash = hashSecretToken(ticket);
        await insertTicket(tx, {
          organizationId,
          shareId,
          shareRevision,
          ticketHash,
          visitorName,
          expiresAt,
        });
        await enqueuePictures(tx, share);
        if (opening === 1) {
          const payload = { organizationId, shareId, reason: 'shared_opened' } as const;
          await enqueueJobOf(tx, organizationId, { name: 'notice_share', payload });
        }
        return { ticket, expiresAt: expiresAt.toISOString(), share: presentVisited(share) };
      });
      note(share, { action: 'OPENED', visitorName }, ctx);
      return opened;
    },

    async share({ share }: VisitorContext): Promise<PublicShare> {
      return presentVisited(share);
    },

    async listAssets(request: PageRequest, { share }: VisitorContext) {
      const continued = { list: `shared assets:${share.id}`, cursors };
      const found = await listShown(db, share, rowWindowOf(request, continued));
      const page = pageOf(found, request, {
        ...continued,
        present: (row) => row,
        positionOf: ({ createdAt, id }) => ({ sortValue: createdAt.toISOString(), id }),
      });
      const items = page.items.map((row) => presentShown(deps, row, share));
      return { ...page, items: await Promise.all(items) };
    },

    /** @throws Failure `share_not_found` (404) for an asset that the share does not show */
    async getAsset(id: string, ctx: VisitorContext): Promise<PublicAsset> {
      const { share } = ctx;
      const row = await findShownAsset(id, ctx);
      const { visitorName } = share;
      note(
        share,
        {
          // The same for each preview of the asset in this visit.
          id: uuidOf(Buffer.concat([share.ticketHash, Buffer.from(id)])),
          action: 'PREVIEWED',
          assetId: id,
          visitorName,
        },
        ctx,
      );
      return presentShown(deps, row, share);
    },

    /** @throws Failure `share_download_off` (403), `share_not_found` (404) */
    async download(id: string, ctx: VisitorContext) {
      const { share } = ctx;
      const row = await findShownAsset(id, ctx);
      if (!share.allowDownload) throw new Failure('share_download_off');
      const url = await store.presignDownload({
        key: row.key,
        expiresInSeconds: sharedAddressSeconds,
        fileName: row.name,
        contentType: row.contentType,
        detectedType: row.detectedType,
        disposition: 'attachment',
      });
      const now = clock.now().getTime();
      const expiresAt = new Date(now + sharedAddressSeconds * 1000);
      const { visitorName } = share;
      // The same for each download of the asset in this visit and minute.
      const minute = `${id} download ${Math.floor(now / 60_000)}`;
      const viewId = uuidOf(Buffer.concat([share.ticketHash, Buffer.from(minute)]));
      note(share, { id: viewId, action: 'DOWNLOADED', assetId: id, visitorName }, ctx);
      return { url, expiresAt: expiresAt.toISOString(), fileName: row.name };
    },
  };
}

function ticketExpiry({ expiresAt }: LinkedShare, now: Date): Date {
  const ticketExpiresAt = new Date(now.getTime() + shareTicketSeconds * 1000);
  return expiresAt !== null && expiresAt < ticketExpiresAt ? expiresAt : ticketExpiresAt;
}

/** Derives an id: a UUID, version 8. */
function uuidOf(seed: Buffer): string {
  const hex = createHash('sha256').update(seed).digest('hex');
  const variant = '89ab'[Number.parseInt(hex[16] ?? '0', 16) % 4];
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    `${variant}${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ].join('-');
}
