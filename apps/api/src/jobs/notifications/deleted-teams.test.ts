import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { notifications, tasks } from '../../db/generated/schema.ts';
import { takeSequences } from '../../domain/notifications/queries/sequences.ts';
import { call } from '../../testing/api.ts';
import { countWaiting, untilWaiting } from '../../testing/crowd.ts';
import { setUpApi } from '../../testing/set-up.ts';
import { noticeDueTasks } from './due-tasks.ts';
import { tellSharer } from './shares.ts';
import { newMailingTeam } from './testing/mailing.ts';

const api = await setUpApi({ JOBS: 'separate' });

type Team = Awaited<ReturnType<typeof newMailingTeam>>;

/** Makes what there is to tell the author of a team. @returns what tells it */
const occasions: Record<string, (team: Team) => Promise<() => Promise<void>>> = {
  'a task that is due': async ({ taskId }) => {
    const dueDate = new Date(api.clock.now().getTime() + 60 * 60 * 1_000);
    await api.db.update(tasks).set({ dueDate }).where(eq(tasks.id, taskId));
    return () => noticeDueTasks(api.deps);
  },
  'a share': async ({ team }) => {
    const made = await call(api, 'collections.create', { ...team, body: { title: 'Autumn' } });
    const body = { targetType: 'COLLECTION', targetId: made.body.data.id };
    const share = await call(api, 'shares.create', { ...team, body });
    const { organizationId } = team;
    const reason = 'shared_opened' as const;
    const notice = { organizationId, shareId: String(share.body.data.id), reason };
    return () => api.deps.db.transaction((tx) => tellSharer(tx, notice, api.clock.now()));
  },
};

test.each(Object.entries(occasions))(
  'an entry about %s is gone with a team that is deleted meanwhile',
  async (_, prepare) => {
    const made = await newMailingTeam(api);
    const tell = await prepare(made);
    const { author, team } = made;
    const removed: number[] = [];
    const remove = async () => {
      const { status } = await call(api, 'organizations.remove', {
        ...team,
        params: { id: team.organizationId },
        query: { confirmName: 'Analytical Engines' },
      });
      removed.push(status);
    };
    const { underWay } = await api.db.transaction(async (tx) => {
      // The entry waits for the inbox of its person.
      await takeSequences(tx, new Map([[author.id, 1]]));
      const told = tell();
      await untilWaiting(tx, 1);
      const isRemoved = remove();
      const isDoneOrWaits = async () => removed.length > 0 || (await countWaiting(tx)) > 1;
      await expect.poll(isDoneOrWaits, { timeout: 10_000 }).toBe(true);
      // Wrapped, so that the transaction ends before they do.
      return { underWay: Promise.all([told, isRemoved]) };
    });
    await underWay;
    expect(removed).toEqual([200]);
    const isOfTeam = eq(notifications.organizationId, team.organizationId);
    expect(await api.db.$count(notifications, isOfTeam)).toBe(0);
  },
);
