import {
  operations,
  permissionMatrix,
  type ErrorCode,
  type Operation,
  type Permission,
} from '@atelier/contract';
import { operationCheck, type Check } from '../check.ts';
import { paramNamesOf } from '../request-schemas.ts';
import { validRequest } from '../valid-requests.ts';

/** Returns the parameters that identify a resource of an organization. */
function idsIn(operation: Operation): string[] {
  if (operation.id.startsWith('timeline.')) return [];
  return paramNamesOf(operation).filter((name) => !['versionNumber', 'provider'].includes(name));
}

const unknownIdChecks: readonly Check[] = operations
  .filter((operation) => idsIn(operation).length > 0)
  .map((operation) =>
    operationCheck('resource.unknown-id', operation.id, {
      title: `${operation.id} responds with 404 to unknown ids`,
      run: async ({ probe, fixtures, random }) => {
        const request = validRequest(operation, fixtures);
        for (const name of idsIn(operation)) {
          const unknown = name === 'code' ? '0'.repeat(16) : random.id();
          const response = await probe.request(operation.id, {
            ...request,
            params: { ...request.params, [name]: unknown },
          });
          const isVisit = operation.endpoint.metadata.access.kind === 'share';
          const code = isVisit ? 'share_not_found' : 'not_found';
          probe.expectRefusal('resource.unknown-id', response, code);
        }
      },
    }),
  );

const unknownVersion = operationCheck('resource.unknown-id', 'assets.restoreVersion', {
  title: 'an unknown version is a 404',
  run: async ({ probe, fixtures }) => {
    const params = { id: fixtures.assetId, versionNumber: 999 };
    const { token } = fixtures.owner;
    const restored = await probe.request('assets.restoreVersion', { token, params });
    probe.expectRefusal('resource.unknown-id', restored, 'not_found');
    const query = { version: '999' };
    const download = await probe.request('assets.download', { token, params, query });
    probe.expectRefusal('resource.unknown-id', download, 'not_found');
  },
});

/** Resources of an organization are invisible to users of other organizations. */
const isolationChecks: readonly Check[] = operations
  .filter(({ endpoint }) => !['public', 'share'].includes(endpoint.metadata.access.kind))
  .filter((operation) => idsIn(operation).some((name) => name !== 'token'))
  .map((operation) =>
    operationCheck('isolation.foreign-id', operation.id, {
      title: `${operation.id} responds with 404 to a user of another organization`,
      run: async ({ probe, fixtures }) => {
        const { organizationId: _, ...request } = validRequest(operation, fixtures);
        const { token, personalOrganizationId } = fixtures.outsider;
        for (const organizationId of [undefined, personalOrganizationId]) {
          const response = await probe.request(operation.id, {
            ...request,
            token,
            ...(organizationId !== undefined && { organizationId }),
          });
          const codes: ErrorCode[] =
            operation.id === 'assets.publish'
              ? ['not_found', 'publish_target_required']
              : ['not_found'];
          probe.expectRefusal('isolation.foreign-id', response, ...codes);
        }
      },
    }),
  );

/** The header names an organization that the user is not a member of. */
const foreignOrganizationChecks: readonly Check[] = operations
  .filter(({ endpoint }) => 'x-organization-id' in endpoint.headers)
  .map((operation) =>
    operationCheck('isolation.foreign-organization', operation.id, {
      title: `${operation.id} responds with 403 for a foreign and for an unknown organization`,
      run: async ({ probe, fixtures, random }) => {
        const request = validRequest(operation, fixtures);
        const { token } = fixtures.outsider;
        for (const organizationId of [fixtures.team.id, random.id()]) {
          const response = await probe.request(operation.id, { ...request, token, organizationId });
          probe.expectRefusal(
            'isolation.foreign-organization',
            response,
            'organization_access_denied',
          );
        }
      },
    }),
  );

/** A viewer of the team changes nothing, and only owners and administrators administer it. */
const permissionChecks: readonly Check[] = operations
  .filter(({ endpoint }) => {
    const { access } = endpoint.metadata;
    return access.kind === 'administrator' || (access.kind === 'member' && isForbidden(access));
  })
  .map((operation) => {
    const isAdministration = operation.endpoint.metadata.access.kind === 'administrator';
    return operationCheck('permission.role', operation.id, {
      title: `${operation.id} responds with 403 to a viewer`,
      run: async ({ probe, fixtures }) => {
        const response = await probe.request(operation.id, {
          ...validRequest(operation, fixtures),
          token: fixtures.viewer.token,
          organizationId: fixtures.team.id,
        });
        const code = isAdministration ? 'not_admin' : 'permission_denied';
        probe.expectRefusal('permission.role', response, code);
      },
    });
  });

function isForbidden({ permission }: { permission: Permission }): boolean {
  return permissionMatrix[permission].VIEWER === 'none';
}

export const resourceChecks: readonly Check[] = [
  ...unknownIdChecks,
  { ...unknownVersion, id: 'resource.unknown-version:assets.restoreVersion' },
  ...isolationChecks,
  ...foreignOrganizationChecks,
  ...permissionChecks,
];
