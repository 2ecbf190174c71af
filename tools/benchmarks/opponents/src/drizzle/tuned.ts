/**
 * drizzle 0.45 as its page on performance advises: queries prepared once, with names, over postgres.js;
 * session and role in one round trip, and a write in one statement.
 *
 * @see https://orm.drizzle.team/docs/perf-queries
 */
import { sql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/postgres-js';
import postgres from 'postgres';
import { postComment } from '../../../src/limit/statements.ts';
import { poolSize } from '../environment.ts';
import { parametersOf, type Records } from '../records.ts';
import { selectCaller, selectMember, selectTasks } from './queries.ts';

/** Placeholders are sent unchanged, and drizzle sends timestamps as text. */
const now = () => new Date().toISOString();

export function tunedRecords(databaseUrl: string): Records {
  const client = postgres(databaseUrl, { max: poolSize, onnotice: () => undefined });
  const db = drizzle(client);
  const key = {
    sessionId: sql.placeholder('sessionId'),
    userId: sql.placeholder('userId'),
    now: sql.placeholder('now'),
  };
  const organizationId = sql.placeholder('organizationId');
  const callers = selectCaller(db, key).prepare('caller');
  const members = selectMember(db, { ...key, organizationId }).prepare('member');
  const pages = selectTasks(db, { organizationId, atMost: sql.placeholder('atMost') }).prepare(
    'tasks',
  );

  return {
    async caller(claims) {
      const [account] = await callers.execute({ ...claims, now: now() });
      return account ?? null;
    },
    async member(claims, organizationId) {
      const [account] = await members.execute({ ...claims, now: now(), organizationId });
      return account?.role ? account : null;
    },
    tasks: (organizationId, atMost) => pages.execute({ organizationId, atMost }),
    async post(comment) {
      const parameters = parametersOf({ ...comment, createdAt: comment.createdAt.toISOString() });
      const posted = await client.unsafe(postComment, parameters, { prepare: true });
      return posted.length === 1;
    },
  };
}
