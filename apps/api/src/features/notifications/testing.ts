import type { FeatureFixtures, InputsOf, Story } from '../../testing/feature-fixtures.ts';
import type { CallOptions } from '../../testing/api.ts';
import { untilNotified } from '../../testing/inboxes.ts';
import { madeInStory, noInput, stepOf, withBody } from '../../testing/fixture-parts.ts';

const somePreferences = {
  reasons: { commented: { inbox: true, mail: 'OFF' } },
  digest: { frequency: 'WEEKLY', hour: 8, weekday: 1, timeZone: 'Europe/Lisbon' },
  organizations: {},
  unsubscribed: {},
};

const task: InputsOf = (team) => [{ params: { id: team.taskId } }];
const marked: InputsOf = ({ organizationId, notificationId }) => [
  { body: { ids: [notificationId] } },
  { body: { upTo: 1 } },
  { body: { upTo: 1, organizationId } },
];

export const notificationsFixtures: FeatureFixtures<'notifications'> = {
  inputs: {
    list: (team) => [{}, { query: { organizationId: team.organizationId } }],
    count: noInput,
    update: (team) => [{ params: { id: team.notificationId }, body: { isRead: true } }],
    read: marked,
    archive: marked,
    following: task,
    follow: task,
    unfollow: task,
    followers: task,
    preferences: noInput,
    setPreferences: withBody(noInput, () => somePreferences),
  },
  stories: { 'an inbox that is read, and a task that is followed': lifeOfAnInbox },
};

async function lifeOfAnInbox(story: Story): Promise<void> {
  const {
    api,
    walk,
    people: { viewer },
  } = story;
  const step = stepOf(story);
  const projectId = await madeInStory(story, 'projects.create', { body: { name: 'Website' } });
  const id = await madeInStory(story, 'tasks.create', {
    params: { projectId },
    body: { title: 'Write the imprint', assigneeIds: [viewer.id] },
  });
  const entry = await untilNotified(api, viewer, id);
  const own = (input: CallOptions) => ({ as: viewer, input, recorded: null });
  const params = { id: entry.id };
  await walk('notifications.update', own({ params, body: { isRead: false } }));
  const shown = { body: { upTo: entry.sequence } };
  await walk('notifications.read', own(shown));
  await walk('notifications.archive', own(shown));
  await walk('notifications.follow', { ...step({ id }), recorded: null });
  await walk('notifications.unfollow', { ...step({ id }), recorded: null });
  await walk('notifications.setPreferences', own({ body: somePreferences }));
  await walk('notifications.unsubscribe', { as: viewer, input: {}, recorded: null });
}
