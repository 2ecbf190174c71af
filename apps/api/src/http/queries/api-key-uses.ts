import { sql } from 'drizzle-orm';
import type { Database } from '../../db/executor.ts';
import { apiKeys } from '../../db/generated/schema.ts';
import { enqueuedJob } from '../../domain/job-queue.ts';

/** The last use of an API key. */
export interface ApiKeyUse {
  readonly id: string;
  readonly at: Date;
  readonly ip: string;
  /** Where it was used since the last write, in CIDR notation. */
  readonly networks: readonly string[];
}

/**
 * Stores the last uses of any number of keys, in one statement. Another process may have seen a later one. A key that is
 * used from a new network gets a mail about it, at most one an hour and none about its first network. One that was not
 * mailed is as new the next time.
 */
export async function storeKeyUses(db: Database, uses: readonly ApiKeyUse[]): Promise<void> {
  await db.execute(sql`
    with given as (
      select id, at, ip, array(select jsonb_array_elements_text(networks)) as networks
      from jsonb_to_recordset(${JSON.stringify(uses)}::text::jsonb)
        as each (id uuid, at timestamptz, ip text, networks jsonb)
    ), before as (
      -- All processes lock in this order.
      select id, last_used_at, last_used_ip, networks, network_noticed_at from ${apiKeys}
      where id in (select id from given) order by id for update
    ), next as (
      select given.id, given.at, given.ip, before.last_used_at is null or before.last_used_at < given.at as is_later,
        array(select network from unnest(known) as network where network <> all(given.networks))
          || array(select network from unnest(given.networks) as network
            where network = any(known) or network = new_network) as networks,
        new_network
      from given join before on before.id = given.id,
        lateral (select case when cardinality(before.networks) = 0 then given.networks[1:1]
          else before.networks end as known) as remembered,
        -- A later notice is of a clock that was set back since.
        lateral (select case when before.network_noticed_at is null or before.network_noticed_at
            not between given.at - interval '1 hour' and given.at + interval '1 hour'
          then (select network from unnest(given.networks) as network where network <> all(known) limit 1)
        end as new_network) as told
    ), stored as (
      update ${apiKeys} set
        last_used_at = case when is_later then next.at else last_used_at end,
        last_used_ip = case when is_later then next.ip else last_used_ip end,
        networks = next.networks[greatest(1, cardinality(next.networks) - 19):],
        network_noticed_at = case when new_network is null then network_noticed_at else next.at end
      from next where ${apiKeys.id} = next.id
      returning ${apiKeys.id} as id, new_network
    )
    select ${enqueuedJob('send_api_key_notice', {
      apiKeyId: sql`id`,
      notice: sql`'NEW_NETWORK'::text`,
      network: sql`new_network`,
    })}
    from stored where new_network is not null`);
}
