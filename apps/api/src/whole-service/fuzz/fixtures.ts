import { operations, type Operation, type OperationId } from '@atelier/contract';
import { newUser, somePassword } from '../../testing/accounts.ts';
import type { TestApi } from '../../testing/api.ts';
import { filledTeam, type FilledTeam } from '../../testing/filled-team.ts';
import type { Input } from '../../testing/feature-fixtures.ts';
import { makeKey } from '../../testing/api-keys.ts';
import { findInputs } from '../fixtures.ts';
import { newId } from '../../kernel/ids.ts';
import type { FuzzFixtures } from './requests.ts';

const somePasskeyResponse = {
  id: 'AAAA',
  type: 'public-key',
  response: {
    clientDataJSON: 'e30',
    authenticatorData: 'AAAA',
    signature: 'AAAA',
    userHandle: 'AA',
  },
};

/** Inputs of operations that the fixtures have none for. */
const otherInputs: Partial<Record<OperationId, readonly Input[]>> = {
  'auth.register': [
    { body: { email: 'fuzz@example.com', password: somePassword, firstName: 'A', lastName: 'B' } },
  ],
  'auth.login': [{ body: { email: 'fuzz@example.com', password: somePassword } }],
  'auth.verifyEmail': [{ body: { token: 'x'.repeat(43) } }],
  'auth.requestPasswordReset': [{ body: { email: 'fuzz@example.com' } }],
  'auth.resetPassword': [{ body: { token: 'x'.repeat(43), password: somePassword } }],
  'auth.verifyToken': [{ query: { token: 'x'.repeat(43) } }],
  'apiKeys.reportLeak': [{ body: { key: `atl_pat_${'x'.repeat(46)}` } }],
  'approvals.request': [{ body: { tool: 'tasks_remove', arguments: { id: newId() } } }],
  'auth.exchange': [{ body: { code: 'x'.repeat(43) } }],
  'auth.exchangeWithSecondFactor': [
    { body: { code: 'x'.repeat(43), secondFactor: { kind: 'totp', code: '000000' } } },
  ],
  'auth.refresh': [{ body: { refreshToken: 'a.b.c.d.e' } }],
  'auth.logout': [{ body: { refreshToken: 'a.b.c.d.e' } }],
  'organizations.getInvitation': [{ params: { token: 'x'.repeat(43) } }],
  'organizations.acceptInvitation': [{ params: { token: 'x'.repeat(43) } }],
  'security.enableTotp': [{ body: { code: '000000' } }],
  'security.removeIdentity': [{ params: { provider: 'google' } }],
  'security.changePassword': [
    { body: { currentPassword: 'not the password', newPassword: somePassword } },
  ],
  'account.confirmEmailChange': [{ body: { token: 'x'.repeat(43) } }],
  'account.undoEmailChange': [{ body: { token: 'x'.repeat(43) } }],
  'auth.loginWithPasskey': [{ body: { response: somePasskeyResponse } }],
  'security.addPasskey': [
    {
      body: {
        name: 'Fuzz',
        response: {
          id: 'AAAA',
          type: 'public-key',
          response: { clientDataJSON: 'e30', attestationObject: 'oA', transports: ['usb'] },
        },
      },
    },
  ],
  'account.requestDeletion': [{ body: { confirmation: 'fuzz@example.com' } }],
  'account.cancelDeletion': [{ body: { token: 'x'.repeat(43) } }],
  'shares.open': [
    { body: { token: `atls_${'x'.repeat(43)}`, password: somePassword, visitorName: 'Bo' } },
  ],
  'shares.createSharedComment': [
    {
      params: { id: newId() },
      body: {
        body: 'Blurred',
        visitorName: 'Bo',
        anchor: { kind: 'area', x: 0.1, y: 0.1, width: 0.5, height: 0.5 },
      },
    },
    { params: { id: newId() }, body: { body: 'Reply', visitorName: 'Bo', parentId: newId() } },
  ],
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

/** Creates a new team with records of every kind, and the credentials of its owner. */
export async function newFuzzFixtures(api: TestApi): Promise<FuzzFixtures> {
  const [owner, member] = [await newUser(api), await newUser(api)];
  const team = await filledTeam(api, { owner, member, mark: 'Fuzz', times: 2 });
  const reach = { preset: 'everything', organizationIds: [team.organizationId] };
  const { key } = await makeKey(api, owner, reach);
  const others = expendable(team);
  return {
    token: owner.token,
    key,
    organizationId: team.organizationId,
    inputsOf({ id, endpoint }: Operation) {
      const names = [...endpoint.path.matchAll(/:(\w+)/g)].map(([, name]) => String(name));
      const elsewhere = { params: Object.fromEntries(names.map((name) => [name, newId()])) };
      if (spared.has(id)) return [elsewhere];
      const other = others[id];
      if (other) return [other, elsewhere];
      const found = findInputs(id, team) ?? [];
      const inputs = found.length > 0 ? found : (otherInputs[id] ?? []);
      // Of an operation that takes no input, or none with a session.
      return inputs.length > 0 ? inputs : [{}];
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
