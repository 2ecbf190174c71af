import type { MemberContext } from '../../kernel/context.ts';

/** The fields that every activity of an asset has in common. */
export function aboutAsset(
  asset: { readonly id: string; readonly organizationId: string; readonly name: string },
  ctx: MemberContext,
  now: Date,
) {
  return {
    actorId: ctx.user.id,
    organizationId: asset.organizationId,
    resourceType: 'asset',
    resourceId: asset.id,
    resourceName: asset.name,
    requestId: ctx.requestId,
    at: now,
  } as const;
}
