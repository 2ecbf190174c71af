import { TransportError, type User } from '@atelier/client';
import { api } from '../../api.ts';
import { pictureTypeOf } from './picture-rules.ts';

/**
 * Sends a picture straight to the storage and has it shown from now on.
 *
 * @throws what the API answers, and TransportError when the storage does not take it
 */
export async function uploadPicture(file: File): Promise<User> {
  const contentType = pictureTypeOf(file.type);
  if (!contentType) throw new TypeError(`not a picture: ${file.type}`);
  const body = { contentType, fileSize: file.size };
  const { uploadUrl, method, headers, key } = await api.profile.startAvatarUpload({ body });
  const stored = await fetch(uploadUrl, { method, headers, body: file }).catch(() => undefined);
  if (!stored?.ok) throw new TransportError('network', 1);
  return api.profile.completeAvatarUpload({ body: { key } });
}
