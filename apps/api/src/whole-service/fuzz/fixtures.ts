import { operations, type Operation, type OperationId } from '@atelier/contract';
import { newUser, somePassword } from '../../testing/accounts.ts';
import type { TestApi } from '../../testing/api.ts';
import { filledTeam, type FilledTeam } from '../../testing/filled-team.ts';
import type { Input } from '../../testing/feature-fixtures.ts';
import { findInputs } from '../fixtures.ts';
import { newId } from '../../kernel/ids.ts';
import type { FuzzFixtures } from './requests.ts';

/** Inputs of operations without a session. */
const publicInputs: Partial<Record<OperationId, readonly Input[]>> = {
  'auth.register': [
    { body: { email: 'fuzz@example.com', password: somePassword, firstName: 'A', lastName: 'B' } },
  ],
  'auth.login': [{ body: { email: 'fuzz@example.com', password: somePassword } }],
  'auth.verifyEmail': [{ body: { token: 'x'.repeat(43) } }],
  'auth.requestPasswordReset': [{ body: { email: 'fuzz@example.com' } }],
  'auth.resetPassword': [{ body: { token: 'x'.repeat(43), password: somePassword } }],
  'auth.verifyToken': [{ query: { token: 'x'.repeat(43) } }],
  'auth.exchange': [{ body: { code: 'x'.repeat(43) } }],
  'auth.refresh': [{ body: { refreshToken: 'a.b.c.d.e' } }],
  'auth.logout': [{ body: { refreshToken: 'a.b.c.d.e' } }],
  'organizations.getInvitation': [{ params: { token: 'x'.repeat(43) } }],
  'organizations.acceptInvitation': [{ params: { token: 'x'.repeat(43) } }],
  'assets.followShortLink': [{ params: { code: 'x'.repeat(16) } }],
};

/** Operations that would end the shared session or team: requested for missing records. */
const spared: ReadonlySet<OperationId> = new Set([
  'organizations.remove',
  'organizations.removeMember',
  'sessions.end',
  'sessions.endOthers',
]);

/** Deletions use records that no other request needs. */
function expendable(team: FilledTeam): Partial<Record<OperationId, Input>> {
  return {
    'collections.remove': { params: { id: team.otherCollectionId } },
    'assets.remove': { params: { id: team.binnedAssetId } },
    'projects.remove': { params: { id: team.otherProjectId } },
    'tasks.remove': { params: { id: team.otherTaskId } },
  };
}

/** Creates a new team with records of every kind, and its owner's token. */
export async function newFuzzFixtures(api: TestApi): Promise<FuzzFixtures> {
  const [owner, member] = [await newUser(api), await newUser(api)];
  const team = await filledTeam(api, { owner, member, mark: 'Fuzz', times: 2 });
  const others = expendable(team);
  return {
    token: owner.token,
    organizationId: team.organizationId,
    inputsOf({ id, endpoint }: Operation) {
      const names = [...endpoint.path.matchAll(/:(\w+)/g)].map(([, name]) => String(name));
      const elsewhere = { params: Object.fromEntries(names.map((name) => [name, newId()])) };
      if (spared.has(id)) return [elsewhere];
      const other = others[id];
      if (other) return [other, elsewhere];
      return findInputs(id, team) ?? publicInputs[id] ?? [{}];
    },
  };
}

/** Returns operations that lack a valid body in the fixtures: fuzzing a generated one would be useless. */
export function operationsWithoutInput(fixtures: FuzzFixtures): OperationId[] {
  return operations
    .filter(
      (operation) =>
        operation.endpoint.metadata.errors.includes('malformed_json') &&
        operation.endpoint.body !== null &&
        fixtures.inputsOf(operation).every(({ body }) => body === undefined),
    )
    .map(({ id }) => id);
}
