import { sql } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { newUser, type TestUser } from '../../testing/accounts.ts';
import { call, startTestApi } from '../../testing/api.ts';
import { joinTeam, newTeam } from '../../testing/organizations.ts';
import { setUpApi } from '../../testing/set-up.ts';
import { newProject, newTask } from '../../testing/work.ts';
import { knownPages } from './known-pages.ts';
import { stateOf } from './queries.ts';
import { numberedList } from './testing.ts';

const api = await setUpApi();
const pagesWith = (maxBytes: number) =>
  knownPages<{ text: string }>({ ...api.deps, config: { KNOWN_PAGES_MAX_BYTES: maxBytes } });
const mebibyte = 1024 ** 2;

/** Records an activity, as every change does. */
async function change(user: TestUser): Promise<void> {
  await newProject(api, user);
  const response = await call(api, 'projects.create', {
    token: user.token,
    body: { name: 'Another' },
  });
  expect(response.status).toBe(201);
}

describe('a page', () => {
  test('is read once, and again after each change in its organization', async () => {
    const [user, other] = [await newUser(api), await newUser(api)];
    const pages = pagesWith(mebibyte);
    const { page } = numberedList(user.organizationId);
    const texts = async () => {
      await untilSettled(user);
      return [(await pages.find(page)).text, (await pages.find(page)).text];
    };
    expect(await texts()).toEqual(['read 1', 'read 1']);
    await change(other);
    expect(await texts()).toEqual(['read 1', 'read 1']);
    await change(user);
    expect(await texts()).toEqual(['read 2', 'read 2']);
  });

  test('is not that of another organization, nor of another key', async () => {
    const [one, other] = [await newUser(api), await newUser(api)];
    const pages = pagesWith(mebibyte);
    const first = numberedList(one.organizationId);
    await pages.find(first.page);
    await pages.find({ ...first.page, key: 'another' });
    expect(first.reads()).toBe(2);
    const second = numberedList(other.organizationId);
    await pages.find(second.page);
    expect(second.reads()).toBe(1);
  });

  test('is read again when a change commits that was under way while it was read', async () => {
    const user = await newUser(api);
    const pages = pagesWith(mebibyte);
    const { page } = numberedList(user.organizationId);
    await untilSettled(user);
    await api.db.transaction(async (tx) => {
      await recordChange(tx, user);
      // What the transaction does is invisible to this page, and to the next look.
      expect((await pages.find(page)).text).toBe('read 1');
      expect((await pages.find(page)).text).toBe('read 1');
    });
    await untilSettled(user);
    expect((await pages.find(page)).text).toBe('read 2');
    expect((await pages.find(page)).text).toBe('read 2');
  });

  test('is read again while an earlier transaction than its newest change is under way', async () => {
    const [user, other] = [await newUser(api), await newUser(api)];
    const pages = pagesWith(mebibyte);
    const { page } = numberedList(user.organizationId);
    await api.db.transaction(async (tx) => {
      await recordChange(tx, other);
      await change(user);
      expect((await pages.find(page)).text).toBe('read 1');
      expect((await pages.find(page)).text).toBe('read 2');
    });
    await untilSettled(user);
    const { text } = await pages.find(page);
    expect((await pages.find(page)).text).toBe(text);
  });

  test('is read once for all who ask while it is read, and anew for who asks after a change', async () => {
    const user = await newUser(api);
    const pages = pagesWith(mebibyte);
    const { page, reads } = numberedList(user.organizationId);
    const reading = Promise.withResolvers<void>();
    await untilSettled(user);
    const slow = { ...page, read: async () => (await reading.promise, page.read()) };
    const before = Array.from({ length: 5 }, () => pages.find(slow));
    await untilLooked();
    await change(user);
    await untilSettled(user);
    expect((await pages.find(page)).text).toBe('read 1');
    // What began before the change ends now, and isn't kept instead of what began after it.
    reading.resolve();
    const [own, ...others] = (await Promise.all(before)).map(({ text }) => text);
    expect(own).toBe('read 2');
    expect(new Set(others).size).toBe(1);
    expect(others).not.toContain('read 2');
    // Jobs may have been under way during the second one.
    expect(reads()).toBeLessThanOrEqual(3);
  });

  test('that could not be read fails for its own request, and is read by the next', async () => {
    const user = await newUser(api);
    const pages = pagesWith(mebibyte);
    const { page } = numberedList(user.organizationId);
    await untilSettled(user);
    const reading = Promise.withResolvers<never>();
    const started = Promise.withResolvers<void>();
    const failing = pages.find({
      ...page,
      read() {
        started.resolve();
        return reading.promise;
      },
    });
    await started.promise;
    const joined = pages.find(page);
    await untilLooked();
    reading.reject(new Error('no connection'));
    await expect(failing).rejects.toThrow('no connection');
    expect((await joined).text).toBe('read 1');
    expect((await pages.find(page)).text).toBe('read 1');
  });
});

describe('people', () => {
  test('of a page are shown under their new name at once, without an activity of the organization', async () => {
    const [owner, member] = [await newUser(api), await newUser(api)];
    const { id: organizationId } = await newTeam(api, owner);
    await joinTeam(api, organizationId, member, 'MEMBER');
    const projectId = await newProject(api, owner, { organizationId });
    await newTask(api, owner, { projectId, organizationId, assigneeIds: [member.id] });
    const nameShown = async () => {
      const options = { token: owner.token, organizationId };
      const { body } = await call(api, 'tasks.list', options);
      return body.data.items[0].assignees[0].displayName;
    };
    for (const firstName of ['Ada', 'Grace', 'Ada']) {
      const renamed = await call(api, 'profile.update', {
        token: member.token,
        body: { firstName, lastName: 'Byron' },
      });
      expect(renamed.status).toBe(200);
      expect(await nameShown()).toBe(`${firstName} Byron`);
      expect(await nameShown()).toBe(`${firstName} Byron`);
    }
  });

  test('who no longer exist make a page be read again', async () => {
    const [user, gone] = [await newUser(api), await newUser(api)];
    const pages = pagesWith(mebibyte);
    const row = { firstName: null, lastName: null, avatarKey: null };
    const [both, one] = [
      numberedList(user.organizationId, {
        people: [
          { id: '00000000-0000-7000-8000-000000000000', email: 'gone@example.com', ...row },
          { id: gone.id, email: gone.email, ...row },
        ],
      }),
      numberedList(user.organizationId, { people: [{ id: gone.id, email: gone.email, ...row }] }),
    ];
    await untilSettled(user);
    await pages.find(both.page);
    await pages.find(both.page);
    expect(both.reads()).toBe(2);
    await pages.find({ ...one.page, key: 'one' });
    await pages.find({ ...one.page, key: 'one' });
    expect(one.reads()).toBe(1);
  });
});

describe('memory', () => {
  test('is bounded, and what was used longest ago goes first', async () => {
    const user = await newUser(api);
    const pages = pagesWith(50_000);
    const { page, reads } = numberedList(user.organizationId);
    await untilSettled(user);
    for (let index = 0; index < 100; index += 1) {
      await pages.find({ ...page, key: `page ${index}` });
      await pages.find({ ...page, key: 'page 0' });
      expect(pages.bytes()).toBeLessThanOrEqual(50_000);
    }
    expect(reads()).toBe(100);
    await pages.find({ ...page, key: 'page 1' });
    expect(reads()).toBe(101);
  });

  test('of 0 bytes keeps nothing', async () => {
    const user = await newUser(api);
    const pages = pagesWith(0);
    const { page, reads } = numberedList(user.organizationId);
    await pages.find(page);
    await pages.find(page);
    expect([reads(), pages.bytes()]).toEqual([2, 0]);
  });
});

test('another server, or a restored table, is another run', async () => {
  const user = await newUser(api);
  const of = { organizationId: user.organizationId, personIds: [] };
  const { run } = await stateOf(api.db, of);
  expect((await stateOf(api.db, of)).run).toBe(run);
  const other = await startTestApi();
  try {
    expect((await stateOf(other.db, of)).run).not.toBe(run);
  } finally {
    await other.close();
  }
});

/** Waits until all earlier transactions have ended, also those of other test files: a page that is read then is kept. */
async function untilSettled({ organizationId }: TestUser): Promise<void> {
  const isSettled = async () => {
    const { lastChange, nextUnsettled } = await stateOf(api.db, { organizationId, personIds: [] });
    return lastChange < nextUnsettled;
  };
  await expect.poll(isSettled, { timeout: 20_000 }).toBe(true);
}

/** Waits until all requests of pages know the state of their organization. */
async function untilLooked(): Promise<void> {
  await expect.poll(() => api.deps.databaseLoad().underWay).toBe(0);
}

async function recordChange(tx: Pick<typeof api.db, 'execute'>, user: TestUser): Promise<void> {
  await tx.execute(sql`
    insert into activities (id, organization_id, action, actor_id, resource_type, resource_id, resource_name, changes, created_at)
    values (uuidv7(), ${user.organizationId}, 'project.update', ${user.id}, 'project', uuidv7(), 'Website', '[]', now())`);
}
