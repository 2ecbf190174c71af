import type { PublicLink, Share, ShareView } from '@atelier/contract';
import type { Deps } from '../../deps.ts';
import type { ShareTokens } from '../../domain/shares/tokens.ts';
import type { listPublicLinks, listViews, ShareRow } from './queries.ts';

/** Returns the function that presents a share as in the contract. */
export function sharePresenter({
  tokens,
  config,
}: { readonly tokens: ShareTokens } & Pick<Deps, 'config'>) {
  return (row: ShareRow): Share => {
    const token = tokens.open(row);
    return {
      id: row.id,
      target: { type: row.targetType, id: row.targetId, title: row.title },
      label: row.label,
      // Behind the `#`, so that no request has it.
      url: token && `${config.APP_URL}/share#${token}`,
      hasPassword: row.passwordHash !== null,
      expiresAt: row.expiresAt?.toISOString() ?? null,
      allowDownload: row.allowDownload,
      allowComments: row.allowComments,
      versions: row.versions,
      watermark: row.watermark,
      maxOpenings: row.maxOpenings,
      openingCount: row.openingCount,
      lastOpenedAt: row.lastOpenedAt?.toISOString() ?? null,
      status: row.status,
      createdBy: row.createdBy,
      createdAt: row.createdAt.toISOString(),
      updatedAt: row.updatedAt.toISOString(),
    };
  };
}

type RowOf<List extends (...args: never[]) => Promise<{ rows: readonly unknown[] }>> = Awaited<
  ReturnType<List>
>['rows'][number];

export function presentView(row: RowOf<typeof listViews>): ShareView {
  const { assetId, assetName, at, ...rest } = row;
  return {
    ...rest,
    at: at.toISOString(),
    asset: assetId === null ? null : { id: assetId, name: assetName },
  };
}

/** Returns the function that presents the public link of an asset. */
export function publicLinkPresenter({ BASE_URL }: Pick<Deps['config'], 'BASE_URL'>) {
  return ({ shortCode, createdAt, ...rest }: RowOf<typeof listPublicLinks>): PublicLink => ({
    ...rest,
    url: `${BASE_URL}/s/${shortCode}`,
    createdAt: createdAt.toISOString(),
  });
}
