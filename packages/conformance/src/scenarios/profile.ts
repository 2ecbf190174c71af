import { newAccount } from '../accounts.ts';
import type { Check } from '../check.ts';
import { Abandoned } from '../findings.ts';

/** One red pixel. */
const picture = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==',
  'base64',
);

const profileLife: Check = {
  id: 'profile.life',
  group: 'profile',
  title: 'a profile is changed, and an uploaded picture becomes the avatar',
  run: async ({ probe }) => {
    const { token } = await newAccount(probe, 'profile');
    const answer = await probe.call('profile.update', {
      token,
      body: { firstName: ' Ada ', lastName: null, platformRole: 'ADMIN', accountStatus: 'PENDING' },
    });
    const user = probe.dataIn('profile.update', answer);
    probe.expect({
      rule: 'profile.life',
      answer,
      holds: user.firstName === 'Ada' && user.platformRole === 'USER',
      expected: 'the new name, and nothing that a caller may not set',
    });
    const { uploadUrl, headers, key } = await probe.succeed('profile.startAvatarUpload', {
      token,
      body: { contentType: 'image/png', fileSize: picture.length },
    });
    const early = await probe.call('profile.completeAvatarUpload', { token, body: { key } });
    probe.expectRefusal('profile.life', early, 'avatar_invalid');
    const stored = await fetch(uploadUrl, { method: 'PUT', headers, body: picture });
    if (!stored.ok) {
      probe.findings.push({
        rule: 'storage.takes-avatars',
        operation: 'profile.startAvatarUpload',
        request: 'PUT of a picture to its presigned address',
        expected: 'success',
        actual: `status ${stored.status}`,
      });
      throw new Abandoned('the storage took no picture');
    }
    const shown = await probe.succeed('profile.completeAvatarUpload', { token, body: { key } });
    const served = shown.avatarUrl === null ? null : await fetch(shown.avatarUrl);
    probe.expect({
      rule: 'profile.life',
      answer,
      holds: served?.status === 200,
      expected: 'an avatar that can be read',
      actual: `status ${served?.status ?? 'none: there is no avatar'}`,
    });
  },
};

export const profileScenarios: readonly Check[] = [profileLife];
