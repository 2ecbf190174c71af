import { operations, type Operation, type OperationId } from '@atelier/contract';
import { apiKeysFixtures } from '../features/api-keys/testing.ts';
import { assetsFixtures } from '../features/assets/testing.ts';
import { authFixtures } from '../features/auth/testing.ts';
import { collectionsFixtures } from '../features/collections/testing.ts';
import { commentsFixtures } from '../features/comments/testing.ts';
import { dashboardFixtures } from '../features/dashboard/testing.ts';
import { eventsFixtures } from '../features/events/testing.ts';
import { healthFixtures } from '../features/health/testing.ts';
import { organizationsFixtures } from '../features/organizations/testing.ts';
import { plansFixtures } from '../features/plans/testing.ts';
import { profileFixtures } from '../features/profile/testing.ts';
import { projectsFixtures } from '../features/projects/testing.ts';
import { sessionsFixtures } from '../features/sessions/testing.ts';
import { tasksFixtures } from '../features/tasks/testing.ts';
import { timelineFixtures } from '../features/timeline/testing.ts';
import { uploadsFixtures } from '../features/uploads/testing.ts';
import type { GroupName } from '../http/feature.ts';
import { labelsFixtures } from '../features/labels/testing.ts';
import type {
  FeatureFixtures,
  Input,
  InputsOf,
  RecordMaker,
  Story,
} from '../testing/feature-fixtures.ts';
import { serviceAccountsFixtures } from '../features/service-accounts/testing.ts';
import { webhooksFixtures } from '../features/webhooks/testing.ts';
import { accountFixtures } from '../features/account/testing.ts';
import { securityFixtures } from '../features/security/testing.ts';
import { notificationsFixtures } from '../features/notifications/testing.ts';
import { searchFixtures } from '../features/search/testing.ts';
import { assetCommentsFixtures } from '../features/asset-comments/testing.ts';
import { sharesFixtures } from '../features/shares/testing.ts';
import { taskAssetsFixtures } from '../features/task-assets/testing.ts';
import { approvalsFixtures } from '../features/approvals/testing.ts';
import type { FilledTeam } from '../testing/filled-team.ts';

/** The fixtures of every group, parts before wholes: a group without any doesn't compile. */
const fixtures: { readonly [Group in GroupName]: FeatureFixtures<Group> } = {
  approvals: approvalsFixtures,
  taskAssets: taskAssetsFixtures,
  assetComments: assetCommentsFixtures,
  shares: sharesFixtures,
  search: searchFixtures,
  notifications: notificationsFixtures,
  account: accountFixtures,
  security: securityFixtures,
  webhooks: webhooksFixtures,
  serviceAccounts: serviceAccountsFixtures,
  apiKeys: apiKeysFixtures,
  labels: labelsFixtures,
  comments: commentsFixtures,
  tasks: tasksFixtures,
  projects: projectsFixtures,
  uploads: uploadsFixtures,
  assets: assetsFixtures,
  collections: collectionsFixtures,
  organizations: organizationsFixtures,
  auth: authFixtures,
  sessions: sessionsFixtures,
  profile: profileFixtures,
  timeline: timelineFixtures,
  events: eventsFixtures,
  plans: plansFixtures,
  dashboard: dashboardFixtures,
  health: healthFixtures,
};

/** For a single group, the names of its operations no longer matter. */
interface AnyFixtures {
  readonly inputs: Readonly<Record<string, InputsOf | null>>;
  readonly ownRecords?: Readonly<Record<string, RecordMaker>>;
  readonly endings?: readonly string[];
  readonly stories?: Readonly<Record<string, (story: Story) => Promise<void>>>;
}

const groups = Object.entries(fixtures) as [GroupName, AnyFixtures][];

/** By operation id, which consists of the group and the name. */
function byOperation<Value>(of: (group: AnyFixtures) => Readonly<Record<string, Value>>) {
  return new Map(
    groups.flatMap(([group, own]) =>
      Object.entries(of(own)).map(([name, value]) => [`${group}.${name}`, value] as const),
    ),
  );
}

const inputs = byOperation((group) => group.inputs);
const ownRecords = byOperation((group) => group.ownRecords ?? {});

/** Every operation that an account calls: not those that are public, or of visitors of a share. */
export const operationsOfAccounts = operations.filter(
  ({ endpoint }) => !['public', 'share'].includes(endpoint.metadata.access.kind),
);

/** Returns inputs that succeed in a team; undefined if only a story covers the operation. */
export function findInputs(id: OperationId, team: FilledTeam): readonly Input[] | undefined {
  return inputs.get(id)?.(team);
}

/** @throws Error for an operation without any */
export function inputsOf(id: OperationId, team: FilledTeam): readonly Input[] {
  const found = findInputs(id, team);
  if (!found) throw new Error(`add inputs of ${placeOf(id)}`);
  return found;
}

/** @throws Error for an operation without a record that the caller owns */
export function ownRecordOf(id: OperationId): RecordMaker {
  const maker = ownRecords.get(id);
  if (!maker) throw new Error(`add an own record of ${placeOf(id)}`);
  return maker;
}

/** The stories of groups, by their titles. */
function storiesOf(some: typeof groups) {
  return some.flatMap(([, { stories: own = {} }]) => Object.entries(own));
}

export const stories = storiesOf(groups);

/** Those of groups with operations for members. The others are of accounts alone. */
export const storiesOfMembers = storiesOf(
  groups.filter(([group]) =>
    operations.some(
      ({ id, endpoint }) =>
        id.startsWith(`${group}.`) && endpoint.metadata.access.kind === 'member',
    ),
  ),
);

/** Returns the location of an operation's fixtures, for messages: `create in features/tasks/testing.ts`. */
export function placeOf(id: OperationId): string {
  const [group, name] = id.split('.');
  return `${name} in apps/api/src/features/${group}/testing.ts`;
}

/** Orders mutations so that each of them finds the records that its input names. */
export function inOrderOfLife<Mutation extends Pick<Operation, 'id'>>(
  mutations: readonly Mutation[],
): Mutation[] {
  const endings = groups.flatMap(([group, { endings: own = [] }]) =>
    own.map((name) => `${group}.${name}`),
  );
  const place = new Map(endings.map((id, index) => [id, index]));
  return mutations.toSorted((a, b) => (place.get(a.id) ?? -1) - (place.get(b.id) ?? -1));
}
