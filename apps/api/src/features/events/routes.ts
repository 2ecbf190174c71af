import type { Deps } from '../../deps.ts';
import { feature } from '../../http/feature.ts';
import { scopesOf } from '../../kernel/context.ts';
import { createHub } from './hub.ts';
import { positionCodec } from './positions.ts';

export function eventsFeature(deps: Deps) {
  const hub = createHub(deps);
  const positions = positionCodec(deps.eventPositions);
  deps.stopping.addEventListener('abort', () => hub.close(), { once: true });

  return feature(
    'events',
    {
      async subscribe({ ctx }) {
        const { organization, role, user, credential, credentialExpiresAt, lastEventId } = ctx;
        const after = lastEventId === null ? null : positions.decode(organization.id, lastEventId);
        const caller = {
          organizationId: organization.id,
          userId: user.id,
          role,
          scopes: scopesOf(credential),
          credentialId: credential.id,
          expiresAt: credentialExpiresAt,
        };
        const { body } = await hub.subscribe(caller, after);
        return body;
      },
    },
    // Streams never end by themselves, so a shutdown can't wait for them.
    { stop: async () => hub.close() },
  );
}
