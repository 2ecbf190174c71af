import type { Deps } from '../../deps.ts';
import { feature } from '../../http/feature.ts';
import { avatarUseCases } from './avatar.ts';
import { profileUseCases } from './usecases.ts';

export function profileFeature(deps: Deps) {
  const profile = profileUseCases(deps);
  const avatar = avatarUseCases(deps);

  return feature('profile', {
    update: ({ body, ctx }) => profile.update(body, ctx),
    startAvatarUpload: ({ body, ctx }) => avatar.start(body, ctx),
    completeAvatarUpload: ({ body, ctx }) => avatar.complete(body.key, ctx),
  });
}
