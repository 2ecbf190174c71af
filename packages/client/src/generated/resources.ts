// Made from @atelier/contract by scripts/generate.ts; change the contract, not this file.

import type { ActivityAction, ResourceType } from './types.ts';

/** Name of a Lucide icon. */
export type ResourceIcon =
  | 'user'
  | 'key-round'
  | 'building-2'
  | 'users'
  | 'mail'
  | 'folder-open'
  | 'file-text'
  | 'upload'
  | 'square-kanban'
  | 'list-todo'
  | 'message-square'
  | 'tag'
  | 'webhook'
  | 'bot'
  | 'share-2'
  | 'shield-question-mark';

/** What an app shows of a type of resource. */
export interface Resource {
  /** Plural, as in lists and filters. */
  readonly title: string;
  readonly icon: ResourceIcon;
  /**
   * Path of its page in the web app, null without one. `{id}` is its id; other names are from the metadata of
   * the activity.
   */
  readonly page: string | null;
}

/** What an app shows of an action. */
export interface Action {
  /** Shown after the title of the resource, such as “Posted”. */
  readonly label: string;
  /** Follows the name of the actor; `{name}` is the name of the resource. */
  readonly sentence: string;
}

export const resources: Readonly<Record<ResourceType, Resource>> = {
  user: { title: "Accounts", icon: "user", page: null },
  api_key: { title: "Keys", icon: "key-round", page: null },
  organization: { title: "Organizations", icon: "building-2", page: null },
  member: { title: "Members", icon: "users", page: null },
  invitation: { title: "Invitations", icon: "mail", page: null },
  collection: { title: "Collections", icon: "folder-open", page: "/collections/{id}" },
  asset: { title: "Files", icon: "file-text", page: "/assets/{id}" },
  upload: { title: "Uploads", icon: "upload", page: null },
  project: { title: "Projects", icon: "square-kanban", page: "/projects/{id}" },
  task: { title: "Tasks", icon: "list-todo", page: "/projects/{projectId}?task={id}" },
  comment: { title: "Comments", icon: "message-square", page: null },
  label: { title: "Labels", icon: "tag", page: null },
  webhook: { title: "Webhooks", icon: "webhook", page: null },
  service_account: { title: "Service accounts", icon: "bot", page: null },
  asset_comment: { title: "File comments", icon: "message-square", page: null },
  share: { title: "Shares", icon: "share-2", page: null },
  approval: { title: "Approvals", icon: "shield-question-mark", page: "/approvals/{id}" },
};

export const actions: Readonly<Record<ActivityAction, Action>> = {
  'user.register': { label: "Registered", sentence: "created the account {name}" },
  'user.verify_email': { label: "Email verified", sentence: "verified the email of {name}" },
  'user.request_password_reset': { label: "Password reset requested", sentence: "requested a password reset for {name}" },
  'user.reset_password': { label: "Password changed", sentence: "changed the password of {name}" },
  'user.login': { label: "Signed in", sentence: "signed in as {name}" },
  'user.logout': { label: "Signed out", sentence: "signed out as {name}" },
  'user.confirm': { label: "Confirmed", sentence: "confirmed to be {name}" },
  'user.change_password': { label: "Password changed", sentence: "changed the password of {name}" },
  'user.add_passkey': { label: "Passkey added", sentence: "added a passkey to {name}" },
  'user.remove_passkey': { label: "Passkey removed", sentence: "removed a passkey of {name}" },
  'user.enable_totp': { label: "One-time codes on", sentence: "turned on one-time codes for {name}" },
  'user.disable_totp': { label: "One-time codes off", sentence: "turned off one-time codes for {name}" },
  'user.renew_recovery_codes': { label: "Recovery codes renewed", sentence: "renewed the recovery codes of {name}" },
  'user.use_recovery_code': { label: "Recovery code used", sentence: "used a recovery code of {name}" },
  'user.reset_second_factor': { label: "Second factor removed", sentence: "removed the second factor of {name}" },
  'user.end_sessions': { label: "Sessions ended", sentence: "ended sessions of {name}" },
  'user.token_replay': { label: "Old session reused", sentence: "ended every session of {name}, because an old one was reused" },
  'user.update_profile': { label: "Profile changed", sentence: "changed the profile of {name}" },
  'user.update_avatar': { label: "Picture changed", sentence: "changed the picture of {name}" },
  'user.link_identity': { label: "Provider connected", sentence: "connected a sign-in provider to {name}" },
  'user.unlink_identity': { label: "Provider disconnected", sentence: "disconnected a sign-in provider from {name}" },
  'user.request_email_change': { label: "Email change requested", sentence: "requested another email for {name}" },
  'user.change_email': { label: "Email changed", sentence: "changed the email to {name}" },
  'user.undo_email_change': { label: "Email change undone", sentence: "undid a change of the email {name}" },
  'user.export': { label: "Export requested", sentence: "requested an export of {name}" },
  'user.request_deletion': { label: "Deletion requested", sentence: "requested the deletion of the account {name}" },
  'user.cancel_deletion': { label: "Account kept", sentence: "kept the account {name}" },
  'user.delete': { label: "Account deleted", sentence: "deleted the account {name}" },
  'user.suspend': { label: "Suspended", sentence: "suspended the account {name}" },
  'user.reinstate': { label: "Reinstated", sentence: "reinstated the account {name}" },
  'user.grant_admin': { label: "Made an administrator", sentence: "made {name} an administrator of the service" },
  'user.revoke_admin': { label: "Administrator role removed", sentence: "removed {name} as an administrator of the service" },
  'api_key.create': { label: "Created", sentence: "created the API key {name}" },
  'api_key.rename': { label: "Renamed", sentence: "renamed the API key to {name}" },
  'api_key.rotate': { label: "Replaced", sentence: "replaced the API key {name}" },
  'api_key.revoke': { label: "Revoked", sentence: "revoked the API key {name}" },
  'api_key.exclude': { label: "Excluded", sentence: "excluded the API key {name} from the organization" },
  'organization.create': { label: "Created", sentence: "created the team {name}" },
  'organization.rename': { label: "Renamed", sentence: "renamed the organization to {name}" },
  'organization.update': { label: "Settings changed", sentence: "changed the settings of {name}" },
  'organization.change_security_policy': { label: "Security policy changed", sentence: "changed the security policy of {name}" },
  'organization.change_share_policy': { label: "Share policy changed", sentence: "changed the share policy of {name}" },
  'organization.empty_bin': { label: "Bin emptied", sentence: "emptied the bin of {name}" },
  'organization.delete': { label: "Deleted", sentence: "deleted the team {name}" },
  'member.join': { label: "Joined", sentence: "joined as {name}" },
  'member.update': { label: "Changed", sentence: "changed the membership of {name}" },
  'member.remove': { label: "Removed", sentence: "ended the membership of {name}" },
  'invitation.create': { label: "Sent", sentence: "invited {name}" },
  'invitation.revoke': { label: "Revoked", sentence: "revoked the invitation for {name}" },
  'collection.create': { label: "Created", sentence: "created the collection {name}" },
  'collection.rename': { label: "Renamed", sentence: "renamed the collection {name}" },
  'collection.favorite': { label: "Added to favorites", sentence: "added the collection {name} to favorites" },
  'collection.unfavorite': { label: "Removed from favorites", sentence: "removed the collection {name} from favorites" },
  'collection.delete': { label: "Deleted", sentence: "moved the collection {name} to the bin" },
  'collection.restore': { label: "Restored", sentence: "restored the collection {name}" },
  'asset.create': { label: "Uploaded", sentence: "uploaded {name}" },
  'asset.add_version': { label: "New version", sentence: "uploaded a new version of {name}" },
  'asset.update': { label: "Changed", sentence: "changed {name}" },
  'asset.favorite': { label: "Added to favorites", sentence: "added {name} to favorites" },
  'asset.unfavorite': { label: "Removed from favorites", sentence: "removed {name} from favorites" },
  'asset.restore_version': { label: "Version restored", sentence: "restored an earlier version of {name}" },
  'asset.change_review': { label: "Reviewed", sentence: "changed the review of {name}" },
  'asset.publish': { label: "Published", sentence: "published {name}" },
  'asset.delete': { label: "Deleted", sentence: "moved {name} to the bin" },
  'asset.restore': { label: "Restored", sentence: "restored {name}" },
  'asset.purge': { label: "Deleted permanently", sentence: "permanently deleted {name}" },
  'upload.initiate': { label: "Started", sentence: "started uploading {name}" },
  'upload.abort': { label: "Cancelled", sentence: "cancelled the upload of {name}" },
  'project.create': { label: "Created", sentence: "created the project {name}" },
  'project.update': { label: "Changed", sentence: "changed the project {name}" },
  'project.move': { label: "Moved", sentence: "moved the project {name}" },
  'project.delete': { label: "Deleted", sentence: "deleted the project {name}" },
  'task.create': { label: "Created", sentence: "added the task {name}" },
  'task.update': { label: "Changed", sentence: "changed the task {name}" },
  'task.move': { label: "Moved", sentence: "moved the task {name}" },
  'task.assign': { label: "Assigned", sentence: "changed the assignees of {name}" },
  'task.attach': { label: "Attached", sentence: "attached a file to {name}" },
  'task.detach': { label: "Detached", sentence: "detached a file from {name}" },
  'task.delete': { label: "Deleted", sentence: "deleted the task {name}" },
  'comment.create': { label: "Posted", sentence: "commented on {name}" },
  'comment.update': { label: "Edited", sentence: "edited a comment on {name}" },
  'comment.delete': { label: "Deleted", sentence: "deleted a comment on {name}" },
  'label.create': { label: "Created", sentence: "created the label {name}" },
  'label.update': { label: "Changed", sentence: "changed the label {name}" },
  'label.delete': { label: "Deleted", sentence: "deleted the label {name}" },
  'webhook.create': { label: "Created", sentence: "created the webhook {name}" },
  'webhook.update': { label: "Changed", sentence: "changed the webhook {name}" },
  'webhook.rotate_secret': { label: "Secret replaced", sentence: "replaced the secret of the webhook {name}" },
  'webhook.enable': { label: "Enabled", sentence: "enabled the webhook {name}" },
  'webhook.disable': { label: "Disabled", sentence: "disabled the webhook {name}" },
  'webhook.test': { label: "Tested", sentence: "tested the webhook {name}" },
  'webhook.replay': { label: "Replayed", sentence: "replayed events to the webhook {name}" },
  'webhook.resend': { label: "Sent again", sentence: "sent an event to the webhook {name} again" },
  'webhook.delete': { label: "Deleted", sentence: "deleted the webhook {name}" },
  'service_account.create': { label: "Created", sentence: "created the service account {name}" },
  'service_account.update': { label: "Changed", sentence: "changed the service account {name}" },
  'service_account.delete': { label: "Deleted", sentence: "deleted the service account {name}" },
  'asset_comment.create': { label: "Posted", sentence: "commented on {name}" },
  'asset_comment.update': { label: "Edited", sentence: "edited a comment on {name}" },
  'asset_comment.resolve': { label: "Resolved", sentence: "resolved a comment on {name}" },
  'asset_comment.reopen': { label: "Reopened", sentence: "reopened a comment on {name}" },
  'asset_comment.delete': { label: "Deleted", sentence: "deleted a comment on {name}" },
  'share.create': { label: "Shared", sentence: "shared {name}" },
  'share.update': { label: "Changed", sentence: "changed the share {name}" },
  'share.rotate': { label: "Link replaced", sentence: "replaced the link of the share {name}" },
  'share.revoke': { label: "Ended", sentence: "ended the share {name}" },
  'approval.request': { label: "Requested", sentence: "asked for an approval: {name}" },
  'approval.approve': { label: "Approved", sentence: "approved the call: {name}" },
  'approval.refuse': { label: "Refused", sentence: "refused the call: {name}" },
};
