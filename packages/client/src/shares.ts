import type { Client } from './api.ts';
import type { IdempotentOptions } from './call-options.ts';
import { ApiError } from './errors.ts';
import type {
  Download,
  OpenedShare,
  PostSharedCommentBody,
  PublicAsset,
  PublicAssetPage,
  PublicShare,
  SharedComment,
  SharedCommentPage,
} from './generated/types.ts';

/** How long before its end a ticket is replaced, in milliseconds. */
const renewedBeforeMs = 2 * 60 * 1000;

/** What a visitor has: the token behind the `#` of a link, and what the share asks for. */
export interface ShareAccess {
  readonly token: string;
  readonly password?: string | undefined;
  /** Shown to the members of the organization. */
  readonly visitorName?: string | undefined;
}

/** A visit of a share. Its ticket stays in memory, and is renewed when it ends. */
export interface ShareVisit {
  /** As it was when the share was opened last. */
  readonly share: PublicShare;
  /** @param page - its `cursor` is `nextCursor` of the page before */
  assets(page?: { cursor?: string | undefined; limit?: number }): Promise<PublicAssetPage>;
  asset(id: string): Promise<PublicAsset>;
  /** Lists what the visitors of the share wrote about an asset, and the replies of members. */
  comments(
    id: string,
    page?: { cursor?: string | undefined; limit?: number },
  ): Promise<SharedCommentPage>;
  comment(
    id: string,
    comment: PostSharedCommentBody,
    options?: Pick<IdempotentOptions, 'idempotencyKey'>,
  ): Promise<SharedComment>;
  /** @returns the address of a file, for 5 minutes */
  download(id: string): Promise<Download>;
}

/** Returns the token of a share's link; null for another address. */
export function shareTokenOf(link: string): string | null {
  return /#(atls_[0-9A-Za-z]{43})$/.exec(link)?.[1] ?? null;
}

/**
 * Opens a share. Renewing its ticket is an opening too, which counts towards `maxOpenings`.
 *
 * @throws ApiError `share_not_found`, `share_password_required`, `share_password_wrong` or `rate_limited`; later calls throw
 *   the same when the share ends
 */
export async function openShare(
  { shares }: Pick<Client, 'shares'>,
  access: ShareAccess,
): Promise<ShareVisit> {
  const { token, password, visitorName } = access;
  const body = {
    token,
    ...(password !== undefined && { password }),
    ...(visitorName !== undefined && { visitorName }),
  };
  let opened = await shares.open({ body });
  let staleAt = staleTimeOf(opened);
  let renewing: Promise<void> | null = null;

  /** Calls at the same time share one opening. */
  function renew(): Promise<void> {
    renewing ??= shares
      .open({ body })
      .then((renewed) => {
        opened = renewed;
        staleAt = staleTimeOf(renewed);
      })
      .finally(() => {
        renewing = null;
      });
    return renewing;
  }

  async function withTicket<Result>(
    request: (options: { headers: { authorization: string } }) => PromiseLike<Result>,
  ): Promise<Result> {
    if (Date.now() > staleAt) {
      // Once: if it fails, the ticket still works for a while, and is renewed again when it is refused.
      staleAt = Infinity;
      await renew().catch(() => {});
    }
    const send = () => request({ headers: { authorization: `Share ${opened.ticket}` } });
    const { ticket } = opened;
    try {
      return await send();
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== 'unauthenticated') throw error;
      // Another call may have renewed it in the meantime.
      if (ticket === opened.ticket) await renew();
      return send();
    }
  }

  return {
    get share() {
      return opened.share;
    },
    assets: ({ cursor, limit } = {}) =>
      withTicket((options) =>
        shares.sharedAssets(
          {
            query: {
              ...(cursor !== undefined && { cursor }),
              ...(limit !== undefined && { limit }),
            },
          },
          options,
        ),
      ),
    asset: (id) => withTicket((options) => shares.sharedAsset({ params: { id } }, options)),
    comments: (id, { cursor, limit } = {}) =>
      withTicket((options) =>
        shares.sharedComments(
          {
            params: { id },
            query: {
              ...(cursor !== undefined && { cursor }),
              ...(limit !== undefined && { limit }),
            },
          },
          options,
        ),
      ),
    comment: (id, comment, { idempotencyKey } = {}) =>
      withTicket((options) =>
        shares.createSharedComment(
          { params: { id }, body: comment },
          { ...options, idempotencyKey },
        ),
      ),
    download: (id) => withTicket((options) => shares.sharedDownload({ params: { id } }, options)),
  };
}

/** When a ticket is renewed before the service refuses it: never, if its end is too near or past by this device's clock. */
function staleTimeOf({ expiresAt }: OpenedShare): number {
  const at = Date.parse(expiresAt) - renewedBeforeMs;
  return at > Date.now() ? at : Infinity;
}
