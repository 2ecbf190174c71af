import type { Deps } from '../../deps.ts';
import { room } from '../../http/room.ts';
import { avatarUseCases } from './avatar.ts';
import { profileUseCases } from './usecases.ts';

export function profileRoom(deps: Deps) {
  const profile = profileUseCases(deps);
  const avatar = avatarUseCases(deps);

  return room('profile', {
    update: ({ body, ctx }) => profile.update(body, ctx),
    startAvatarUpload: ({ body, ctx }) => avatar.start(body, ctx),
    completeAvatarUpload: ({ body, ctx }) => avatar.complete(body.key, ctx),
  });
}
