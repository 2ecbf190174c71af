import type { FeatureFixtures, InputsOf, RecordMaker } from '../../testing/feature-fixtures.ts';
import {
  giveTo,
  madeInStory,
  makeRecord,
  recordWithBody,
  stepOf,
  withBody,
} from '../../testing/fixture-parts.ts';

const comment: InputsOf = (team) => [
  { params: { taskId: team.taskId, commentId: team.commentId } },
];

const ownComment: RecordMaker = async (request) => {
  const project = await makeRecord(request, 'projects.create', { body: { name: 'Website' } });
  const task = await makeRecord(request, 'tasks.create', {
    params: { projectId: project.id },
    body: { title: 'Write the imprint' },
  });
  const { id } = await makeRecord(request, 'comments.create', {
    params: { taskId: task.id },
    body: { body: 'The address is missing' },
  });
  await giveTo(request, { table: 'comments', column: 'author_id', id });
  return { params: { taskId: task.id, commentId: id } };
};

export const commentsFixtures: FeatureFixtures<'comments'> = {
  inputs: {
    list: (team) => [{ params: { taskId: team.taskId } }],
    create: withBody(
      (team) => [{ params: { taskId: team.taskId } }],
      () => ({ body: 'Another' }),
    ),
    remove: comment,
    update: withBody(comment, () => ({ body: 'Changed' })),
  },
  ownRecords: {
    update: recordWithBody(ownComment, { body: 'The address is there' }),
    remove: ownComment,
  },
  endings: ['remove'],
  stories: {
    async 'a comment from its posting to its deletion'(story) {
      const { walk, teamId } = story;
      const inTeam = { organizationId: teamId };
      const step = stepOf(story);
      const projectId = await madeInStory(story, 'projects.create', { body: { name: 'Website' } });
      const taskId = await madeInStory(story, 'tasks.create', {
        params: { projectId },
        body: { title: 'Write the imprint' },
      });
      const posted = await walk('comments.create', {
        ...step({ taskId }, { body: 'The address is missing' }),
        recorded: { ...inTeam, action: 'comment.create' },
      });
      const address = { taskId, commentId: String(posted.body.data.id) };
      await walk('comments.update', {
        ...step(address, { body: 'The address is there' }),
        recorded: { ...inTeam, action: 'comment.update', fields: ['body'] },
      });
      await walk('comments.remove', {
        ...step(address),
        recorded: { ...inTeam, action: 'comment.delete' },
      });
    },
  },
};
