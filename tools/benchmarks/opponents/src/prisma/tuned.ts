/**
 * Prisma 7 with its features for speed: the hand-written statements as raw queries, and names for prepared
 * statements by the adapter's `statementNameGenerator`.
 *
 * @see https://www.prisma.io/docs/orm/prisma-client/using-raw-sql/raw-queries
 * @see https://www.prisma.io/docs/orm/core-concepts/supported-databases/postgresql
 */
import { createHash } from 'node:crypto';
import { PrismaPg } from '@prisma/adapter-pg';
import type { AccountRow, TaskRow } from '../../../src/limit/rows.ts';
import {
  openSession,
  openSessionInOrganization,
  postComment,
  taskPage,
} from '../../../src/limit/statements.ts';
import { poolSize } from '../environment.ts';
import { parametersOf, type Records } from '../records.ts';
import { PrismaClient } from './generated/client.ts';

export function tunedRecords(databaseUrl: string): Records {
  const names = new Map<string, string>();
  const statementNameGenerator = ({ sql }: { sql: string }) => {
    let name = names.get(sql);
    if (name === undefined) {
      name = createHash('sha256').update(sql).digest('base64url');
      names.set(sql, name);
    }
    return name;
  };
  const adapter = new PrismaPg(
    { connectionString: databaseUrl, max: poolSize },
    { statementNameGenerator },
  );
  const prisma = new PrismaClient({ adapter });
  const run = <Row>(statement: string, parameters: unknown[]) =>
    prisma.$queryRawUnsafe<Row[]>(statement, ...parameters);

  return {
    async caller({ sessionId, userId }) {
      const [account] = await run<AccountRow>(openSession, [sessionId, userId, new Date()]);
      return account ?? null;
    },
    async member({ sessionId, userId }, organizationId) {
      const key = [sessionId, userId, new Date(), organizationId];
      const [account] = await run<AccountRow>(openSessionInOrganization, key);
      return account?.role ? account : null;
    },
    tasks: (organizationId, atMost) => run<TaskRow>(taskPage, [organizationId, atMost]),
    async post(comment) {
      const posted = await run<{ id: string }>(postComment, parametersOf(comment));
      return posted.length === 1;
    },
  };
}
