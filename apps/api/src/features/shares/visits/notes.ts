import { wideNetworkOf } from '../../../http/caller-address.ts';
import type { PublicContext } from '../../../kernel/context.ts';
import { deviceNameOf } from '../../../kernel/device-name.ts';
import { newId } from '../../../kernel/ids.ts';
import type { Clock } from '../../../ports/clock.ts';
import type { NewView } from './queries.ts';
import type { ViewLog } from './views.ts';

/** Notes what a visitor did, outside of the request. */
export type Note = (
  share: { readonly organizationId: string; readonly id: string },
  view: Pick<NewView, 'action'> & Partial<Pick<NewView, 'id' | 'assetId' | 'visitorName'>>,
  ctx: PublicContext,
) => void;

export function notesIn(views: ViewLog, { clock }: { readonly clock: Clock }): Note {
  return ({ organizationId, id }, view, ctx) => {
    views.note({
      id: newId(),
      assetId: null,
      visitorName: null,
      ...view,
      organizationId,
      shareId: id,
      at: clock.now(),
      network: wideNetworkOf(ctx.ipAddress),
      device: deviceNameOf(ctx.userAgent),
    });
  };
}
