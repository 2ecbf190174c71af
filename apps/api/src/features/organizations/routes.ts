import type { Deps } from '../../deps.ts';
import { room } from '../../http/room.ts';
import { invitationHandlers } from './invitations/handlers.ts';

export function organizationsRoom(deps: Deps) {
  return room('organizations', { ...invitationHandlers(deps) });
}
