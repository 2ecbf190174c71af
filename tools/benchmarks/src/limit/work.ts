import { randomUUIDv7 } from 'node:crypto';
import postgres from 'postgres';
import { shownAccount, shownComment, shownPage, type AccountRow, type TaskRow } from './rows.ts';
import {
  accountOfUser,
  openSession,
  openSessionInOrganization,
  postComment,
  taskPage,
  taskPageOfMember,
} from './statements.ts';
import { tokenReader, type Claims } from './tokens.ts';

/** Variables that the benchmark passes to every opponent. */
export interface OpponentSettings {
  readonly DATABASE_URL: string;
  readonly JWT_SECRET: string;
  readonly TOKEN_ENVELOPE_KEY: string;
  /** `whole`: session, membership and permission are checked as the service does; `bare`: the token alone. */
  readonly OPPONENT_WORK: 'whole' | 'bare';
}

export interface Head {
  readonly authorization: string | undefined;
  readonly organizationId: string;
}

/** Null means a refusal. Opponents only get valid requests, and need no distinct errors. */
export interface Work {
  user(head: Head): Promise<object | null>;
  tasks(head: Head, limit: number): Promise<object | null>;
  comment(head: Head, comment: { taskId: string; body: string }): Promise<object | null>;
}

type Parameters = (string | number | Date)[];

/** The work of S1 to S3 by hand: prepared statements, one round trip for each, `node:crypto`. */
export function handWrittenWork(settings: OpponentSettings): Work {
  const sql = postgres(settings.DATABASE_URL, { max: 10, onnotice: () => undefined });
  const read = tokenReader({
    signingSecret: settings.JWT_SECRET,
    envelopeKey: settings.TOKEN_ENVELOPE_KEY,
  });
  const run = <Row extends object>(text: string, parameters: Parameters) =>
    sql.unsafe<Row[]>(text, parameters, { prepare: true });

  async function member({ userId, sessionId }: Claims, organizationId: string) {
    const key = [sessionId, userId, new Date(), organizationId];
    const [account] = await run<AccountRow>(openSessionInOrganization, key);
    return account?.role ? account : null;
  }

  async function post(
    author: { id: string },
    organizationId: string,
    { taskId, body }: { taskId: string; body: string },
  ) {
    const comment = { id: randomUUIDv7(), taskId, body, createdAt: new Date() };
    const { id, createdAt } = comment;
    const ids = [organizationId, taskId, id, author.id];
    const rest = [body, createdAt, randomUUIDv7(), `req_${randomUUIDv7()}`];
    const posted = await run(postComment, [...ids, ...rest]);
    return posted.length === 1 ? comment : null;
  }

  const whole: Work = {
    async user({ authorization }) {
      const claims = read(authorization);
      if (!claims) return null;
      const [account] = await run<AccountRow>(openSession, [
        claims.sessionId,
        claims.userId,
        new Date(),
      ]);
      return account ? { data: shownAccount(account) } : null;
    },
    async tasks({ authorization, organizationId }, limit) {
      const claims = read(authorization);
      if (!claims || !(await member(claims, organizationId))) return null;
      const rows = await run<TaskRow>(taskPage, [organizationId, limit + 1]);
      return { message: 'Tasks retrieved', data: shownPage(rows, limit) };
    },
    async comment({ authorization, organizationId }, comment) {
      const claims = read(authorization);
      const author = claims && (await member(claims, organizationId));
      if (!author || author.role === 'VIEWER') return null;
      const posted = await post(author, organizationId, comment);
      return posted && { message: 'Comment posted', data: shownComment(posted, author) };
    },
  };

  const bare: Work = {
    async user({ authorization }) {
      const claims = read(authorization);
      if (!claims) return null;
      const [account] = await run<AccountRow>(accountOfUser, [claims.userId]);
      return account ? { data: shownAccount(account) } : null;
    },
    async tasks({ authorization, organizationId }, limit) {
      const claims = read(authorization);
      if (!claims) return null;
      const rows = await run<TaskRow>(taskPageOfMember, [organizationId, limit + 1, claims.userId]);
      return { message: 'Tasks retrieved', data: shownPage(rows, limit) };
    },
    async comment({ authorization, organizationId }, comment) {
      const claims = read(authorization);
      if (!claims) return null;
      const posted = await post({ id: claims.userId }, organizationId, comment);
      return posted && { message: 'Comment posted', data: posted };
    },
  };

  return settings.OPPONENT_WORK === 'bare' ? bare : whole;
}
