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
  title: 'a profile is updated, and an uploaded picture becomes the avatar',
  run: async ({ probe }) => {
    const { token } = await newAccount(probe, 'profile');
    const response = await probe.request('profile.update', {
      token,
      body: { firstName: ' Ada ', lastName: null, platformRole: 'ADMIN', accountStatus: 'PENDING' },
    });
    const user = probe.dataIn('profile.update', response);
    probe.expectFields({
      rule: 'profile.life',
      response,
      actual: user,
      expected: { firstName: 'Ada', lastName: null, platformRole: 'USER' },
    });
    const { uploadUrl, headers, key } = await probe.succeed('profile.startAvatarUpload', {
      token,
      body: { contentType: 'image/png', fileSize: picture.length },
    });
    const early = await probe.request('profile.completeAvatarUpload', { token, body: { key } });
    probe.expectRefusal('profile.life', early, 'avatar_invalid');
    const stored = await fetch(uploadUrl, { method: 'PUT', headers, body: picture });
    if (!stored.ok) {
      probe.findings.push({
        rule: 'storage.takes-avatars',
        operation: 'profile.startAvatarUpload',
        request: 'PUT of a picture to its presigned URL',
        expected: 'success',
        actual: `status ${stored.status}`,
      });
      throw new Abandoned('the storage rejected the picture');
    }
    const shown = await probe.succeed('profile.completeAvatarUpload', { token, body: { key } });
    const download = shown.avatarUrl === null ? null : await fetch(shown.avatarUrl);
    probe.expect({
      rule: 'profile.life',
      response,
      holds: download?.status === 200,
      expected: 'an avatar that can be downloaded',
      actual: `status ${download?.status ?? 'none: there is no avatar'}`,
    });
  },
};

export const profileScenarios: readonly Check[] = [profileLife];
