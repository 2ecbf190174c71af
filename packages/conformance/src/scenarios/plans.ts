import type { Check } from '../check.ts';
import { NotRun } from '../findings.ts';
import type { DataOf, Probe } from '../probe.ts';

type Limits = DataOf<'plans.list'>['items'][number]['limits'];

/** Filling larger limits would be a load test. */
const maxProjects = 200;
const maxUploads = 20;

const projectLimit: Check = {
  id: 'plan.projects',
  group: 'projects',
  title: 'a team has as many projects as its plan allows, and no more',
  run: async ({ probe, fixtures: { owner } }) => {
    const { projects } = await defaultLimits(probe);
    if (projects === null || projects > maxProjects) {
      throw new NotRun(`the default plan allows ${projects ?? 'any number of'} projects`);
    }
    const caller = await newTeam(probe, owner.token);
    const create = (name: string) =>
      probe.request('projects.create', { ...caller, body: { name } });
    const [first] = await inBatches(projects, (index) => create(`Project ${index}`));
    probe.expectRefusal('plan.limits', await create('One more'), 'plan_limit_reached');
    if (!first) return;
    const { id } = probe.dataIn('projects.create', first);
    const setStatus = (status: string) =>
      probe.request('projects.update', { ...caller, params: { id }, body: { status } });
    probe.dataIn('projects.update', await setStatus('ARCHIVED'));
    probe.dataIn('projects.create', await create('Instead of the archived one'));
    probe.expectRefusal('plan.limits', await setStatus('ACTIVE'), 'plan_limit_reached');
  },
};

const storageLimit: Check = {
  id: 'plan.storage',
  group: 'uploads',
  title: 'uploads in progress count against the storage of the plan until they are aborted',
  run: async ({ probe, fixtures: { owner } }) => {
    const { storageBytes, maxFileBytes } = await defaultLimits(probe);
    if (storageBytes === null || maxFileBytes === null) {
      throw new NotRun('the default plan does not limit storage');
    }
    const fitting = Math.floor(storageBytes / maxFileBytes);
    if (fitting > maxUploads) throw new NotRun('the default plan has too much storage to fill');
    const caller = await newTeam(probe, owner.token);
    const { id: collectionId } = await probe.succeed('collections.create', {
      ...caller,
      body: { title: 'Full' },
    });
    const begin = () =>
      probe.request('uploads.initiate', {
        ...caller,
        body: {
          fileName: 'large.bin',
          contentType: 'application/octet-stream',
          fileSize: maxFileBytes,
          collectionId,
        },
      });
    const begun = await inBatches(fitting, begin);
    probe.expectRefusal('plan.limits', await begin(), 'plan_limit_reached');
    for (const response of begun) {
      const { uploadId, key } = probe.dataIn('uploads.initiate', response);
      await probe.succeed('uploads.abort', { ...caller, body: { uploadId, key } });
    }
  },
};

async function defaultLimits(probe: Probe): Promise<Limits> {
  const { items } = await probe.succeed('plans.list');
  const plan = items.find(({ isDefault }) => isDefault);
  if (!plan) throw new NotRun('there is no default plan');
  return plan.limits;
}

async function newTeam(probe: Probe, token: string) {
  const { id } = await probe.succeed('organizations.create', { token, body: { name: 'Limits' } });
  return { token, organizationId: id };
}

async function inBatches<T>(count: number, make: (index: number) => Promise<T>): Promise<T[]> {
  const made: T[] = [];
  while (made.length < count) {
    const size = Math.min(10, count - made.length);
    const batch = Array.from({ length: size }, (_, index) => make(made.length + index));
    made.push(...(await Promise.all(batch)));
  }
  return made;
}

export const planScenarios: readonly Check[] = [projectLimit, storageLimit];
