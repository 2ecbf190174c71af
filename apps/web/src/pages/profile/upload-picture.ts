import { TransportError, type User } from '@atelier/client';
import { api } from '../../session/api.ts';
import { pictureTypeOf } from './picture-rules.ts';

/**
 * Uploads a picture directly to the storage and makes it the user's profile picture.
 *
 * @throws ApiError from the API, and TransportError if the upload to the storage fails
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
