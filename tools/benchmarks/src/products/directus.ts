import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import postgres, { type Sql } from 'postgres';
import { password } from '../seed/accounts.ts';
import { startServer } from '../server-process.ts';
import { get } from '../fixtures.ts';
import type { TaskRow } from '../limit/rows.ts';
import type { LoadRequest } from '../load.ts';
import { commentText, pageLimit, withComments } from '../comments.ts';
import { request, type Installation, type RunningProduct, type Team } from './product.ts';

const admin = { email: 'admin@example.com', password };

/**
 * Starts Directus 12 with tables in its own style: relations, and a role that may read. Item permissions need a
 * licence, so the query filters by the teams of the user. The position and comment count of a task are stored,
 * which saves it the work; a comment is stored without changing the count.
 *
 * @see https://directus.io/docs/guides/auth/access-control
 * @see https://directus.io/docs/guides/connect/query-parameters
 */
export async function startDirectus(place: Installation, team: Team): Promise<RunningProduct> {
  const env = environmentOf(place);
  const entry = join(place.packageDir, 'node_modules', 'directus', 'cli.js');
  execFileSync(process.execPath, [entry, 'bootstrap'], { env, cwd: place.dataDir });
  const sql = postgres(place.databaseUrl, { max: 1, onnotice: () => undefined });
  try {
    const roleId = await makeModel(sql);
    const server = await startServer({
      entry,
      args: ['start'],
      env,
      cwd: place.dataDir,
      logFile: join(place.dataDir, 'directus.log'),
      announcement: /Server started at (http:\/\/127\.0\.0\.1:\d+)/,
    });
    try {
      const accessTokens = await makePeople(server.url, { team, roleId });
      await fill(sql, team);
      const person = 'id,email,first_name,last_name';
      const people = person.replaceAll(/\w+/g, (field) => `assignees.person.${field}`);
      const ownTeam = { memberships: { member: { _eq: '$CURRENT_USER' } } };
      const filter = { _and: [{ team: { _eq: team.organizationId } }, { team: ownTeam }] };
      const query = `limit=50&sort=-created_at,-id&fields=*,${people}&meta=filter_count&filter=${encodeURIComponent(JSON.stringify(filter))}`;
      const common = { headers: {}, accessTokens };
      const page = [get(`/items/tasks?${query}`)];
      const comments = team.tasks.slice(pageLimit).map(commentOn);
      return {
        server,
        S1: { ...common, requests: [get(`/users/me?fields=${person},status`)] },
        S2: { ...common, requests: page },
        'S2-writes': { ...common, requests: withComments(page, comments) },
      };
    } catch (error) {
      await server.stop();
      throw error;
    }
  } finally {
    await sql.end();
  }
}

function commentOn({ id }: TaskRow): LoadRequest {
  return { method: 'POST', path: '/items/comments', body: { task: id, body: commentText } };
}

function environmentOf({ databaseUrl, dataDir, port }: Installation): Record<string, string> {
  const database = new URL(databaseUrl);
  return {
    NODE_ENV: 'production',
    HOST: '127.0.0.1',
    PORT: String(port),
    CONFIG_PATH: join(dataDir, 'none.env'),
    DB_CLIENT: 'pg',
    DB_HOST: database.hostname,
    DB_PORT: database.port,
    DB_DATABASE: database.pathname.slice(1),
    DB_USER: decodeURIComponent(database.username),
    DB_PASSWORD: decodeURIComponent(database.password),
    SECRET: randomUUID(),
    ACCESS_TOKEN_TTL: '2h',
    ADMIN_EMAIL: admin.email,
    ADMIN_PASSWORD: admin.password,
    TELEMETRY: 'false',
    // A benchmark would trigger load shedding.
    PRESSURE_LIMITER_ENABLED: 'false',
  };
}

/** Creates the tables. @returns the role of the people */
async function makeModel(sql: Sql): Promise<string> {
  await sql.unsafe(tables);
  const [roleId, policyId] = [randomUUID(), randomUUID()];
  await sql`insert into directus_roles (id, name) values (${roleId}, 'People')`;
  await sql`insert into directus_policies (id, name) values (${policyId}, 'People')`;
  await sql`insert into directus_access (id, role, policy) values (${randomUUID()}, ${roleId}, ${policyId})`;
  for (const collection of ['tasks', 'teams', 'memberships', 'assignees', 'directus_users']) {
    await sql`
      insert into directus_permissions (policy, collection, action, permissions, fields)
      values (${policyId}, ${collection}, 'read', '{}', '*')`;
  }
  await sql`
    insert into directus_permissions (policy, collection, action, permissions, fields)
    values (${policyId}, 'comments', 'create', '{}', '*'), (${policyId}, 'comments', 'read', '{}', '*')`;
  return roleId;
}

const tables = `
  create table teams (id uuid primary key);
  create table memberships (
    id uuid primary key, team uuid not null references teams, member uuid not null references directus_users,
    unique (team, member)
  );
  create table tasks (
    id uuid primary key, number int not null, project uuid not null, team uuid not null references teams,
    title text not null, description text, status text not null, priority text not null,
    due_date timestamptz, position int not null, comment_count int not null, completed_at timestamptz,
    created_by uuid references directus_users, created_at timestamptz not null, updated_at timestamptz not null
  );
  create index on tasks (team, created_at, id);
  create table assignees (
    id uuid primary key, task uuid not null references tasks, person uuid not null references directus_users
  );
  create index on assignees (task);
  create table comments (
    id serial primary key, task uuid not null references tasks, body text not null,
    author uuid references directus_users, created_at timestamptz
  );
  create index on comments (task, created_at);
  insert into directus_collections (collection) values ('teams'), ('memberships'), ('tasks'), ('assignees'), ('comments');
  insert into directus_fields (collection, field, special)
    values ('teams', 'memberships', 'o2m'), ('tasks', 'assignees', 'o2m'),
      ('comments', 'author', 'user-created'), ('comments', 'created_at', 'date-created');
  insert into directus_relations (many_collection, many_field, one_collection, one_field) values
    ('memberships', 'team', 'teams', 'memberships'), ('memberships', 'member', 'directus_users', null),
    ('tasks', 'team', 'teams', null), ('tasks', 'created_by', 'directus_users', null),
    ('assignees', 'task', 'tasks', 'assignees'), ('assignees', 'person', 'directus_users', null),
    ('comments', 'task', 'tasks', null), ('comments', 'author', 'directus_users', null);`;

/** Creates the people. @returns an access token for each */
async function makePeople(
  url: string,
  { team, roleId }: { team: Team; roleId: string },
): Promise<string[]> {
  const headers = { authorization: `Bearer ${await logIn(url, admin)}` };
  const tokens: string[] = [];
  for (const { id, email } of team.people) {
    const body = { id, email, password, role: roleId, first_name: 'Ada', last_name: 'Lovelace' };
    await request(`${url}/users`, { headers, body });
    tokens.push(await logIn(url, { email, password }));
  }
  return tokens;
}

async function logIn(url: string, body: { email: string; password: string }): Promise<string> {
  // The response of its login.
  const { data } = (await request(`${url}/auth/login`, { body })) as {
    readonly data: { readonly access_token: string };
  };
  return data.access_token;
}

async function fill(sql: Sql, { people, organizationId, tasks }: Team): Promise<void> {
  await sql`insert into teams (id) values (${organizationId})`;
  const members = people.map(({ id }) => ({ id: randomUUID(), team: organizationId, member: id }));
  await sql`insert into memberships ${sql(members)}`;
  const rows = tasks.map((task) => ({
    id: task.id,
    number: task.number,
    project: task.project_id,
    team: task.organization_id,
    title: task.title,
    description: task.description,
    status: task.status,
    priority: task.priority,
    due_date: task.due_date,
    position: task.position,
    comment_count: task.comment_count,
    completed_at: task.completed_at,
    created_by: task.created_by,
    created_at: task.created_at,
    updated_at: task.updated_at,
  }));
  await sql`insert into tasks ${sql(rows)}`;
  const assigned = tasks.flatMap(({ id: task, assignees }) =>
    assignees.map(({ id: person }) => ({ id: randomUUID(), task, person })),
  );
  await sql`insert into assignees ${sql(assigned)}`;
  await sql`vacuum analyze`;
}
