import type { World } from '../../../../../../packages/conformance/src/world.ts';
import {
  answering,
  asking,
  errorInstead,
  fieldsOf,
  giving,
  refusing,
  success,
  withFields,
  withoutCallHeader,
  withToken,
} from '../faults.ts';
import type { Call, Fault } from '../faulty-proxy.ts';
import type { PlantedBug } from './planted-bug.ts';

/** Whatever is sent where a token belongs passes for the owner when it looks as the bug wants. */
function trusting(looks: (call: Call) => boolean) {
  return ({ owner }: World): Fault =>
    asking('collections.list', (call) => (looks(call) ? withToken(call, owner.token) : call));
}

const tokenIn = ({ headers }: Call) => headers['authorization'] ?? '';

/** The owner asks, whoever does. */
const asOwner =
  (id: Parameters<typeof asking>[0]) =>
  ({ owner }: World): Fault =>
    asking(id, (call) => withToken(call, owner.token));

/** Who is let in that should not be, and what is shown to them. */
export const wrongAccess: readonly PlantedBug[] = [
  {
    bug: 'does not ask for a token',
    check: 'authentication.none:collections.list',
    rule: 'authentication.none',
    fault: trusting((call) => tokenIn(call) === ''),
  },
  {
    bug: 'accepts a tampered token',
    check: 'authentication.tampered:collections.list',
    rule: 'authentication.tampered',
    fault: trusting((call) => tokenIn(call).startsWith('Bearer ')),
  },
  {
    bug: 'accepts a token of alg none',
    check: 'authentication.alg-none:collections.list',
    rule: 'authentication.alg-none',
    fault: trusting((call) => tokenIn(call).endsWith('.')),
  },
  {
    bug: 'accepts a refresh token for an access token',
    check: 'authentication.wrong-type:collections.list',
    rule: 'authentication.wrong-type',
    fault: (world) => trusting((call) => tokenIn(call).includes(world.owner.refreshToken))(world),
  },
  {
    bug: 'does not look at the scheme',
    check: 'authentication.scheme:collections.list',
    rule: 'authentication.scheme',
    fault: trusting((call) => tokenIn(call).startsWith('Basic ')),
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
    bug: 'tells by a 403 that an id exists',
    check: 'isolation.foreign-id:projects.get',
    rule: 'isolation.foreign-id',
    fault: () => refusing('projects.get', (answer) => errorInstead(answer, 'permission_denied')),
  },
  {
    bug: 'takes an organization of others for the own one',
    check: 'isolation.foreign-organization:collections.list',
    rule: 'isolation.foreign-organization',
    fault: () => asking('collections.list', (call) => withoutCallHeader(call, 'x-organization-id')),
  },
  {
    bug: 'hides an organization of others by a 404',
    check: 'isolation.foreign-organization:collections.list',
    rule: 'isolation.foreign-organization',
    fault: () => refusing('collections.list', (answer) => errorInstead(answer, 'not_found')),
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
    fault: () => asking('tasks.assign', (call) => withFields(call, () => ({ assigneeIds: [] }))),
  },
  {
    bug: "aborts other people's uploads",
    check: 'upload.abort',
    rule: 'isolation.foreign-upload',
    fault: ({ owner, outsider }) =>
      answering('uploads.abort', (answer, call) => {
        if (!tokenIn(call).includes(outsider.token)) return answer;
        const { uploadId } = fieldsOf(call);
        return success({ message: 'Upload aborted', data: { uploadId, by: owner.id } });
      }),
  },
  {
    bug: 'follows a public link that is off',
    check: 'asset.public-link',
    rule: 'asset.public-link',
    fault: () =>
      refusing(
        'assets.followShortLink',
        ({ headers }) =>
          new Response(null, {
            status: 302,
            headers: { ...Object.fromEntries(headers), location: '/' },
          }),
      ),
  },
  {
    bug: 'shows whom an invitation was sent to',
    check: 'organization.invitations',
    rule: 'organization.invitation-masked',
    fault: () => {
      let email: unknown;
      return async (call, ask) => {
        if (call.operation === 'organizations.invite') ({ email } = fieldsOf(call));
        return giving('organizations.getInvitation', (data) => ({ ...data, email }))(call, ask);
      };
    },
  },
];
