import { operations, type ErrorCode, type Operation } from '@atelier/contract';
import { operationCheck, type Check } from '../check.ts';
import { paramNamesOf, validRequest } from '../valid-requests.ts';

/** Parameters that name a thing which can be missing or somebody else's. */
function idsIn(operation: Operation): string[] {
  if (operation.id.startsWith('timeline.')) return [];
  return paramNamesOf(operation).filter((name) => name !== 'versionNumber');
}

const unknownIdChecks: readonly Check[] = operations
  .filter((operation) => idsIn(operation).length > 0)
  .map((operation) =>
    operationCheck('resource.unknown-id', operation.id, {
      title: `${operation.id} answers 404 to ids that nothing has`,
      run: async ({ probe, world, random }) => {
        const request = validRequest(operation, world);
        for (const name of idsIn(operation)) {
          const unknown = name === 'code' ? '0'.repeat(16) : random.id();
          const answer = await probe.call(operation.id, {
            ...request,
            params: { ...request.params, [name]: unknown },
          });
          probe.expectRefusal('resource.unknown-id', answer, 'not_found');
        }
      },
    }),
  );

const unknownVersion = operationCheck('resource.unknown-id', 'assets.restoreVersion', {
  title: 'a version that there is not is a 404',
  run: async ({ probe, world }) => {
    const params = { id: world.assetId, versionNumber: 999 };
    const { token } = world.owner;
    const restored = await probe.call('assets.restoreVersion', { token, params });
    probe.expectRefusal('resource.unknown-id', restored, 'not_found');
    const query = { version: '999' };
    const download = await probe.call('assets.download', { token, params, query });
    probe.expectRefusal('resource.unknown-id', download, 'not_found');
  },
});

/** The things of the owner do not exist for anybody outside. */
const isolationChecks: readonly Check[] = operations
  .filter(({ endpoint }) => endpoint.metadata.access.kind !== 'public')
  .filter((operation) => idsIn(operation).some((name) => name !== 'token'))
  .map((operation) =>
    operationCheck('isolation.foreign-id', operation.id, {
      title: `${operation.id} answers 404 to somebody of another organization`,
      run: async ({ probe, world }) => {
        const { organizationId: _, ...request } = validRequest(operation, world);
        const { token, personalOrganizationId } = world.outsider;
        for (const organizationId of [undefined, personalOrganizationId]) {
          const answer = await probe.call(operation.id, {
            ...request,
            token,
            ...(organizationId !== undefined && { organizationId }),
          });
          const codes: ErrorCode[] =
            operation.id === 'assets.publish'
              ? ['not_found', 'publish_target_required']
              : ['not_found'];
          probe.expectRefusal('isolation.foreign-id', answer, ...codes);
        }
      },
    }),
  );

/** The header names an organization that the caller has no part in. */
const foreignOrganizationChecks: readonly Check[] = operations
  .filter(({ endpoint }) => 'x-organization-id' in endpoint.headers)
  .map((operation) =>
    operationCheck('isolation.foreign-organization', operation.id, {
      title: `${operation.id} answers 403 for an organization of others, and for one that is none`,
      run: async ({ probe, world, random }) => {
        const request = validRequest(operation, world);
        const { token } = world.outsider;
        for (const organizationId of [world.team.id, random.id()]) {
          const answer = await probe.call(operation.id, { ...request, token, organizationId });
          probe.expectRefusal(
            'isolation.foreign-organization',
            answer,
            'organization_access_denied',
          );
        }
      },
    }),
  );

/** A viewer of the team may not change anything; nobody but its leaders administers. */
const permissionChecks: readonly Check[] = operations
  .filter(({ endpoint }) => {
    const { access } = endpoint.metadata;
    return access.kind === 'administrator' || (access.kind === 'member' && isForbidden(access));
  })
  .map((operation) => {
    const isAdministration = operation.endpoint.metadata.access.kind === 'administrator';
    return operationCheck('permission.role', operation.id, {
      title: `${operation.id} answers 403 to a viewer`,
      run: async ({ probe, world }) => {
        const answer = await probe.call(operation.id, {
          ...validRequest(operation, world),
          token: world.viewer.token,
          organizationId: world.team.id,
        });
        const code = isAdministration ? 'not_admin' : 'permission_denied';
        probe.expectRefusal('permission.role', answer, code);
      },
    });
  });

function isForbidden({ permission }: { permission: string }): boolean {
  return !/:(read|favorite|remove)$/.test(permission);
}

export const resourceChecks: readonly Check[] = [
  ...unknownIdChecks,
  { ...unknownVersion, id: 'resource.unknown-version:assets.restoreVersion' },
  ...isolationChecks,
  ...foreignOrganizationChecks,
  ...permissionChecks,
];
