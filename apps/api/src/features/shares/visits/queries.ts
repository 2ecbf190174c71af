import { sql } from 'drizzle-orm';
import type { Database } from '../../../db/executor.ts';
import { shares, shareViews } from '../../../db/generated/schema.ts';

/** Something that a visitor did. A view with the id of another one is the same. */
export interface NewView {
  readonly organizationId: string;
  readonly shareId: string;
  readonly id: string;
  readonly at: Date;
  readonly action: (typeof shareViews.$inferSelect)['action'];
  readonly assetId: string | null;
  readonly visitorName: string | null;
  readonly network: string | null;
  readonly device: string;
}

/** Inserts the views of shares that are still there. */
export async function insertViews(
  db: Database,
  organizationId: string,
  views: readonly NewView[],
): Promise<void> {
  await db.execute(sql`
    insert into ${shareViews} (organization_id, share_id, id, at, action, asset_id, visitor_name, network, device)
    select ${shares.organizationId}, ${shares.id}, noted.id, at, action, "assetId", "visitorName", network, device
    from jsonb_to_recordset(${JSON.stringify(views)}::text::jsonb) as noted ("shareId" uuid, id uuid, at timestamptz,
      action text, "assetId" uuid, "visitorName" text, network text, device text)
    join ${shares} on ${shares.organizationId} = ${organizationId} and ${shares.id} = noted."shareId"
    on conflict do nothing`);
}
