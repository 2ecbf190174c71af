import { describe, expect, test } from 'vitest';
import { lockedTables, unboundTables } from './tenant-statements.ts';

const tables = new Set(['tasks', 'comments', 'projects', 'assets']);
const forgottenIn = (statement: string) => unboundTables(statement, tables);

describe('reports a statement that', () => {
  test.each([
    ['reads by id alone', 'select * from assets where id = $1', 'assets'],
    ['reads by ids alone', 'select * from assets where id in ($1, $2)', 'assets'],
    [
      'compares a joined table with a column of the other',
      'select from comments c join tasks t on t.organization_id = c.organization_id and t.id = c.task_id where c.organization_id = $1',
      'tasks',
    ],
    [
      'compares a subquery with a column of the outer statement',
      'select (select count(*) from comments where comments.organization_id = tasks.organization_id) from tasks where organization_id = $1',
      'comments',
    ],
    [
      'compares with a column of a common table expression',
      'with mine as (select * from tasks where organization_id = $1) delete from comments using mine where comments.organization_id = mine.organization_id',
      'comments',
    ],
    [
      'compares with the id of the organization that it joins',
      'select from tasks t join organizations o on o.id = t.organization_id where o.id = $1',
      'tasks',
    ],
    [
      'joins by the id of a row of the organization',
      'select from comments c join tasks t on t.id = c.task_id where t.organization_id = $1',
      'comments',
    ],
    [
      'compares with rows of the caller',
      'select from unnest($1::uuid[]) g(organization_id) join assets a on a.organization_id = g.organization_id',
      'assets',
    ],
    [
      'compares with a subquery',
      'select from tasks where organization_id = (select $1::uuid)',
      'tasks',
    ],
    ['allows several organizations', 'select from tasks where organization_id = any($1)', 'tasks'],
    [
      'compares the organization with itself',
      'select from tasks where organization_id = tasks.organization_id',
      'tasks',
    ],
    [
      'compares another column with the parameter',
      'select from tasks t join organizations o on o.organization_id = $1',
      'tasks',
    ],
    [
      'has another way round it',
      'select from tasks where organization_id = $1 or created_by = $2',
      'tasks',
    ],
    ['says which it is not', 'select from tasks where organization_id <> $1', 'tasks'],
    ['changes by id alone', 'update tasks set title = $1 where id = $2', 'tasks'],
    ['deletes by its parent', 'delete from comments where task_id = $1', 'comments'],
    [
      'counts everything',
      'select (select count(*) from projects) from organizations where id = $1',
      'projects',
    ],
    [
      'joins by person',
      'select from tasks t join assets a on a.created_by = t.created_by where t.organization_id = $1',
      'assets',
    ],
    [
      'narrows only the optional side of a join',
      'select from tasks t left join projects p on p.organization_id = $1 and t.organization_id = $1',
      'tasks',
    ],
    [
      'forgets in a subquery what it says outside',
      'select from tasks where organization_id = $1 and project_id in (select id from projects where name = $2)',
      'projects',
    ],
    [
      'forgets in one half of a union',
      'select id from tasks where organization_id = $1 union select id from projects',
      'projects',
    ],
    ['copies from everywhere', 'insert into tasks select * from tasks', 'tasks'],
    [
      'hides behind an alias',
      'with tasks as (select 1) select from comments tasks where id = $1',
      'comments',
    ],
    [
      'hides behind the name of a common table expression that reads it',
      'with tasks as (select * from tasks) select from tasks',
      'tasks',
    ],
    [
      'changes the table that a common table expression has its name from',
      'with tasks as (select 1) delete from tasks',
      'tasks',
    ],
    [
      'returns rows from a common table expression that changes everything',
      'with gone as (delete from comments returning *) select from gone',
      'comments',
    ],
  ])('%s', async (_, statement, forgotten) => {
    expect(await forgottenIn(statement)).toEqual([forgotten]);
  });

  test('forgets several tables, each time', async () => {
    const statement = 'select from tasks join projects on true join projects other on true';
    expect(await forgottenIn(statement)).toEqual(['tasks', 'projects', 'projects']);
  });
});

test.each([
  'select from assets where organization_id = $1 and id = $2',
  'select from assets where $1 = organization_id',
  'select from assets where (organization_id, id) = ($1, $2)',
  'select from assets where organization_id = $1::uuid',
  'select from comments c join tasks t on t.organization_id = $1 and t.id = c.task_id where c.organization_id = $2',
  'select from comments c left join tasks t on t.organization_id = $1 and t.id = c.task_id where c.organization_id = $2',
  'select from tasks where organization_id = $1 and exists (select from comments c where c.organization_id = $2 and c.task_id = tasks.id)',
  'with mine as (select id from tasks where organization_id = $1) delete from comments using mine where comments.organization_id = $2 and comments.task_id = mine.id',
  'with tasks as (select 1) select from tasks',
  'with recursive tasks as (select 1 as n union all select n + 1 from tasks) select from tasks',
  'insert into tasks (organization_id) values ($1)',
  'select from users where id = $1',
])('reports nothing in: %s', async (statement) => {
  expect(await forgottenIn(statement)).toEqual([]);
});

test.each([
  ['all that it reads', 'select from tasks t join users u on true for update', ['tasks', 'users']],
  ['what it names', 'select from tasks t join users u on true for share of u', ['users']],
  [
    'in a common table expression',
    'with mine as (select from users for key share) select from mine for update',
    ['users'],
  ],
  ['nothing', 'update tasks set title = $1 from users', []],
])('finds what a statement locks: %s', async (_, statement, locked) => {
  expect(await lockedTables(statement)).toEqual(locked);
});
