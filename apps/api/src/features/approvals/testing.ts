import { logIn } from '../../testing/accounts.ts';
import { makeKey } from '../../testing/api-keys.ts';
import { storeApproval } from '../../testing/approvals.ts';
import type {
  FeatureFixtures,
  InputsOf,
  RecordMaker,
  Story,
} from '../../testing/feature-fixtures.ts';
import { madeInStory, makeRecord, noInput } from '../../testing/fixture-parts.ts';

const approval: InputsOf = (team) => [{ params: { id: team.approvalId } }];

const ownApproval: RecordMaker = async (request) => {
  const { api, teamId, author } = request;
  const project = await makeRecord(request, 'projects.create', { body: { name: 'Website' } });
  const task = await makeRecord(request, 'tasks.create', {
    params: { projectId: project.id },
    body: { title: 'Launch' },
  });
  const call = { organizationId: teamId, createdBy: author.id, taskId: task.id };
  return { params: { id: await storeApproval(api, call) } };
};

export const approvalsFixtures: FeatureFixtures<'approvals'> = {
  inputs: {
    list: noInput,
    // A session asks for none; `approvals.test.ts` asks with keys.
    request: () => [],
    get: approval,
    approve: approval,
    refuse: approval,
  },
  ownRecords: { get: ownApproval, approve: ownApproval, refuse: ownApproval },
  endings: ['refuse'],
  stories: { 'a call of an assistant from its request to its refusal': lifeOfAnApproval },
};

async function lifeOfAnApproval(story: Story): Promise<void> {
  const { api, walk, people, teamId } = story;
  const ada = await logIn(api, people.ada);
  const inTeam = { organizationId: teamId };
  const projectId = await madeInStory(story, 'projects.create', {
    body: { name: 'Website' },
  });
  const taskId = await madeInStory(story, 'tasks.create', {
    params: { projectId },
    body: { title: 'Launch' },
  });
  const { key } = await makeKey(api, people.ada, {
    preset: 'contributor',
    organizationIds: [teamId],
  });
  const made = await walk('approvals.request', {
    as: { ...ada, token: key },
    input: { ...inTeam, body: { tool: 'tasks_remove', arguments: { id: taskId } } },
    recorded: { ...inTeam, action: 'approval.request' },
    refused: [{ token: people.stranger.token }],
  });
  const params = { id: String(made.body.data.id) };
  const refused = [{ token: people.stranger.token }, { token: people.viewer.token }];
  await walk('approvals.approve', {
    as: ada,
    input: { ...inTeam, params },
    recorded: { ...inTeam, action: 'approval.approve', fields: ['status'] },
    refused,
  });
  await walk('approvals.refuse', {
    as: ada,
    input: { ...inTeam, params },
    recorded: { ...inTeam, action: 'approval.refuse', fields: ['status'] },
    refused,
  });
}
