import { expect } from 'vitest';
import { avatarSteps } from '../../testing/avatars.ts';
import { somePng } from '../../testing/pictures.ts';
import type { FeatureFixtures } from '../../testing/feature-fixtures.ts';
import { noInput, withBody } from '../../testing/fixture-parts.ts';

export const profileFixtures: FeatureFixtures<'profile'> = {
  inputs: {
    update: withBody(noInput, () => ({ firstName: 'Somebody' })),
    startAvatarUpload: withBody(noInput, () => ({ contentType: 'image/png', fileSize: 9 })),
    completeAvatarUpload: withBody(noInput, (team) => ({ key: team.avatarKey })),
  },
  stories: {
    async 'a profile gets names and a picture'({ api, walk, people: { ada, stranger } }) {
      const own = { resourceId: ada.id };
      await walk('profile.update', {
        as: ada,
        input: { body: { firstName: 'Ada', lastName: 'Lovelace' } },
        recorded: { ...own, action: 'user.update_profile', fields: ['firstName', 'lastName'] },
      });
      const picture = await somePng();
      const { body: started } = await walk('profile.startAvatarUpload', {
        as: ada,
        input: { body: { contentType: 'image/png', fileSize: picture.length } },
        recorded: null,
      });
      const { put } = avatarSteps(() => api);
      expect(await put(started.data, picture)).toBe(200);
      await walk('profile.completeAvatarUpload', {
        as: ada,
        input: { body: { key: started.data.key } },
        recorded: { ...own, action: 'user.update_avatar' },
        refused: [{ body: { key: 'avatar/of/nobody' } }, { token: stranger.token }],
      });
    },
  },
};
