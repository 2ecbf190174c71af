import { z } from 'zod';
import { userAccess } from './access.ts';
import { User } from './auth.ts';
import { endpoint } from './endpoint.ts';
import { created, ok } from './envelope.ts';
import { text, verbatimText } from './primitives.ts';

/** Largest avatar, in bytes. */
export const maxAvatarBytes = 5 * 1024 * 1024;

export const UpdateProfileBody = z
  .object({
    firstName: text({ max: 80 }).nullable().optional(),
    lastName: text({ max: 80 }).nullable().optional(),
    mailNotices: z.boolean().optional().describe('Whether assignments and mentions are mailed.'),
  })
  .meta({
    id: 'UpdateProfileBody',
    description: 'What to change; an absent field stays as it is, null clears it.',
    examples: [{ firstName: 'Ada', lastName: null }],
  });

export const AvatarUploadBody = z
  .object({
    contentType: z.enum(['image/png', 'image/jpeg', 'image/webp']),
    fileSize: z.int().min(1).max(maxAvatarBytes).describe('Bytes.'),
  })
  .meta({
    id: 'AvatarUploadBody',
    description: 'The picture that is going to be uploaded.',
    examples: [{ contentType: 'image/png', fileSize: 48_213 }],
  });

export const AvatarUpload = z
  .object({
    uploadUrl: z.string(),
    method: z.literal('PUT'),
    headers: z.record(z.string(), z.string()).describe('Headers to send with the PUT.'),
    key: z.string(),
    expiresIn: z.int().describe('Seconds for which the address works.'),
  })
  .meta({
    id: 'AvatarUpload',
    description: 'A presigned address to PUT the picture to.',
    examples: [
      {
        uploadUrl: 'https://storage.example.com/atelier/avatar/019aa4f0/upload?X-Amz-Signature=…',
        method: 'PUT',
        headers: { 'content-type': 'image/png' },
        key: 'avatar/019aa4f0-5c1e-7b3a-9d2f-6f1f0c7a9e42/upload',
        expiresIn: 900,
      },
    ],
  });

export const CompleteAvatarBody = z.object({ key: verbatimText({ max: 1024 }) }).meta({
  id: 'CompleteAvatarBody',
  description: 'The key that the upload was given.',
  examples: [{ key: 'avatar/019aa4f0-5c1e-7b3a-9d2f-6f1f0c7a9e42/upload' }],
});

export const profile = {
  update: endpoint({
    method: 'PATCH',
    path: '/api/auth/user/profile',
    summary: "Update the caller's profile",
    access: userAccess,
    ifMatch: true,
    body: UpdateProfileBody,
    success: ok('Profile updated', User),
    activity: 'user.update_profile',
  }),
  startAvatarUpload: endpoint({
    method: 'POST',
    path: '/api/auth/user/avatar-upload',
    summary: 'Get a presigned address for an avatar',
    description: 'The address takes exactly the declared type and number of bytes.',
    access: userAccess,
    idempotent: true,
    responseExpires: true,
    body: AvatarUploadBody,
    success: created('Avatar upload ready', AvatarUpload),
  }),
  completeAvatarUpload: endpoint({
    method: 'POST',
    path: '/api/auth/user/avatar-upload/complete',
    summary: 'Finalize an avatar upload',
    description:
      'Checks the uploaded picture, cuts it to a square of 512 pixels without metadata, and shows it from now on. Repeating a success changes nothing.',
    access: userAccess,
    idempotent: true,
    body: CompleteAvatarBody,
    success: ok('Avatar updated', User),
    errors: ['avatar_invalid', 'storage_unavailable'],
    activity: 'user.update_avatar',
  }),
};
