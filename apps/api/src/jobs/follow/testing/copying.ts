import { sql } from 'drizzle-orm';
import type { Executor } from '../../../db/executor.ts';
import type { Consumer } from '../follow.ts';

/** Where {@link copying} writes: a row for each activity, numbered in the order in which they were taken. */
export async function createCopies(db: Executor): Promise<void> {
  await db.execute(sql`
    create table copies (number bigint generated always as identity primary key,
      organization_id uuid not null, activity_id uuid, transaction_id xid8)`);
}

/** A consumer that copies what it takes, without any protection against taking it twice. */
export const copying: Consumer = {
  name: 'copying',
  follows: 'where it is wanted',
  async take(tx, organizationId, rows) {
    for (const { id, transactionId } of rows) {
      await tx.execute(sql`
        insert into copies (organization_id, activity_id, transaction_id)
        values (${organizationId}, ${id}, ${transactionId}::xid8)`);
    }
  },
  async restart(tx, organizationId) {
    await tx.execute(sql`insert into copies (organization_id) values (${organizationId})`);
  },
};
