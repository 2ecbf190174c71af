import type { Contract } from '@atelier/contract';
import { expect } from 'vitest';
import type { GroupName } from '../http/feature.ts';
import type { TestUser } from './accounts.ts';
import type { activityWalk } from './activity-walk.ts';
import { someEmail, type CallOptions, type TestApi } from './api.ts';
import type { FilledTeam } from './filled-team.ts';

/** The input of an operation; the tests add the organization header. */
export type Input = Pick<CallOptions, 'params' | 'query' | 'body'>;

/** Creates inputs that succeed in a team. */
export type InputsOf = (team: FilledTeam) => readonly Input[];

/** The context of a new record: its author, its team, and an owner who can create it. */
export interface RecordRequest {
  readonly api: TestApi;
  readonly teamId: string;
  readonly founder: TestUser;
  readonly author: Pick<TestUser, 'id'>;
  /** The author's membership. */
  readonly memberId: string;
}

/** Creates a record of the author. @returns the input of an operation on it */
export type RecordMaker = (
  request: RecordRequest,
) => Promise<Pick<CallOptions, 'params' | 'query' | 'body'>>;

/** The team and the users of a story. */
export interface Story {
  readonly api: TestApi;
  readonly walk: ReturnType<typeof activityWalk>['walk'];
  readonly people: {
    readonly ada: TestUser;
    readonly bob: TestUser;
    readonly viewer: TestUser;
    readonly stranger: TestUser;
  };
  /** A team that ada owns and where viewer is a VIEWER. */
  readonly teamId: string;
}

const admins = new Map<string, string>();

/** The account in `ADMIN_EMAILS` in tests of stories; unique per test file, because all share one inbox. */
export function configuredAdmin(): string {
  const file = expect.getState().testPath ?? '';
  const email = admins.get(file) ?? someEmail('root');
  admins.set(file, email);
  return email;
}

type OperationsWithCaller<Group extends GroupName> = {
  [Name in keyof Contract[Group]]: Contract[Group][Name] extends {
    readonly metadata: { readonly access: { readonly kind: 'public' | 'share' } };
  }
    ? never
    : Name;
}[keyof Contract[Group]] &
  string;

/** The fixtures that the tests of the whole contract need for a group. */
export interface FeatureFixtures<Group extends GroupName> {
  /** Inputs of every authenticated operation; null if only a story can cover it. */
  readonly inputs: Readonly<Record<OperationsWithCaller<Group>, InputsOf | null>>;
  /** A record for every operation whose permission may be limited to the caller's own records. */
  readonly ownRecords?: Partial<Record<OperationsWithCaller<Group>, RecordMaker>>;
  /** Operations that remove what other inputs need, parts before wholes. */
  readonly endings?: readonly OperationsWithCaller<Group>[];
  /** Stories that request every mutation of the group and check its activities, by title. */
  readonly stories?: Readonly<Record<string, (story: Story) => Promise<void>>>;
}
