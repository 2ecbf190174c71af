import type { Contract } from '@atelier/contract';
import type { GroupName } from '../http/feature.ts';
import type { TestUser } from './accounts.ts';
import type { activityWalk } from './activity-walk.ts';
import { someEmail, type CallOptions, type TestApi } from './api.ts';
import type { FilledTeam } from './filled-team.ts';

/** The input of an operation; the organization of the header is added by the tests. */
export type Input = Pick<CallOptions, 'params' | 'query' | 'body'>;

/** Makes inputs that succeed in a team. */
export type InputsOf = (team: FilledTeam) => readonly Input[];

/** A record to make: its author, its team, and an owner who can make it. */
export interface RecordRequest {
  readonly api: TestApi;
  readonly teamId: string;
  readonly founder: TestUser;
  readonly author: Pick<TestUser, 'id'>;
  /** The author's membership. */
  readonly memberId: string;
}

/** Makes a record of the author. @returns the input of an operation on it */
export type RecordMaker = (request: RecordRequest) => Promise<Pick<CallOptions, 'params' | 'body'>>;

/** Where a story takes place, and among whom. */
export interface Story {
  readonly api: TestApi;
  readonly walk: ReturnType<typeof activityWalk>['walk'];
  readonly people: {
    readonly ada: TestUser;
    readonly bob: TestUser;
    readonly viewer: TestUser;
    readonly stranger: TestUser;
  };
  /** A team that ada owns and that viewer is a VIEWER of. */
  readonly teamId: string;
}

/** The account that `ADMIN_EMAILS` names in tests of stories; each test file's own, as all share one inbox. */
export const configuredAdmin = someEmail('root');

type OperationsWithCaller<Group extends GroupName> = {
  [Name in keyof Contract[Group]]: Contract[Group][Name] extends {
    readonly metadata: { readonly access: { readonly kind: 'public' } };
  }
    ? never
    : Name;
}[keyof Contract[Group]] &
  string;

/** What the tests of the whole contract need of a group. */
export interface FeatureFixtures<Group extends GroupName> {
  /** Inputs of every operation that knows its caller; null where a story alone can call it. */
  readonly inputs: Readonly<Record<OperationsWithCaller<Group>, InputsOf | null>>;
  /** A record for every operation whose permission may reach no further than the caller's own. */
  readonly ownRecords?: Partial<Record<OperationsWithCaller<Group>, RecordMaker>>;
  /** Operations that take something away from other inputs, a part before the whole. */
  readonly endings?: readonly OperationsWithCaller<Group>[];
  /** Calls every mutation of the group and holds it against its activities, by a title. */
  readonly stories?: Readonly<Record<string, (story: Story) => Promise<void>>>;
}
