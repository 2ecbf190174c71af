import { eq, sql } from 'drizzle-orm';
import { expect, vi } from 'vitest';
import { users } from '../db/generated/schema.ts';
import type { Jobs } from '../ports/jobs.ts';
import type { TestUser } from './accounts.ts';
import type { TestApi } from './api.ts';

/**
 * Gives an account an address that the mail server refuses.
 *
 * @param name - of the jobs that mail to it; they are repeated at once
 */
export async function refuseMailsTo(
  api: Pick<TestApi, 'db'>,
  { id, email }: Pick<TestUser, 'id' | 'email'>,
  name: keyof Jobs,
) {
  const move = (address: string) =>
    api.db.update(users).set({ email: address }).where(eq(users.id, id));
  const repeat = () =>
    api.db.execute(sql`
      select graphile_worker.reschedule_jobs(array_agg(id), run_at := now())
      from graphile_worker.jobs where task_identifier = ${name}`);
  // The mail server takes no domain that ends with a dot.
  await move(`${email}.`);
  return {
    /** Waits until all that is left of the jobs has failed three times. */
    async threeTimes(): Promise<void> {
      await vi.waitFor(
        async () => {
          await repeat();
          const [left] = await api.db.execute(sql`
            select bool_and(attempts >= 3 and locked_at is null) as "areRefused"
            from graphile_worker.jobs where task_identifier = ${name}`);
          expect(left).toEqual({ areRefused: true });
        },
        { timeout: 40_000, interval: 100 },
      );
    },
    /** From then on the account has its own address. */
    async accept(): Promise<void> {
      await move(email);
      await repeat();
    },
  };
}
