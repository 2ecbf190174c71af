import { sql } from 'drizzle-orm';
import { beforeAll, describe, expect, test } from 'vitest';
import { knownPages } from '../../../src/domain/known-pages/known-pages.ts';
import { numberedList } from '../../../src/domain/known-pages/testing.ts';
import { taskListUseCases } from '../../../src/features/tasks/list/usecases.ts';
import { newId } from '../../../src/kernel/ids.ts';
import { newUser } from '../../../src/testing/accounts.ts';
import { activityWalk } from '../../../src/testing/activity-walk.ts';
import { recordChange } from '../../../src/testing/changes.ts';
import { moveOrganization, newDistributedDatabase } from '../../../src/testing/citus/databases.ts';
import { notePrepared, writeOnWorker } from '../../../src/testing/citus/worker-writes.ts';
import { configuredAdmin, type Story } from '../../../src/testing/feature-fixtures.ts';
import { newStoryTeam } from '../../../src/testing/fixture-parts.ts';
import { setUpApi } from '../../../src/testing/set-up.ts';
import { newProject, newTask } from '../../../src/testing/work.ts';
import { storiesOfMembers } from '../../../src/whole-service/fixtures.ts';
import { knownPageComparison } from '../../../src/whole-service/known-pages.ts';

const api = await setUpApi(
  { ADMIN_EMAILS: configuredAdmin() },
  { databaseUrl: await newDistributedDatabase() },
);

describe('a page', () => {
  /** A page that is numbered as it is read. */
  async function numberedPage() {
    const { organizationId } = await newUser(api);
    const pages = knownPages<{ text: string }>(api.deps);
    const { page } = numberedList(organizationId);
    const shown = async () => (await pages.find(page)).text;
    /** Waits until all earlier transactions have ended, and returns the page that is kept then. */
    async function kept(): Promise<string> {
      const same = async () => (await shown()) === (await shown());
      await expect.poll(same).toBe(true);
      return shown();
    }
    return { organizationId, shown, kept };
  }

  test('is known until something changes in its organization, and not in another', async () => {
    const [own, other] = [await numberedPage(), await numberedPage()];
    const before = await own.kept();
    await recordChange(api.db, other.organizationId);
    expect(await own.shown()).toBe(before);
    await recordChange(api.db, own.organizationId);
    expect(await own.shown()).not.toBe(before);
  });

  test('is read again when its server has committed what was prepared while it was read', async () => {
    const { organizationId, shown, kept } = await numberedPage();
    const prepared = await api.db.transaction(async (tx) => {
      const there = await writeOnWorker(
        tx,
        { db: api.db, organizationId },
        (gid) => `prepare transaction '${gid}'`,
      );
      await notePrepared(tx, there);
      return there;
    });
    const before = await kept();
    await prepared.run(`commit prepared '${prepared.gid}'`);
    await prepared.close();
    expect(await shown()).not.toBe(before);
  });

  test('is read again when its server has committed what the coordinator has not', async () => {
    const { organizationId, shown, kept } = await numberedPage();
    const before = await kept();
    await api.db.transaction(async (tx) => {
      const there = await writeOnWorker(tx, { db: api.db, organizationId }, () => 'commit');
      await there.close();
      expect(await shown()).not.toBe(before);
    });
  });

  test('is read again on another server, and known there', async () => {
    const { organizationId, shown, kept } = await numberedPage();
    const before = await kept();
    await moveOrganization(api.db, organizationId);
    expect(await shown()).not.toBe(before);
    await kept();
  });
});

test('a list has every acknowledged change, while many commit on one server and on several', async () => {
  const user = await newUser(api);
  const { organizationId } = user;
  const projectId = await newProject(api, user);
  const ids: string[] = [];
  for (let n = 0; n < 8; n += 1) ids.push((await newTask(api, user, { projectId, title: '0' })).id);
  const acknowledged = new Map(ids.map((id) => [id, 0]));
  const counts = { known: 0, read: 0 };
  const endsAt = performance.now() + 8_000;
  // On a busy host, few pages are known for long enough to be asked for again.
  const latestEnd = endsAt + 32_000;
  const isOver = () =>
    performance.now() > (Math.min(counts.known, counts.read) > 20 ? endsAt : latestEnd);

  async function write(id: string, isEverywhere: boolean): Promise<void> {
    for (let count = 1; !isOver(); count += 1) {
      await api.db.transaction(async (tx) => {
        // A table of every server: the transaction commits in two phases.
        if (isEverywhere) {
          await tx.execute(sql`
            insert into erased_subjects (id, user_id, erased_at) values (${newId()}, ${user.id}, now())`);
        }
        await tx.execute(sql`
          update tasks set title = ${String(count)} where organization_id = ${organizationId} and id = ${id}`);
        await recordChange(tx, organizationId);
      });
      acknowledged.set(id, count);
      // Otherwise no page would be known at all.
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 400));
    }
  }

  const list = taskListUseCases(api.deps);
  const asker = { organization: { id: organizationId }, user };
  async function look(): Promise<void> {
    for (let last: object = {}; !isOver();) {
      const least = new Map(acknowledged);
      const page = await list.list({ sort: 'createdAt', limit: 50 }, asker);
      const missing = page.items.filter(({ id, title }) => Number(title) < (least.get(id) ?? 0));
      expect(missing).toEqual([]);
      counts[page === last ? 'known' : 'read'] += 1;
      last = page;
    }
  }
  const writing = ids.map((id, index) => write(id, index % 2 === 0));
  await Promise.all([...writing, ...Array.from({ length: 4 }, look)]);
  expect(counts.known).toBeGreaterThan(20);
  expect(counts.read).toBeGreaterThan(20);
}, 90_000);

describe('pages of tasks', () => {
  let people: Story['people'];
  let teamId: string;
  beforeAll(async () => {
    const [ada, bob, viewer, stranger] = [
      await newUser(api, 'ada'),
      await newUser(api, 'bob'),
      await newUser(api, 'viewer'),
      await newUser(api, 'stranger'),
    ];
    people = { ada, bob, viewer, stranger };
    ({ teamId } = await newStoryTeam(api, people));
  });
  // Those that the stories change. All of them, and what accounts do alone, take too long on three servers.
  const comparison = knownPageComparison(api, async () => [
    teamId,
    people.ada.organizationId,
    people.bob.organizationId,
  ]);
  const { walk } = activityWalk(
    () => api,
    () => people,
  );
  const walkAndCompare: Story['walk'] = async (id, step) => {
    const response = await walk(id, step);
    await comparison.compare(id, people.ada);
    return response;
  };

  test.each(storiesOfMembers)('are those that are read: %s', async (_title, tell) => {
    await expect(tell({ api, walk: walkAndCompare, people, teamId })).resolves.toBeUndefined();
  });

  test('were known as long as nothing changed, and read again afterwards', () => {
    expect(comparison.counts.reused).toBeGreaterThan(100);
    expect(comparison.counts.changed).toBeGreaterThan(10);
  });
});
