import { z } from 'zod/v4';
import { userAccess } from './access.ts';
import { deprecatedNotices, User } from './auth.ts';
import { endpoint } from './endpoint.ts';
import { created, ok } from './envelope.ts';
import { text, verbatimText } from './primitives.ts';

/** Largest avatar, in bytes. */
export const maxAvatarBytes = 5 * 1024 * 1024;

export const UpdateProfileBody = z
  .object({
    firstName: text({ max: 80 }).nullable().optional(),
    lastName: text({ max: 80 }).nullable().optional(),
    mailNotices: z
      .boolean()
      .optional()
      .meta(
        deprecatedNotices(
          'Sets the mail of the reasons `assigned` and `mentioned`: INSTANT or OFF.',
        ),
      ),
    mailSignIns: z
      .boolean()
      .optional()
      .describe(
        'Whether each sign-in is sent by email. One from a new device or network always is.',
      ),
  })
  .meta({
    id: 'UpdateProfileBody',
    description: 'The fields to change; absent fields keep their value, null clears a field.',
    examples: [{ firstName: 'Ada', lastName: null }],
  });

export const AvatarUploadBody = z
  .object({
    contentType: z.enum(['image/png', 'image/jpeg', 'image/webp']),
    fileSize: z.int().min(1).max(maxAvatarBytes).describe('Bytes.'),
  })
  .meta({
    id: 'AvatarUploadBody',
    description: 'The picture to upload.',
    examples: [{ contentType: 'image/png', fileSize: 48_213 }],
  });

export const AvatarUpload = z
  .object({
    uploadUrl: z.string(),
    method: z.literal('PUT'),
    headers: z.record(z.string(), z.string()).describe('Headers to send with the PUT.'),
    key: z.string(),
    expiresIn: z.int().describe('Seconds until the URL expires.'),
  })
  .meta({
    id: 'AvatarUpload',
    description: 'A presigned URL for the PUT of the picture.',
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
  description: 'The key of the upload.',
  examples: [{ key: 'avatar/019aa4f0-5c1e-7b3a-9d2f-6f1f0c7a9e42/upload' }],
});

export const profile = {
  update: endpoint({
    method: 'PATCH',
    path: '/api/auth/user/profile',
    summary: "Update the caller's profile",
    access: userAccess,
    keys: 'refused',
    effect: 'change',
    ifMatch: true,
    body: UpdateProfileBody,
    success: ok('Profile updated', User),
    activity: 'user.update_profile',
  }),
  startAvatarUpload: endpoint({
    method: 'POST',
    path: '/api/auth/user/avatar-upload',
    summary: 'Get a presigned URL for an avatar upload',
    description: 'The URL accepts exactly the declared type and number of bytes.',
    access: userAccess,
    keys: 'refused',
    effect: 'change',
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
      'Checks the uploaded picture, crops it to a square of 512 pixels without metadata, and makes it the avatar. No-op when repeated.',
    access: userAccess,
    keys: 'refused',
    effect: 'change',
    idempotent: true,
    body: CompleteAvatarBody,
    success: ok('Avatar updated', User),
    errors: ['avatar_invalid', 'storage_unavailable'],
    activity: 'user.update_avatar',
  }),
};
