import type { FeatureFixtures, InputsOf, RecordMaker } from '../../testing/feature-fixtures.ts';
import { giveTo, makeRecord, noInput, stepOf, withBody } from '../../testing/fixture-parts.ts';

const project: InputsOf = (team) => [{ params: { id: team.projectId } }];

const ownProject: RecordMaker = async (request) => {
  const { id } = await makeRecord(request, 'projects.create', { body: { name: 'Website' } });
  await giveTo(request, { table: 'projects', column: 'created_by', id });
  return { params: { id } };
};

export const projectsFixtures: FeatureFixtures<'projects'> = {
  inputs: {
    list: noInput,
    create: withBody(noInput, () => ({ name: 'Another' })),
    get: project,
    remove: project,
    update: withBody(project, () => ({ name: 'Renamed' })),
    move: withBody(
      project,
      (team) => ({ afterId: team.otherProjectId }),
      (team) => ({ beforeId: team.otherProjectId }),
    ),
  },
  ownRecords: { remove: ownProject },
  endings: ['remove'],
  stories: {
    async 'a project from its creation to its deletion'(story) {
      const { walk, teamId } = story;
      const inTeam = { organizationId: teamId };
      const step = stepOf(story);
      const newProject = async (name: string) => {
        const { body } = await walk('projects.create', {
          ...step({}, { name }),
          recorded: { ...inTeam, action: 'project.create', fields: ['name'] },
        });
        return String(body.data.id);
      };
      const [id, other] = [await newProject('Website'), await newProject('Imprint')];
      await walk('projects.update', {
        ...step({ id }, { name: 'Web site', description: 'All pages' }),
        recorded: { ...inTeam, action: 'project.update', fields: ['name', 'description'] },
      });
      await walk('projects.move', {
        ...step({ id }, { afterId: other }),
        recorded: { ...inTeam, action: 'project.move', fields: ['position'] },
        refused: [{ body: { afterId: id.replace(/.$/, '0') } }],
      });
      await walk('projects.remove', {
        ...step({ id }),
        recorded: { ...inTeam, action: 'project.delete' },
      });
    },
  },
};
