import type { Fixtures } from '../../../../../../packages/conformance/src/fixtures.ts';
import {
  changingResponse,
  changingRequest,
  errorInstead,
  fieldsOf,
  changingData,
  changingErrors,
  success,
  withFields,
  withoutRequestHeader,
  withToken,
} from '../fault-builders.ts';
import type { ProxiedRequest, Fault } from '../faulty-proxy.ts';
import type { InjectedFault } from './injected-fault.ts';

/** Treats requests that match as requests of the owner. */
function trusting(matches: (request: ProxiedRequest) => boolean) {
  return ({ owner }: Fixtures): Fault =>
    changingRequest('collections.list', (request) =>
      matches(request) ? withToken(request, owner.token) : request,
    );
}

const tokenIn = ({ headers }: ProxiedRequest) => headers['authorization'] ?? '';

/** Treats every request as one of the owner. */
const asOwner =
  (id: Parameters<typeof changingRequest>[0]) =>
  ({ owner }: Fixtures): Fault =>
    changingRequest(id, (request) => withToken(request, owner.token));

/** Faults of authentication and authorization. */
export const accessFaults: readonly InjectedFault[] = [
  {
    bug: 'needs no token',
    check: 'authentication.none:collections.list',
    rule: 'authentication.none',
    fault: trusting((request) => tokenIn(request) === ''),
  },
  {
    bug: 'accepts a tampered token',
    check: 'authentication.tampered:collections.list',
    rule: 'authentication.tampered',
    fault: trusting((request) => tokenIn(request).startsWith('Bearer ')),
  },
  {
    bug: 'accepts a token of alg none',
    check: 'authentication.alg-none:collections.list',
    rule: 'authentication.alg-none',
    fault: trusting((request) => tokenIn(request).endsWith('.')),
  },
  {
    bug: 'accepts a refresh token for an access token',
    check: 'authentication.wrong-type:collections.list',
    rule: 'authentication.wrong-type',
    fault: (fixtures) =>
      trusting((request) => tokenIn(request).includes(fixtures.owner.refreshToken))(fixtures),
  },
  {
    bug: 'ignores the scheme',
    check: 'authentication.scheme:collections.list',
    rule: 'authentication.scheme',
    fault: trusting((request) => tokenIn(request).startsWith('Basic ')),
  },
  {
    bug: "shows another organization's collection",
    check: 'isolation.foreign-id:collections.get',
    rule: 'isolation.foreign-id',
    fault: asOwner('collections.get'),
  },
  {
    bug: "changes another organization's task",
    check: 'isolation.foreign-id:tasks.update',
    rule: 'isolation.foreign-id',
    fault: asOwner('tasks.update'),
  },
  {
    bug: 'reveals by a 403 that an id exists',
    check: 'isolation.foreign-id:projects.get',
    rule: 'isolation.foreign-id',
    fault: () =>
      changingErrors('projects.get', (response) => errorInstead(response, 'permission_denied')),
  },
  {
    bug: 'uses the own organization for a foreign one',
    check: 'isolation.foreign-organization:collections.list',
    rule: 'isolation.foreign-organization',
    fault: () =>
      changingRequest('collections.list', (request) =>
        withoutRequestHeader(request, 'x-organization-id'),
      ),
  },
  {
    bug: 'hides a foreign organization by a 404',
    check: 'isolation.foreign-organization:collections.list',
    rule: 'isolation.foreign-organization',
    fault: () =>
      changingErrors('collections.list', (response) => errorInstead(response, 'not_found')),
  },
  {
    bug: 'lets a viewer create',
    check: 'permission.role:collections.create',
    rule: 'permission.role',
    fault: asOwner('collections.create'),
  },
  {
    bug: 'shows the timeline to members who are no administrators',
    check: 'permission.role:timeline.list',
    rule: 'permission.role',
    fault: asOwner('timeline.list'),
  },
  {
    bug: 'assigns tasks to strangers',
    check: 'task.life',
    rule: 'isolation.foreign-assignee',
    fault: () =>
      changingRequest('tasks.assign', (request) =>
        withFields(request, () => ({ assigneeIds: [] })),
      ),
  },
  {
    bug: "aborts other people's uploads",
    check: 'upload.abort',
    rule: 'isolation.foreign-upload',
    fault: ({ owner, outsider }) =>
      changingResponse('uploads.abort', (response, request) => {
        if (!tokenIn(request).includes(outsider.token)) return response;
        const { uploadId } = fieldsOf(request);
        return success({ message: 'Upload aborted', data: { uploadId, by: owner.id } });
      }),
  },
  {
    bug: 'follows a public link that is off',
    check: 'asset.public-link',
    rule: 'asset.public-link',
    fault: () =>
      changingErrors(
        'assets.followShortLink',
        ({ headers }) =>
          new Response(null, {
            status: 302,
            headers: { ...Object.fromEntries(headers), location: '/' },
          }),
      ),
  },
  {
    bug: 'shows the address that an invitation was sent to',
    check: 'organization.invitations',
    rule: 'organization.invitation-masked',
    fault: () => {
      let email: unknown;
      return async (request, forward) => {
        if (request.operation === 'organizations.invite') ({ email } = fieldsOf(request));
        return changingData('organizations.getInvitation', (data) => ({ ...data, email }))(
          request,
          forward,
        );
      };
    },
  },
];
