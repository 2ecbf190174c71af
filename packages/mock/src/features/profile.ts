import { MockFailure } from '../failure.ts';
import { bodyOf, callerOf } from '../state/call.ts';
import type { Call, Feature } from '../state/model.ts';
import { shown } from '../state/perform.ts';
import { textOf, type Fields } from '../state/store.ts';
import { accountActivity, rename } from './accounts.ts';
import { setMailNotices } from './notification-preferences.ts';

const avatarSeconds = 900;

function startAvatarUpload(call: Call): Fields {
  const { state } = call;
  const { contentType, fileSize } = bodyOf(call);
  const key = `avatar/${callerOf(call).id}/${state.newId()}`;
  call.activities = [];
  return {
    uploadUrl: `${state.baseUrl}/mock-storage/${key}?size=${String(fileSize)}`,
    method: 'PUT',
    headers: { 'content-type': contentType },
    key,
    expiresIn: avatarSeconds,
  };
}

function completeAvatarUpload(call: Call): unknown {
  const { state } = call;
  const caller = callerOf(call);
  const key = textOf(bodyOf(call), 'key');
  const isOwn = key.startsWith(`avatar/${caller.id}/`);
  if (!isOwn || !state.storage.get(`/mock-storage/${key}`)) throw new MockFailure('avatar_invalid');
  const avatarUrl = `${state.baseUrl}/mock-storage/${key}`;
  call.activities =
    caller.fields['avatarUrl'] === avatarUrl ? [] : [accountActivity(caller, 'update_avatar')];
  caller.fields['avatarUrl'] = avatarUrl;
  return shown(call, caller);
}

export const profile: Feature = {
  operations: {
    'profile.startAvatarUpload': { respond: startAvatarUpload },
    'profile.completeAvatarUpload': { respond: completeAvatarUpload },
  },
  kinds: {
    user: {
      onUpdate: (_call, user, changed) => {
        rename(user);
        if (changed.has('mailNotices')) setMailNotices(user);
      },
    },
  },
};
