import { eq } from 'drizzle-orm';
import { catalogue, columnOf } from '../../db/catalogue.ts';
import type { Transaction } from '../../db/executor.ts';

/**
 * Erases an account from the rows of all tables, in all organizations, as their declarations say. Its own row stays
 * for those that keep their reference: the caller removes what identifies the person from it.
 */
export async function eraseReferences(tx: Transaction, userId: string): Promise<void> {
  // Rows before those that they refer to.
  for (const { table, onAccountErased } of catalogue.toReversed()) {
    for (const [name, fate] of Object.entries(onAccountErased)) {
      const column = columnOf(table, name);
      if (fate === 'delete') await tx.delete(table).where(eq(column, userId));
      if (fate === 'set null')
        await tx
          .update(table)
          .set({ [name]: null })
          .where(eq(column, userId));
    }
  }
}
