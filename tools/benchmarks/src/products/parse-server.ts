import { join } from 'node:path';
import postgres from 'postgres';
import type { TaskRow } from '../limit/rows.ts';
import { password } from '../seed/accounts.ts';
import { startServer } from '../server-process.ts';
import { get } from '../fixtures.ts';
import { request, type Installation, type RunningProduct, type Team } from './product.ts';

const application = { 'x-parse-application-id': 'bench' };
const master = { ...application, 'x-parse-master-key': 'master' };

/**
 * Starts Parse Server 9 with a role for the team, whose members may read its tasks by ACL. The position and comment
 * count of a task are stored, which saves it the work.
 *
 * @see https://docs.parseplatform.org/rest/guide/#queries
 * @see https://docs.parseplatform.org/rest/guide/#roles
 */
export async function startParseServer(place: Installation, team: Team): Promise<RunningProduct> {
  const { packageDir, databaseUrl, dataDir, port } = place;
  const server = await startServer({
    entry: join(packageDir, 'node_modules', 'parse-server', 'bin', 'parse-server'),
    env: {
      NODE_ENV: 'production',
      PORT: String(port),
      PARSE_SERVER_HOST: '127.0.0.1',
      PARSE_SERVER_URL: `http://127.0.0.1:${port}/parse`,
      PARSE_SERVER_APPLICATION_ID: application['x-parse-application-id'],
      PARSE_SERVER_MASTER_KEY: master['x-parse-master-key'],
      PARSE_SERVER_DATABASE_URI: databaseUrl,
      PARSE_SERVER_LOGS_FOLDER: dataDir,
    },
    cwd: dataDir,
    logFile: join(dataDir, 'parse-server.log'),
    announcement: /running on (http:\/\/127\.0\.0\.1:\d+)/,
  });
  try {
    const api = `${server.url}/parse`;
    const sessions = await fill(api, team);
    const sql = postgres(databaseUrl, { max: 1, onnotice: () => undefined });
    await sql`create index on "Task" ("team", "addedAt", "objectId")`;
    await sql`vacuum analyze`;
    await sql.end();
    const where = encodeURIComponent(JSON.stringify({ team: team.organizationId }));
    const query = `where=${where}&order=-addedAt,-objectId&limit=50&include=assignees&count=1`;
    const common = {
      headers: application,
      accessTokens: sessions,
      tokenHeader: 'x-parse-session-token',
    };
    return {
      server,
      S1: { ...common, requests: [get('/parse/users/me')] },
      S2: { ...common, requests: [get(`/parse/classes/Task?${query}`)] },
    };
  } catch (error) {
    await server.stop();
    throw error;
  }
}

/** Fills it with the team. @returns a session token for each person */
async function fill(api: string, { people, organizationId, tasks }: Team): Promise<string[]> {
  const accounts = new Map<string, { objectId: string; sessionToken: string }>();
  for (const { id, email } of people) {
    const body = { username: email, email, password, firstName: 'Ada', lastName: 'Lovelace' };
    const headers = { ...application, 'x-parse-revocable-session': '1' };
    // The response of its registration.
    const made = (await request(`${api}/users`, { headers, body })) as {
      readonly objectId: string;
      readonly sessionToken: string;
    };
    accounts.set(id, made);
  }
  const pointers = (ids: readonly string[]) =>
    ids.flatMap((id) => {
      const objectId = accounts.get(id)?.objectId;
      return objectId === undefined ? [] : { __type: 'Pointer', className: '_User', objectId };
    });
  const name = `team-${organizationId}`;
  const users = { __op: 'AddRelation', objects: pointers(people.map(({ id }) => id)) };
  await request(`${api}/roles`, { headers: master, body: { name, ACL: {}, users } });
  for (const task of tasks) {
    const body = {
      ...fieldsOf(task),
      assignees: pointers(task.assignees.map(({ id }) => id)),
      ACL: { [`role:${name}`]: { read: true } },
    };
    await request(`${api}/classes/Task`, { headers: master, body });
  }
  return [...accounts.values()].map(({ sessionToken }) => sessionToken);
}

function fieldsOf(task: TaskRow) {
  const parseDate = (date: Date) => ({ __type: 'Date', iso: date.toISOString() });
  return {
    number: task.number,
    project: task.project_id,
    team: task.organization_id,
    title: task.title,
    ...(task.description !== null && { description: task.description }),
    status: task.status,
    priority: task.priority,
    ...(task.due_date && { dueDate: parseDate(task.due_date) }),
    position: task.position,
    commentCount: task.comment_count,
    ...(task.completed_at && { completedAt: parseDate(task.completed_at) }),
    createdBy: task.created_by ?? '',
    addedAt: parseDate(task.created_at),
  };
}
