import { sql } from 'drizzle-orm';
import type { Check } from './check.ts';

/** Links for people without an account. */
export const shareChecks: readonly Check[] = [
  {
    name: 'shares',
    claim:
      'No share that can be opened breaks the policy of its organization, and no visit is ahead of its share',
    violations: sql`
      select 'share ' || shares.id as subject
      from shares
      join organizations on organizations.id = shares.organization_id
      where shares.revoked_at is null and (shares.expires_at is null or shares.expires_at > now())
        and (not organizations.shares_allowed
          or (organizations.shares_need_password and shares.password_hash is null)
          or (organizations.max_share_days is not null and shares.expires_at is null)
          or (shares.allow_download and not organizations.shares_allow_download))
      union all
      select 'ticket of share ' || shares.id
      from share_tickets
      join shares on shares.organization_id = share_tickets.organization_id
        and shares.id = share_tickets.share_id
      where share_tickets.share_revision > shares.revision`,
  },
];
