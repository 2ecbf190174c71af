import { z } from 'zod/v4';
import { publicAccess, userAccess } from './access.ts';
import { EmailResponse, TokenBody } from './auth.ts';
import { endpoint } from './endpoint.ts';
import { created, ok } from './envelope.ts';
import { Export, LatestExport } from './exports.ts';
import { Email, Id, text, Timestamp } from './primitives.ts';
import { ownTarget } from './targets.ts';

/** How many days an account waits for its deletion, and can be kept. */
export const deletionDelayDays = 14;

/** The name of a person whose account is deleted, wherever something of theirs stays. */
export const deletedPersonName = 'Deleted person';

/** How the addresses end that deleted accounts have; nothing is mailed to them. */
export const deletedAddressSuffix = '@deleted.invalid';

export const RequestDeletionBody = z
  .object({
    confirmation: text({ max: 254 }).toLowerCase().describe("The account's own email, to confirm."),
  })
  .meta({
    id: 'RequestDeletionBody',
    description: 'The confirmation that an account is to be deleted.',
    examples: [{ confirmation: 'ada@example.com' }],
  });

export const AccountDeletion = z
  .object({ deletesAt: Timestamp.describe('Until then, the mailed link keeps the account.') })
  .meta({
    id: 'AccountDeletion',
    description: 'When the account is going to be deleted.',
    examples: [{ deletesAt: '2026-12-05T09:30:00.000Z' }],
  });

/** How many days a change of the email can be undone, and how many the email stays after that. */
export const emailUndoDays = 7;

export const ChangeEmailBody = z.object({ newEmail: Email }).meta({
  id: 'ChangeEmailBody',
  description: 'The email that the account is to get.',
  examples: [{ newEmail: 'ada@example.org' }],
});

export const RequestedEmail = z.object({ newEmail: Email }).meta({
  id: 'RequestedEmail',
  description: 'The email of the request, whether or not an account has it.',
  examples: [{ newEmail: 'ada@example.org' }],
});

/** The email of the account, its export, and its deletion. */
export const account = {
  requestEmailChange: endpoint({
    method: 'POST',
    path: '/api/auth/user/email',
    summary: "Request another email for the caller's account",
    description:
      'Mails a link to the new address, valid for 24 hours, and a notice to the present one. The response is the same for an address that is taken: its mailbox learns it. Another request replaces this one; a new password, or the end of all sessions, voids it. `email_change_blocked` for 7 days after a change was undone.',
    isAddition: true,
    access: userAccess,
    keys: 'refused',
    effect: 'change',
    confirmation: true,
    rateLimit: 'email-change',
    body: ChangeEmailBody,
    success: ok('A link is on its way to the new address', RequestedEmail),
    errors: ['email_change_blocked'],
    activity: 'user.request_email_change',
  }),
  confirmEmailChange: endpoint({
    method: 'POST',
    path: '/api/auth/email-change/confirm',
    summary: 'Change the email of an account',
    description:
      'Takes the token of the mailed link. Other sessions end, other mailed links are void, and the former address gets a link that undoes the change for 7 days. Until then no other account can have that address.',
    isAddition: true,
    access: publicAccess,
    effect: 'change',
    body: TokenBody,
    success: ok('Your email is changed', EmailResponse),
    errors: ['invalid_or_expired_token'],
    activity: 'user.change_email',
  }),
  undoEmailChange: endpoint({
    method: 'POST',
    path: '/api/auth/email-change/undo',
    summary: 'Undo a change of the email of an account',
    description:
      'Takes the token of the link that the former address got. The account has that address again, whatever was changed since. All sessions end, the password no longer works, nor do passkeys that are younger than a week before the change, a waiting deletion is cancelled, and a link to choose a new password is mailed to the address.',
    isAddition: true,
    access: publicAccess,
    effect: 'change',
    body: TokenBody,
    success: ok('Your former email is back', EmailResponse),
    errors: ['invalid_or_expired_token'],
    activity: 'user.undo_email_change',
  }),
  requestExport: endpoint({
    method: 'POST',
    path: '/api/auth/user/export',
    summary: "Export what the service keeps of the caller's account",
    description:
      'Prepares one ZIP, and mails when it is ready: account, sessions, own activities, memberships, and what the person made in organizations that they are a member of. One at a time (`export_pending`), and at most 3 in 7 days: then 429 with `Retry-After`.',
    isAddition: true,
    access: userAccess,
    keys: 'refused',
    effect: 'change',
    confirmation: true,
    idempotent: true,
    success: created('Your export is being prepared', Export),
    errors: ['export_pending'],
    activity: 'user.export',
  }),
  latestExport: endpoint({
    method: 'GET',
    path: '/api/auth/user/export',
    summary: "Get the newest export of the caller's account",
    isAddition: true,
    access: userAccess,
    keys: 'refused',
    success: ok('Export retrieved', LatestExport),
  }),
  getExport: endpoint({
    method: 'GET',
    path: '/api/auth/user/export/:id',
    summary: "Get an export of the caller's account",
    description: 'An expired one is forgotten within minutes.',
    isAddition: true,
    access: userAccess,
    keys: 'refused',
    pathParams: z.object({ id: Id }),
    targets: { 'params.id': ownTarget('export') },
    success: ok('Export retrieved', Export),
    errors: ['not_found'],
  }),
  requestDeletion: endpoint({
    method: 'POST',
    path: '/api/auth/user/deletion',
    summary: "Delete the caller's account in 14 days",
    description:
      'All sessions end, API keys stop working, and signing in answers `account_deletion_pending`. An emailed link keeps the account until then. After that the personal organization is deleted; what the person made in teams stays, by “Deleted person”. With `last_owner`, `errors` lists the teams that would have no owner: the path ends with the id, the message is the name.',
    isAddition: true,
    access: userAccess,
    keys: 'refused',
    effect: 'remove',
    confirmation: true,
    body: RequestDeletionBody,
    success: ok('Your account will be deleted', AccountDeletion),
    errors: ['confirmation_mismatch', 'last_owner', 'conflict'],
    activity: 'user.request_deletion',
  }),
  cancelDeletion: endpoint({
    method: 'POST',
    path: '/api/auth/deletion/cancel',
    summary: 'Keep an account that waits for its deletion',
    description: 'Takes the token of the emailed link. API keys work again; sessions stay ended.',
    isAddition: true,
    access: publicAccess,
    effect: 'change',
    body: TokenBody,
    success: ok('Your account is kept', EmailResponse),
    errors: ['invalid_or_expired_token'],
    activity: 'user.cancel_deletion',
  }),
};
