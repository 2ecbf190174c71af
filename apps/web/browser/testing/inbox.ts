import { setTimeout as delay } from 'node:timers/promises';
import type { Task } from '@atelier/client';
import { newAccount, newTeam, type Account } from './accounts.ts';
import type { Stack } from './stack.ts';

const pollMs = 100;
const maxAttempts = 300;

/** A team of Ada, whose inbox it is, and of Grace, with a board. */
export async function newInboxTeam(stack: Stack) {
  const [ada, grace] = await Promise.all([newAccount(stack, 'Ada'), newAccount(stack, 'Grace')]);
  const organizationId = await newTeam(stack, [grace, ada]);
  const adaId = (await ada.api.auth.user()).id;
  const options = { organizationId };
  const project = await grace.api.projects.create({ body: { name: 'Website' } }, options);
  const params = { projectId: project.id };
  const addTask = (title: string): Promise<Task> =>
    grace.api.tasks.create({ params, body: { title } }, options);
  const comment = (by: Account, { id: taskId }: Task, body: string) =>
    by.api.comments.create({ params: { taskId }, body: { body } }, options);
  return {
    ada,
    grace,
    organizationId,
    project,
    addTask,
    comment,
    mention: (task: Task, body: string) => comment(grace, task, `@${ada.displayName} ${body}`),
    assign: ({ id }: Task) =>
      grace.api.tasks.assign({ params: { id }, body: { assigneeIds: [adaId] } }, options),
    /** Waits until so many are unread. */
    async untilUnread(count: number): Promise<void> {
      for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
        if ((await ada.api.notifications.count()).unread === count) return;
        await delay(pollMs);
      }
      throw new Error(`${count} notifications never arrived`);
    },
    /** Removes Ada from the team. */
    async removeAda(): Promise<void> {
      const { items } = await grace.api.organizations.listMembers({
        params: { id: organizationId },
      });
      const member = items.find(({ user }) => user.id === adaId);
      await grace.api.organizations.removeMember({
        params: { id: organizationId, memberId: member?.id ?? '' },
      });
    },
  };
}
