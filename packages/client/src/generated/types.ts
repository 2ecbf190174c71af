// Made from @atelier/contract by scripts/generate.ts; change the contract, not this file.

import type { CallOptions, ConditionalOptions, IdempotentOptions } from '../call-options.ts';

/** The initiated upload. */
export interface AbortUploadBody {
  uploadId: string;
  key: string;
}

/** The aborted upload. */
export interface AbortedUpload {
  uploadId: string;
}

/** When the account is going to be deleted. */
export interface AccountDeletion {
  /** Until then, the mailed link keeps the account. */
  deletesAt: Timestamp;
}

/** What protects the account, as its owner sees it. */
export interface AccountSecurity {
  hasPassword: boolean;
  /** The oldest first. */
  passkeys: Passkey[];
  /** One-time codes of an authenticator app; null if they are off. */
  totp: {
    enabledAt: Timestamp;
  } | null;
  /** How many recovery codes still work. */
  recoveryCodesLeft: number;
  /** The sign-in providers that open this account. */
  identities: ({
    provider: 'google' | 'github';
    createdAt: Timestamp;
  })[];
  /** How long this session may use operations that need a confirmation; null if it may not. */
  confirmedUntil: Timestamp | null;
}

/** A recorded change. Activities never change, except that the text of those about an account is erased when it is deleted. The operator may have old months removed. */
export interface Activity {
  id: Id;
  action: ActivityAction;
  /** The user who did it; null: a guest, a report of a leaked key, or the service. */
  actor: {
    id: Id;
    name: string;
  } | null;
  organizationId: Id | null;
  resourceType: ResourceType;
  resourceId: Id;
  /** Name of the resource at that time. */
  resourceName: string;
  /** Changed fields with both values. Of the description of a task, the first 200 characters of each, which may be equal. */
  changes: {
    field: string;
    from: unknown;
    to: unknown;
  }[];
  metadata: Record<string, unknown>;
  requestId: string | null;
  createdAt: Timestamp;
}

/** What happened, as `resource.verb`. */
export type ActivityAction =
  | 'user.register'
  | 'user.verify_email'
  | 'user.request_password_reset'
  | 'user.reset_password'
  | 'user.login'
  | 'user.logout'
  | 'user.confirm'
  | 'user.change_password'
  | 'user.add_passkey'
  | 'user.remove_passkey'
  | 'user.enable_totp'
  | 'user.disable_totp'
  | 'user.renew_recovery_codes'
  | 'user.use_recovery_code'
  | 'user.reset_second_factor'
  | 'user.end_sessions'
  | 'user.token_replay'
  | 'user.update_profile'
  | 'user.update_avatar'
  | 'user.link_identity'
  | 'user.unlink_identity'
  | 'user.request_email_change'
  | 'user.change_email'
  | 'user.undo_email_change'
  | 'user.export'
  | 'user.request_deletion'
  | 'user.cancel_deletion'
  | 'user.delete'
  | 'user.suspend'
  | 'user.reinstate'
  | 'user.grant_admin'
  | 'user.revoke_admin'
  | 'api_key.create'
  | 'api_key.rename'
  | 'api_key.rotate'
  | 'api_key.revoke'
  | 'api_key.exclude'
  | 'organization.create'
  | 'organization.rename'
  | 'organization.update'
  | 'organization.change_security_policy'
  | 'organization.change_share_policy'
  | 'organization.empty_bin'
  | 'organization.delete'
  | 'member.join'
  | 'member.update'
  | 'member.remove'
  | 'invitation.create'
  | 'invitation.revoke'
  | 'collection.create'
  | 'collection.rename'
  | 'collection.favorite'
  | 'collection.unfavorite'
  | 'collection.delete'
  | 'collection.restore'
  | 'asset.create'
  | 'asset.add_version'
  | 'asset.update'
  | 'asset.favorite'
  | 'asset.unfavorite'
  | 'asset.restore_version'
  | 'asset.change_review'
  | 'asset.publish'
  | 'asset.delete'
  | 'asset.restore'
  | 'asset.purge'
  | 'upload.initiate'
  | 'upload.abort'
  | 'project.create'
  | 'project.update'
  | 'project.move'
  | 'project.delete'
  | 'task.create'
  | 'task.update'
  | 'task.move'
  | 'task.assign'
  | 'task.attach'
  | 'task.detach'
  | 'task.delete'
  | 'comment.create'
  | 'comment.update'
  | 'comment.delete'
  | 'label.create'
  | 'label.update'
  | 'label.delete'
  | 'webhook.create'
  | 'webhook.update'
  | 'webhook.rotate_secret'
  | 'webhook.enable'
  | 'webhook.disable'
  | 'webhook.test'
  | 'webhook.replay'
  | 'webhook.resend'
  | 'webhook.delete'
  | 'service_account.create'
  | 'service_account.update'
  | 'service_account.delete'
  | 'asset_comment.create'
  | 'asset_comment.update'
  | 'asset_comment.resolve'
  | 'asset_comment.reopen'
  | 'asset_comment.delete'
  | 'share.create'
  | 'share.update'
  | 'share.rotate'
  | 'share.revoke'
  | 'approval.request'
  | 'approval.approve'
  | 'approval.refuse';

/** One page: its items and its position in the list. */
export interface ActivityPage {
  items: Activity[];
  pagination: Pagination;
}

/** Number of activities by action and by day. Days are in UTC. */
export interface ActivitySummary {
  total: number;
  byAction: Partial<Record<ActivityAction, number>>;
  byDay: {
    day: string;
    count: number;
  }[];
}

/** A passkey that the browser has just made. */
export interface AddPasskeyBody {
  /** What its owner calls it. */
  name: string;
  response: PasskeyRegistration;
}

/** The new passkey, and the recovery codes for the case that it is lost. */
export interface AddedPasskey {
  id: Id;
  name: string;
  /** Whether it is synchronized, so that it outlives the device that made it. */
  isBackedUp: boolean;
  createdAt: Timestamp;
  lastUsedAt: Timestamp | null;
  /** Ten of them if the account had none, shown once; otherwise null. */
  recoveryCodes: string[] | null;
}

/** A key without its secret. */
export interface ApiKey {
  id: Id;
  name: string;
  kind: ApiKeyKind;
  /** The first 12 characters of the key. */
  prefix: string;
  lastFour: string;
  scopes: Scope[];
  toolMode: ToolMode;
  /** The only organizations that the key reaches. */
  organizations: {
    id: Id;
    name: string;
  }[];
  createdAt: Timestamp;
  /** Null: it does not expire. */
  expiresAt: Timestamp | null;
  /** Up to a minute old. */
  lastUsedAt: Timestamp | null;
  lastUsedIp: string | null;
  revokedAt: Timestamp | null;
  /** `EXPIRING`: within 7 days. */
  status: 'ACTIVE' | 'EXPIRING' | 'EXPIRED' | 'REVOKED';
}

/** PERSONAL acts as its person, SERVICE as a service account. */
export type ApiKeyKind = 'PERSONAL' | 'SERVICE';

/** One page: its items and its position in the list. */
export interface ApiKeyPage {
  items: ApiKey[];
  pagination: Pagination;
}

/** A call of an assistant, and the decision of a person on it. */
export interface Approval {
  id: Id;
  organizationId: Id;
  status: ApprovalStatus;
  /** The name of the tool. */
  tool: string;
  /** What the tool does. */
  title: string;
  /** Exactly what the tool is called with. */
  arguments: Record<string, unknown>;
  /** What the ids among the arguments identify. */
  records: {
    argument: string;
    resourceType: ResourceType;
    id: Id;
    /** Its name when the approval was requested. */
    name: string;
  }[];
  /** The key that the tool is called with. Its name when the approval was requested. */
  apiKey: {
    id: Id;
    name: string;
    kind: ApiKeyKind;
  };
  /** The account of the key. */
  requestedBy: {
    id: Id;
    displayName: string;
  };
  createdAt: Timestamp;
  /** Until when it can be decided, and once approved, used. */
  expiresAt: Timestamp;
  decidedBy: {
    id: Id;
    displayName: string;
  } | null;
  decidedAt: Timestamp | null;
}

/** One page: its items and its position in the list. */
export interface ApprovalPage {
  items: Approval[];
  pagination: Pagination;
}

/** WAITING for a decision, APPROVED and not yet used, REFUSED, USED by its call, or EXPIRED before its use. */
export type ApprovalStatus = 'WAITING' | 'APPROVED' | 'REFUSED' | 'USED' | 'EXPIRED';

/** An area inside the picture. */
export interface AreaAnchor {
  kind: 'area';
  x: number;
  y: number;
  width: number;
  height: number;
  /** Page of a document, from 1. */
  page?: number | undefined;
}

/** A file with its versions. */
export interface Asset {
  id: Id;
  /** File name, at first as it was uploaded. */
  assetName: string;
  /** Media type. */
  assetType: string;
  description: string | null;
  /** In the order in which they were set. */
  tags: string[];
  /** Public short URL; 404 while the public link is off. Switching it off makes a new URL. */
  assetShortUrl: string;
  /** Presigned storage URL, valid for 15 minutes. */
  assetLongUrl: string;
  createdAt: Timestamp;
  collectionId: Id;
  organizationId: Id;
  createdBy: Id;
  /** Bytes of the current version. */
  fileSize: number;
  /** SHA-256 of the content in hexadecimal; null until it is known. */
  checksum: string | null;
  /** Media type detected from the content; null if unknown. */
  detectedType: string | null;
  /** Width of a picture in pixels, as displayed. */
  width: number | null;
  /** Height of a picture in pixels, as displayed. */
  height: number | null;
  currentVersion: number;
  /** Whether it is a favorite of the caller. */
  isFavorite: boolean;
  /** Presigned URL of a thumbnail: WebP, at most 512 pixels wide and high. */
  thumbnailUrl: string | null;
  publishedFromAssetId: Id | null;
  /** Whether the short URL works, unless the organization forbids public links. */
  publicLinkEnabled: boolean;
  review: AssetReview;
  /** Comments on all versions, with replies. */
  commentCount: number;
  /** Comments on all versions that are not resolved. */
  openCommentCount: number;
  updatedAt: Timestamp;
}

/** A place in the content: parts of its width and height from the upper left, 0 to 1, rounded to 1/10,000. */
export type AssetAnchor = PointAnchor | AreaAnchor | PathAnchor | TimeAnchor;

/** A comment on a version of an asset, or a reply to one. */
export interface AssetComment {
  id: Id;
  assetId: Id;
  /** The version that it is about. */
  versionNumber: number;
  /** The comment that it replies to; null: it is no reply. */
  parentId: Id | null;
  /** Null: a guest of a share link wrote it. */
  author: Person | null;
  /** The name that the guest gave. */
  guestName: string | null;
  body: string;
  /** Null: it is about the whole asset, or a reply. */
  anchor: AssetAnchor | null;
  /** Of a reply: whether the comment is that it replies to. */
  isResolved: boolean;
  resolvedBy: Person | null;
  resolvedAt: Timestamp | null;
  createdAt: Timestamp;
  editedAt: Timestamp | null;
}

/** One page: its items and its position in the list. */
export interface AssetCommentPage {
  items: AssetComment[];
  pagination: Pagination;
}

/** A comment on a time of a recording, for an editing program. */
export interface AssetMarker {
  startMs: number;
  /** Equal to `startMs` for a single time. */
  endMs: number;
  /** `hours:minutes:seconds:frames` without dropped frames; without `frameRate`, `hours:minutes:seconds.milliseconds`. */
  timecode: string;
  /** The first 500 characters of the comment. */
  text: string;
  /** Name of the author. */
  author: string;
  isResolved: boolean;
}

/** The comments on times of a version, the earliest time first. */
export interface AssetMarkers {
  items: AssetMarker[];
  /** False if there are more than 1,000. */
  isComplete: boolean;
}

/** One page: its items and its position in the list. */
export interface AssetPage {
  items: Asset[];
  pagination: Pagination;
}

/** The review of a version of an asset; that of an asset is about its current version. */
export interface AssetReview {
  status: ReviewStatus;
  /** The version that it is about. */
  versionNumber: number;
  /** Null until it is first changed. */
  changedBy: Id | null;
  /** Null until it is first changed. */
  changedAt: Timestamp | null;
}

/** Tags of assets with how many of the examined assets have each, the most frequent first. */
export interface AssetTags {
  items: {
    tag: string;
    assetCount: number;
  }[];
}

/** One version of the content of an asset. Only its review changes. */
export interface AssetVersion {
  versionNumber: number;
  /** Bytes. */
  fileSize: number;
  contentType: string;
  eTag: string;
  createdBy: Id;
  createdAt: Timestamp;
  /** Number of the version that was restored; null if none was. */
  restoredFrom: number | null;
  isCurrent: boolean;
  review: AssetReview;
}

/** One page: its items and its position in the list. */
export interface AssetVersionPage {
  items: AssetVersion[];
  pagination: Pagination;
}

/** All assignees. */
export interface AssigneesBody {
  /** Ids of users who are active members, at most 20; duplicates count once. */
  assigneeIds: Id[];
}

/** A presigned URL for the PUT of the picture. */
export interface AvatarUpload {
  uploadUrl: string;
  method: 'PUT';
  /** Headers to send with the PUT. */
  headers: Record<string, string>;
  key: string;
  /** Seconds until the URL expires. */
  expiresIn: number;
}

/** The picture to upload. */
export interface AvatarUploadBody {
  contentType: 'image/png' | 'image/jpeg' | 'image/webp';
  /** Bytes. */
  fileSize: number;
}

/** A deleted asset that can still be restored; its links no longer work. */
export interface BinnedAsset {
  id: Id;
  /** File name, at first as it was uploaded. */
  assetName: string;
  /** Media type. */
  assetType: string;
  description: string | null;
  /** In the order in which they were set. */
  tags: string[];
  /** Public short URL; 404 while the public link is off. Switching it off makes a new URL. */
  assetShortUrl: string;
  /** Presigned storage URL, valid for 15 minutes. */
  assetLongUrl: string;
  createdAt: Timestamp;
  collectionId: Id;
  organizationId: Id;
  createdBy: Id;
  /** Bytes of the current version. */
  fileSize: number;
  /** SHA-256 of the content in hexadecimal; null until it is known. */
  checksum: string | null;
  /** Media type detected from the content; null if unknown. */
  detectedType: string | null;
  /** Width of a picture in pixels, as displayed. */
  width: number | null;
  /** Height of a picture in pixels, as displayed. */
  height: number | null;
  currentVersion: number;
  /** Whether it is a favorite of the caller. */
  isFavorite: boolean;
  /** Presigned URL of a thumbnail: WebP, at most 512 pixels wide and high. */
  thumbnailUrl: string | null;
  publishedFromAssetId: Id | null;
  /** Whether the short URL works, unless the organization forbids public links. */
  publicLinkEnabled: boolean;
  review: AssetReview;
  /** Comments on all versions, with replies. */
  commentCount: number;
  /** Comments on all versions that are not resolved. */
  openCommentCount: number;
  updatedAt: Timestamp;
  deletedAt: Timestamp;
  /** When it will be deleted permanently. */
  purgeAt: Timestamp;
}

/** One page: its items and its position in the list. */
export interface BinnedAssetPage {
  items: BinnedAsset[];
  pagination: Pagination;
}

/** A deleted collection that can still be restored. */
export interface BinnedCollection {
  id: Id;
  title: string;
  organizationId: Id;
  createdBy: Id;
  /** Assets that were deleted with it. */
  assetCount: number;
  /** Whether it is a favorite of the caller. */
  isFavorite: boolean;
  createdAt: Timestamp;
  updatedAt: Timestamp;
  deletedAt: Timestamp;
  /** When it will be deleted permanently. */
  purgeAt: Timestamp;
}

/** One page: its items and its position in the list. */
export interface BinnedCollectionPage {
  items: BinnedCollection[];
  pagination: Pagination;
}

/** The email that the account is to get. */
export interface ChangeEmailBody {
  newEmail: Email;
}

/** The present password, and the one to replace it. */
export interface ChangePasswordBody {
  currentPassword: string;
  /** 8 to 128 characters; not a common password, not the email. */
  newPassword: string;
  secondFactor?: SecondFactor | undefined;
  /** Whether all sessions but this one end. */
  endOtherSessions?: boolean | undefined;
}

/** How many notifications have changed. */
export interface ChangedNotifications {
  changedCount: number;
}

/** A named set of assets of one organization. */
export interface Collection {
  id: Id;
  title: string;
  organizationId: Id;
  createdBy: Id;
  assetCount: number;
  /** Whether it is a favorite of the caller. */
  isFavorite: boolean;
  createdAt: Timestamp;
  updatedAt: Timestamp;
}

/** One page: its items and its position in the list. */
export interface CollectionPage {
  items: Collection[];
  pagination: Pagination;
}

/** The title of a collection, 1 to 120 characters. */
export interface CollectionTitleBody {
  title: string;
}

/** A comment on a task. */
export interface Comment {
  id: Id;
  taskId: Id;
  author: Person;
  body: string;
  createdAt: Timestamp;
  editedAt: Timestamp | null;
}

/** The text of a comment, 1 to 10,000 characters. */
export interface CommentBody {
  body: string;
}

/** One page: its items and its position in the list. */
export interface CommentPage {
  items: Comment[];
  pagination: Pagination;
}

/** The key of the upload. */
export interface CompleteAvatarBody {
  key: string;
}

/** The initiated upload and its stored parts. */
export interface CompleteUploadBody {
  uploadId: string;
  key: string;
  contentType: ContentType;
  /** Every part, in any order. */
  parts: PartDto[];
  collectionId: Id;
}

/** What only the person has whose session it is. */
export interface ConfirmBody {
  password?: string | undefined;
  /** Beside a password, if the account has one. */
  secondFactor?: SecondFactor | undefined;
  /** What a passkey of the account has signed, instead of the password. Needs no second factor. */
  passkey?: PasskeyAuthentication | undefined;
}

/** A session whose person has confirmed who they are. */
export interface Confirmation {
  /** How long operations that need it may be used. */
  confirmedUntil: Timestamp;
}

/** Media type without parameters. */
export type ContentType = string;

/** A picture of what a version shows. */
export interface CoverBody {
  /** A JPEG of at most 300,000 bytes and 2,048 pixels wide and high, in base64 with padding. */
  picture: string;
  /** The version that it shows. Default: the current version. */
  versionNumber?: number | undefined;
}

/** A new key: what it may do, where, and for how long. */
export interface CreateApiKeyBody {
  name: string;
  /** Your organizations that it reaches. If one refuses personal keys: `validation_failed`. */
  organizationIds: Id[];
  /** Null: never. More than a key policy allows is refused with `validation_failed`, also by default. */
  expiresInDays?: number | null | undefined;
  /** What assistants may do with it. Default `ASK`. */
  toolMode?: ToolMode | undefined;
  scopes?: Scope[] | undefined;
  /** A list of scopes, as it is today. */
  preset?: 'read-only' | 'contributor' | 'everything' | undefined;
}

/** A new label. */
export interface CreateLabelBody {
  /** At most 40 characters; unique in the organization, without regard to case. */
  name: string;
  color: LabelColor;
}

/** A new project. */
export interface CreateProjectBody {
  name: string;
  description?: string | null | undefined;
}

/** A new service account. */
export interface CreateServiceAccountBody {
  name: string;
  role?: ServiceAccountRole | undefined;
}

/** A new key of a service account: what it may do, and for how long. */
export interface CreateServiceKeyBody {
  name: string;
  /** Null: never. More than a key policy allows is refused with `validation_failed`, also by default. */
  expiresInDays?: number | null | undefined;
  /** What assistants may do with it. Default `ASK`. */
  toolMode?: ToolMode | undefined;
  scopes?: Scope[] | undefined;
  /** A list of scopes, as it is today. */
  preset?: 'read-only' | 'contributor' | 'everything' | undefined;
}

/** What to show, and under which conditions. */
export interface CreateShareBody {
  targetType: ShareTargetType;
  targetId: Id;
  label?: string | undefined;
  /** 8 to 128 characters. Visitors need it to open it. */
  password?: string | undefined;
  /** Default: in 30 days, or sooner where the organization demands it. Null: no expiry. */
  expiresAt?: string | null | undefined;
  allowDownload?: boolean | undefined;
  allowComments?: boolean | undefined;
  versions?: ShareVersions | undefined;
  watermark?: string | undefined;
  maxOpenings?: number | undefined;
}

/** A new task. */
export interface CreateTaskBody {
  title: string;
  description?: string | null | undefined;
  status?: TaskStatus | undefined;
  priority?: TaskPriority | undefined;
  /** ISO 8601 time, or a date, which means its start in UTC. */
  dueDate?: string | null | undefined;
  /** Ids of users who are active members, at most 20; duplicates count once. */
  assigneeIds?: Id[] | undefined;
  /** Makes it a subtask of this task, which is in the project. */
  parentId?: Id | undefined;
}

/** A new endpoint. */
export interface CreateWebhookBody {
  /** An `https:` address that is reachable from the internet, without user and fragment, on port 443, 8443 or one from 1024. */
  url: string;
  description?: string | null | undefined;
  /** Events to send; `*` stands for all of them, also those of later versions. */
  events: WebhookChoice[];
  /** PARALLEL: up to five at a time. STRICT: one after the other, and one that fails holds back those after it. */
  ordering?: 'PARALLEL' | 'STRICT' | undefined;
}

/** A new endpoint with its secret. */
export interface CreatedWebhook {
  id: Id;
  url: string;
  description: string | null;
  events: WebhookChoice[];
  /** PARALLEL: up to five at a time. STRICT: one after the other, and one that fails holds back those after it. */
  ordering: 'PARALLEL' | 'STRICT';
  /** FAILING: the last ten attempts failed. PAUSED by a member, DISABLED by the service: nothing is sent, and what happens is kept for 30 days. */
  status: 'ACTIVE' | 'PAUSED' | 'FAILING' | 'DISABLED';
  /** Why the service disabled it. */
  disabledReason: 'GONE' | 'FAILED_TOO_LONG' | 'SECRET_UNREADABLE' | null;
  /** Ed25519 key that verifies `v1a` signatures. */
  publicKey: string;
  /** The last four characters of the secret. */
  secretHint: string;
  /** Until when messages are also signed with the secret before. */
  previousSecretExpiresAt: Timestamp | null;
  /** Messages that are still to be sent. */
  pendingCount: number;
  oldestPendingAt: Timestamp | null;
  lastDeliveredAt: Timestamp | null;
  createdBy: Id;
  createdAt: Timestamp;
  updatedAt: Timestamp;
  /** Shown in this response only; a repetition with the same Idempotency-Key shows it for `expiresIn` seconds. */
  secret: string;
  /** Seconds. */
  expiresIn: number;
}

/** The key of the request, and what it may do. */
export interface CurrentApiKey {
  id: Id;
  name: string;
  kind: ApiKeyKind;
  /** The first 12 characters of the key. */
  prefix: string;
  lastFour: string;
  scopes: Scope[];
  toolMode: ToolMode;
  organizations: {
    id: Id;
    name: string;
    /** What the key may do there: its scopes, as far as the role reaches now. */
    effectiveScopes: Scope[];
  }[];
  createdAt: Timestamp;
  /** Null: it does not expire. */
  expiresAt: Timestamp | null;
  /** Up to a minute old. */
  lastUsedAt: Timestamp | null;
  lastUsedIp: string | null;
  revokedAt: Timestamp | null;
  /** `EXPIRING`: within 7 days. */
  status: 'ACTIVE' | 'EXPIRING' | 'EXPIRED' | 'REVOKED';
}

/** Key figures of an organization. */
export interface DashboardSummary {
  /** Active members. */
  members: number;
  projects: {
    active: number;
    archived: number;
  };
  tasks: {
    total: number;
    byStatus: Record<TaskStatus, number>;
    /** Past their due date, neither DONE nor CANCELLED. */
    overdue: number;
    /** Assigned to the caller, neither DONE nor CANCELLED. */
    assignedToMe: number;
    completedLast7Days: number;
  };
  assets: {
    count: number;
    /** Bytes of all stored versions, including the bin. */
    storageBytes: number;
    /** Limit of the plan; null without a limit. */
    storageLimitBytes: number | null;
  };
  collections: number;
  /** The latest ten, newest first. */
  recentActivity: Activity[];
  generatedAt: Timestamp;
}

/** The deleted record. */
export interface Deleted {
  id: Id;
}

/** When the summary of what is unread is mailed. */
export interface DigestSettings {
  frequency: 'OFF' | 'DAILY' | 'WEEKLY';
  /** The hour of the day, in the time zone. */
  hour: number;
  /** Of a WEEKLY one; 1 is Monday. */
  weekday: number;
  timeZone: TimeZone;
}

/** One-time codes are off. */
export interface DisabledTotp {
  totp: null;
}

/** A URL of the content, valid for five minutes. */
export interface Download {
  /** Presigned URL that responds with an attachment. */
  url: string;
  expiresAt: Timestamp;
  fileName: string;
}

/** Email address; compared in lower case. */
export type Email = string;

/** An email address. */
export interface EmailBody {
  email: Email;
}

/** The email address of the request. */
export interface EmailResponse {
  email: Email;
}

/** How much of the bin is deleted permanently. */
export interface EmptiedBin {
  /** Assets that are deleted permanently. */
  assetCount: number;
  /** Collections that are deleted permanently. */
  collectionCount: number;
}

/** The proof that the app has the secret. */
export interface EnableTotpBody {
  /** The six digits that the app shows. */
  code: string;
}

/** The session that was ended. */
export interface EndedSession {
  id: Id;
}

/** How many sessions were ended. */
export interface EndedSessions {
  /** How many sessions were ended. */
  endedCount: number;
}

/** The single-use code from the redirect, and the proof that this app started the sign-in. */
export interface ExchangeBody {
  code: string;
  /** The secret behind the `challenge`, if the sign-in was started with one. */
  verifier?: string | undefined;
}

/** What the service keeps of a person, as one ZIP of JSON Lines. Its `files.json` names the files of the personal organization, which are downloaded one by one. */
export interface Export {
  id: Id;
  /** PENDING while it is being prepared; FAILED if that took longer than a day; EXPIRED once its file is deleted. */
  status: 'PENDING' | 'READY' | 'FAILED' | 'EXPIRED';
  createdAt: Timestamp;
  /** When its file is deleted; null without a file. */
  expiresAt: Timestamp | null;
  /** Size of its file; null without one. */
  sizeBytes: number | null;
  /** Presigned URL of the file, valid for five minutes; null without a file, and in a session that is not confirmed. */
  url: string | null;
}

/** Whether it is a favorite of the caller. It is set, not toggled. */
export interface FavoriteBody {
  isFavorite: boolean;
}

/** One page: its items and its position in the list. */
export interface FollowerPage {
  items: Person[];
  pagination: Pagination;
}

/** The process is alive. Does not check its backing services. */
export interface Health {
  status: 'ok';
  version: string;
  uptimeSeconds: number;
}

/** Identifier: a UUID, version 7, lower case. */
export type Id = string;

/** The file to upload. */
export interface InitiateUploadBody {
  fileName: string;
  contentType: ContentType;
  /** Bytes. */
  fileSize: number;
  collectionId: Id;
  /** Adds a version to this asset of the collection. */
  assetId?: Id | undefined;
}

/** The URL for the PUT of each part, directly to the storage. */
export interface InitiatedUpload {
  uploadId: string;
  /** `collection/<collection_id>/<unique_segment>/<file_name>` */
  key: string;
  /** Bytes of each part but the last. */
  partSize: number;
  /** Each URL accepts exactly the bytes of its part. */
  parts: {
    partNumber: number;
    url: string;
  }[];
  /** When the URLs expire. */
  expiresAt: Timestamp;
}

/** An offer of a membership, emailed to one address and valid for seven days. */
export interface Invitation {
  id: Id;
  email: Email;
  role: Role;
  status: InvitationStatus;
  expiresAt: Timestamp;
  invitedBy: {
    id: Id;
    displayName: string;
  };
  organization: {
    id: Id;
    name: string;
  };
}

/** One page: its items and its position in the list. */
export interface InvitationPage {
  items: Invitation[];
  pagination: Pagination;
}

/** An invitation for anyone with its link. */
export interface InvitationPreview {
  id: Id;
  /** Masked, because the link may have been forwarded. */
  email: string;
  role: Role;
  status: InvitationStatus;
  expiresAt: Timestamp;
  invitedBy: {
    id: Id;
    displayName: string;
  };
  organization: {
    id: Id;
    name: string;
  };
}

/** Only a PENDING invitation can be accepted. */
export type InvitationStatus = 'PENDING' | 'ACCEPTED' | 'EXPIRED' | 'REVOKED';

/** The email to invite and the role. */
export interface InviteBody {
  email: Email;
  /** At most your own role. Default MEMBER. */
  role?: Role | undefined;
}

/** Which API keys an organization accepts. */
export interface KeyPolicy {
  /** Whether personal keys of members reach the organization. */
  personalKeys: 'ALLOWED' | 'REFUSED';
  /** No key that is older works here, and none is made for longer. Null: no limit. */
  maxLifetimeDays: number | null;
}

/** A label of one organization, for its tasks. */
export interface Label {
  id: Id;
  name: string;
  color: LabelColor;
  /** How many tasks carry it. */
  taskCount: number;
  createdBy: Id;
  createdAt: Timestamp;
  updatedAt: Timestamp;
}

/** Colour of a label. Clients choose shades that suit their theme. */
export type LabelColor =
  | 'GRAY'
  | 'BROWN'
  | 'RED'
  | 'ORANGE'
  | 'YELLOW'
  | 'GREEN'
  | 'TEAL'
  | 'BLUE'
  | 'PURPLE'
  | 'PINK';

/** One page: its items and its position in the list. */
export interface LabelPage {
  items: Label[];
  pagination: Pagination;
}

/** The newest export of the account. */
export interface LatestExport {
  /** Null if there is none. */
  export: Export | null;
}

/** A key that was found where it should not be. */
export interface LeakedKeyBody {
  key: string;
}

/** A change that just happened, and the resource to fetch again. */
export interface LiveEvent {
  id: Id;
  action: ActivityAction;
  /** The user who did it; null: a guest, a report of a leaked key, or the service. */
  actor: {
    id: Id;
    name: string;
  } | null;
  resourceType: ResourceType;
  resourceId: Id;
  /** Name of the resource at that time. */
  resourceName: string;
  createdAt: Timestamp;
  organizationId: Id;
}

/** A message of the stream. `ready`: every later change will arrive. `notification`: how many notifications of yours are unread now, at most once a second. `reset`: changes are missing, fetch everything again. `closed`: the stream ends. */
export type LiveMessage = {
  event: 'ready';
  data: {
    organizationId: Id;
  };
} | {
  event: 'activity';
  data: LiveEvent;
} | {
  event: 'notification';
  data: {
    unread: number;
  };
} | {
  event: 'reset';
  data: {
    reason: 'too_many_changes' | 'unknown_position';
  };
} | {
  event: 'closed';
  data: {
    reason: 
      | 'token_expired'
      | 'slow_reader'
      | 'shutting_down'
      | 'session_ended'
      | 'access_ended';
  };
};

/** Credentials of an account. */
export interface LoginBody {
  /** Email address of the account. */
  email: string;
  password: string;
  /** Where the response to the same request without it was `second_factor_required`. */
  secondFactor?: SecondFactor | undefined;
}

/** `{ refreshToken }`. The response is the same for anything else. */
export type LogoutBody = unknown;

/** What mails about notifications disclose: comments and titles, titles, or neither of them. */
export type MailContent = 'FULL' | 'TITLES' | 'NONE';

/** INSTANT: mailed a minute later, unless it was read by then. DIGEST: in the next summary. */
export type MailSetting = 'OFF' | 'INSTANT' | 'DIGEST';

/** Which notifications of the inbox to change. */
export interface MarkNotificationsBody {
  /** These, as far as they are in the inbox. Not together with other fields. */
  ids?: Id[] | undefined;
  /** The highest `sequence` that was shown: what has arrived since stays as it is. */
  upTo?: number | undefined;
  /** With `upTo`: only those of this organization. */
  organizationId?: Id | undefined;
  /** With `upTo`: only those with this reason. */
  reason?: NotificationReason | undefined;
}

/** A membership: a user of the organization and their role. */
export interface Member {
  /** Id of the membership. */
  id: Id;
  userId: Id;
  user: Person;
  role: Role;
  status: MemberStatus;
  joinedAt: Timestamp;
}

/** A personal key as the organization sees it that it reaches. */
export interface MemberApiKey {
  id: Id;
  name: string;
  /** The first 12 characters of the key. */
  prefix: string;
  lastFour: string;
  scopes: Scope[];
  toolMode: ToolMode;
  owner: {
    id: Id;
    displayName: string;
    email: Email;
  };
  createdAt: Timestamp;
  /** Null: it does not expire. */
  expiresAt: Timestamp | null;
  /** Up to a minute old. */
  lastUsedAt: Timestamp | null;
  /** `EXPIRING`: within 7 days. */
  status: 'ACTIVE' | 'EXPIRING' | 'EXPIRED' | 'REVOKED';
  /** Whether the key policy of the organization refuses it. */
  isRefused: boolean;
}

/** One page: its items and its position in the list. */
export interface MemberApiKeyPage {
  items: MemberApiKey[];
  pagination: Pagination;
}

/** One page: its items and its position in the list. */
export interface MemberPage {
  items: Member[];
  pagination: Pagination;
}

/** A suspended member has no access until reinstated. */
export type MemberStatus = 'ACTIVE' | 'SUSPENDED';

/** A key with its secret. */
export interface NewApiKey {
  id: Id;
  name: string;
  kind: ApiKeyKind;
  /** The first 12 characters of the key. */
  prefix: string;
  lastFour: string;
  scopes: Scope[];
  toolMode: ToolMode;
  /** The only organizations that the key reaches. */
  organizations: {
    id: Id;
    name: string;
  }[];
  createdAt: Timestamp;
  /** Null: it does not expire. */
  expiresAt: Timestamp | null;
  /** Up to a minute old. */
  lastUsedAt: Timestamp | null;
  lastUsedIp: string | null;
  revokedAt: Timestamp | null;
  /** `EXPIRING`: within 7 days. */
  status: 'ACTIVE' | 'EXPIRING' | 'EXPIRED' | 'REVOKED';
  /** The key itself. No other response has it: store it now. */
  key: string;
}

/** What concerns a person, while they may read its subject. */
export interface Notification {
  id: Id;
  reason: NotificationReason;
  /** Of what concerns the account: the personal one. */
  organization: {
    id: Id;
    name: string;
  };
  /** Who did the newest of it; null: a guest or the service. */
  actor: {
    id: Id;
    name: string;
    /** Presigned URL of the picture, valid for an hour. */
    avatarUrl: string | null;
  } | null;
  /** The name that a visitor of a share gave who wrote the newest comment; null otherwise. */
  guestName: string | null;
  /** The status that was set, if the newest of it is a review of an asset; null otherwise, or if its activity is no longer kept. */
  reviewStatus: ReviewStatus | null;
  subject: {
    type: 
      | 'task'
      | 'asset'
      | 'organization'
      | 'invitation'
      | 'share'
      | 'webhook'
      | 'api_key'
      | 'account';
    id: Id;
    /** As it is now. Of an invitation: the name of the organization; of the account: what happened to it. */
    title: string;
    /** Path of its page in the web app; null without one. */
    link: string | null;
  };
  /** The start of the newest comment as it is now, at most 140 characters; null if it is not about one. */
  excerpt: string | null;
  /** How many events it stands for, all with this subject and reason. */
  eventCount: number;
  /** Ascends with everything that arrives in the inbox: `upTo` takes it. */
  sequence: number;
  /** The newest activity; null if there is none, as for a due date that has come. */
  activityId: Id | null;
  isRead: boolean;
  isArchived: boolean;
  /** Whether it is put off: it counts as unread later. */
  isSnoozed: boolean;
  snoozedUntil: Timestamp | null;
  /** When the first of it happened. */
  createdAt: Timestamp;
  /** When the newest of it happened. */
  updatedAt: Timestamp;
}

/** One page: its items and its position in the list. */
export interface NotificationPage {
  items: Notification[];
  pagination: Pagination;
}

/** What a person is notified of, and how. */
export interface NotificationPreferences {
  reasons: {
    mentioned: NotificationSetting;
    assigned: NotificationSetting;
    unassigned: NotificationSetting;
    commented: NotificationSetting;
    changed: NotificationSetting;
    due_soon: NotificationSetting;
    overdue: NotificationSetting;
    /** An invitation is always mailed, because it has the link. */
    invited: {
      inbox: boolean;
      mail: 'INSTANT';
    };
    role_changed: NotificationSetting;
    removed: NotificationSetting;
    share_guessing: NotificationSetting;
    shared_opened: NotificationSetting;
    integration_failing: NotificationSetting;
    /** Always on. */
    security: {
      inbox: true;
      mail: 'INSTANT';
    };
  };
  digest: DigestSettings;
  /** By id of the organization; one that is not named: ALL. */
  organizations: Record<string, OrganizationLevel>;
  /** Reasons of which an organization sends no mail any more, because its link for that was used. By id of the organization. */
  unsubscribed: Record<string, NotificationReason[]>;
}

/** The complete preferences. */
export interface NotificationPreferencesBody {
  /** An absent one gets its default. */
  reasons: {
    mentioned?: NotificationSetting | undefined;
    assigned?: NotificationSetting | undefined;
    unassigned?: NotificationSetting | undefined;
    commented?: NotificationSetting | undefined;
    changed?: NotificationSetting | undefined;
    due_soon?: NotificationSetting | undefined;
    overdue?: NotificationSetting | undefined;
    /** An invitation is always mailed, because it has the link. */
    invited?: {
      inbox: boolean;
      mail: 'INSTANT';
    } | undefined;
    role_changed?: NotificationSetting | undefined;
    removed?: NotificationSetting | undefined;
    share_guessing?: NotificationSetting | undefined;
    shared_opened?: NotificationSetting | undefined;
    integration_failing?: NotificationSetting | undefined;
    /** Always on. */
    security?: {
      inbox: true;
      mail: 'INSTANT';
    } | undefined;
  };
  digest: DigestSettings;
  /** By id of the organization; one that is not named: ALL. */
  organizations: Record<string, OrganizationLevel>;
  /** Reasons of which an organization sends no mail any more, because its link for that was used. By id of the organization. */
  unsubscribed: Record<string, NotificationReason[]>;
}

/** Why the person is notified. `commented` and `changed` are about tasks and assets that they follow (status or due date of a task, review of an asset), `due_soon` (a day before) and `overdue` about such tasks of teams; `role_changed` and `removed` about their own membership; `share_guessing` and `shared_opened` about a share of theirs, whose password is being guessed, or whose link was opened for the first time; `integration_failing` about a webhook that fails or an API key that ends; `security` about their own account. */
export type NotificationReason =
  | 'mentioned'
  | 'assigned'
  | 'unassigned'
  | 'commented'
  | 'changed'
  | 'due_soon'
  | 'overdue'
  | 'invited'
  | 'role_changed'
  | 'removed'
  | 'share_guessing'
  | 'shared_opened'
  | 'integration_failing'
  | 'security';

/** Where a reason notifies. What the inbox does not have is not mailed either. */
export interface NotificationSetting {
  inbox: boolean;
  mail: MailSetting;
}

/** The token of a link, and the password that it may need. */
export interface OpenShareBody {
  /** What the link has behind its `#`. */
  token: string;
  password?: string | undefined;
  /** Shown to the members. */
  visitorName?: string | undefined;
}

/** A visit of a share. */
export interface OpenedShare {
  /** Sent as `Authorization: Share <ticket>`. */
  ticket: string;
  /** Open the share again before, for another ticket. */
  expiresAt: Timestamp;
  share: PublicShare;
}

/** The owner of collections, assets and projects. */
export interface Organization {
  id: Id;
  name: string;
  /** Name for URLs; unique. */
  slug: string;
  type: OrganizationType;
  /** User who created it. */
  ownerId: Id;
  planCode: PlanCode;
  memberCount: number;
  /** Role of the caller. */
  myRole: Role;
  /** ON_FOR_NEW in a PERSONAL organization. */
  publicLinks: PublicLinks;
  mailContent: MailContent;
  /** From when on members without a second factor are refused; null if they are not. */
  secondFactorRequiredFrom: Timestamp | null;
  createdAt: Timestamp;
  updatedAt: Timestamp;
}

/** What an organization notifies of: everything, mentions, or nothing. Security, invitations, and changes of the own membership always come. */
export type OrganizationLevel = 'ALL' | 'MENTIONS' | 'NONE';

/** The name of an organization, 1 to 80 characters. */
export interface OrganizationNameBody {
  name: string;
}

/** One page: its items and its position in the list. */
export interface OrganizationPage {
  items: Organization[];
  pagination: Pagination;
}

/** PERSONAL always belongs to one account; TEAM has members. */
export type OrganizationType = 'PERSONAL' | 'TEAM';

/** The position of a page in its list. `nextCursor` is present if there is a next page by cursor. */
export interface Pagination {
  page: number;
  limit: number;
  total: number;
  /** Present if counting stopped, as it does at 10,000 at the latest: the list is longer than `total`. */
  isTotalLowerBound?: true | undefined;
  totalPages: number;
  hasNext: boolean;
  nextCursor?: string | undefined;
}

/** A stored part. */
export interface PartDto {
  partNumber: number;
  /** As in the response of the storage, with or without quotes. */
  eTag: string;
}

/** A passkey of an account. */
export interface Passkey {
  id: Id;
  name: string;
  /** Whether it is synchronized, so that it outlives the device that made it. */
  isBackedUp: boolean;
  createdAt: Timestamp;
  lastUsedAt: Timestamp | null;
}

/** `toJSON()` of the credential that `navigator.credentials.get` returns. */
export interface PasskeyAuthentication {
  id: string;
  type: 'public-key';
  response: {
    clientDataJSON: string;
    authenticatorData: string;
    signature: string;
    userHandle?: string | undefined;
  };
}

/** Input of `PublicKeyCredential.parseCreationOptionsFromJSON`, for `navigator.credentials.create`. */
export interface PasskeyCreationOptions {
  /** 32 random bytes in base64url. Valid for 5 minutes, once. */
  challenge: string;
  /** How long the browser may ask, in milliseconds. */
  timeout: number;
  rp: {
    id: string;
    name: string;
  };
  user: {
    /** 16 bytes in base64url. Passkeys return it as `userHandle`. */
    id: string;
    name: string;
    displayName: string;
  };
  pubKeyCredParams: {
    type: 'public-key';
    alg: number;
  }[];
  /** The passkeys that the account has already. */
  excludeCredentials: {
    id: string;
    type: 'public-key';
    transports: string[];
  }[];
  authenticatorSelection: {
    residentKey: 'required';
    requireResidentKey: true;
    userVerification: 'required';
  };
  attestation: 'none';
}

/** What a passkey has signed. */
export interface PasskeyLoginBody {
  response: PasskeyAuthentication;
}

/** `toJSON()` of the credential that `navigator.credentials.create` returns. */
export interface PasskeyRegistration {
  id: string;
  type: 'public-key';
  response: {
    clientDataJSON: string;
    attestationObject: string;
    transports?: string[] | undefined;
  };
}

/** Input of `PublicKeyCredential.parseRequestOptionsFromJSON`, for `navigator.credentials.get`. */
export interface PasskeyRequestOptions {
  /** 32 random bytes in base64url. Valid for 5 minutes, once. */
  challenge: string;
  /** How long the browser may ask, in milliseconds. */
  timeout: number;
  rpId: string;
  /** The passkeys to choose from. Empty: any that the device has for this site. */
  allowCredentials: {
    id: string;
    type: 'public-key';
    transports: string[];
  }[];
  userVerification: 'required';
}

/** A line by hand. */
export interface PathAnchor {
  kind: 'path';
  /** The `x` and `y` of 2 to 500 points. */
  points: number[][];
  /** Page of a document, from 1. */
  page?: number | undefined;
}

/** A user as other members see them. */
export interface Person {
  /** Id of the user. */
  id: Id;
  displayName: string;
  email: Email;
  /** Presigned URL of the picture, valid for an hour. */
  avatarUrl: string | null;
}

/** A plan: its price and limits. */
export interface Plan {
  id: Id;
  code: PlanCode;
  name: string;
  description: string;
  /** Price of one interval, in hundredths of the currency. */
  priceCents: number;
  /** ISO 4217 code. */
  currency: string;
  interval: 'MONTH' | 'YEAR';
  limits: PlanLimits;
  features: string[];
  /** Whether a new organization starts with it. */
  isDefault: boolean;
}

/** The plan of an organization. */
export type PlanCode = 'FREE' | 'PRO' | 'BUSINESS';

/** Limits of an organization, and of the teams of an account; null without a limit. */
export interface PlanLimits {
  members: number | null;
  storageBytes: number | null;
  maxFileBytes: number | null;
  projects: number | null;
  versionsPerAsset: number | null;
  /** TEAM organizations on this plan that one account created. */
  teamsPerAccount: number | null;
}

/** One page: its items and its position in the list. */
export interface PlanPage {
  items: Plan[];
  pagination: Pagination;
}

/** A point. */
export interface PointAnchor {
  kind: 'point';
  x: number;
  y: number;
  /** Page of a document, from 1. */
  page?: number | undefined;
}

/** A comment on an asset, or with `parentId` a reply, without version and anchor. */
export interface PostAssetCommentBody {
  body: string;
  /** Default: the current version. A reply has that of its comment. */
  versionNumber?: number | undefined;
  /** The comment to reply to, which is no reply itself. */
  parentId?: Id | undefined;
  anchor?: AssetAnchor | undefined;
}

/** A comment on the content that the share shows, or with `parentId` a reply, without an anchor. */
export interface PostSharedCommentBody {
  body: string;
  /** Shown with the comment. */
  visitorName: string;
  /** The comment of this share to reply to, which is no reply itself. */
  parentId?: Id | undefined;
  anchor?: AssetAnchor | undefined;
}

/** A board of tasks. */
export interface Project {
  id: Id;
  name: string;
  description: string | null;
  /** Short prefix of task numbers, derived from the name. */
  key: string;
  status: ProjectStatus;
  /** Position among the projects of the organization, from 0. */
  position: number;
  taskCounts: TaskCounts;
  createdBy: Id;
  createdAt: Timestamp;
  updatedAt: Timestamp;
}

/** One page: its items and its position in the list. */
export interface ProjectPage {
  items: Project[];
  pagination: Pagination;
}

/** The new position: an index from 0, or the project before or after it. Here by `position`. */
export interface ProjectPositionBodyByPosition {
  /** Position from 0; beyond the end means the end. */
  position: number;
  /** Not together with `position`. */
  beforeId?: undefined;
  /** Not together with `position`. */
  afterId?: undefined;
}

/** The new position: an index from 0, or the project before or after it. Here by `beforeId`. */
export interface ProjectPositionBodyByBeforeId {
  /** Not together with `beforeId`. */
  position?: undefined;
  /** The next neighbour. */
  beforeId: Id;
  /** Not together with `beforeId`. */
  afterId?: undefined;
}

/** The new position: an index from 0, or the project before or after it. Here by `afterId`. */
export interface ProjectPositionBodyByAfterId {
  /** Not together with `afterId`. */
  position?: undefined;
  /** Not together with `afterId`. */
  beforeId?: undefined;
  /** The previous neighbour. */
  afterId: Id;
}

/** The new position: an index from 0, or the project before or after it. Exactly one of `position`, `beforeId`, `afterId`. */
export type ProjectPositionBody =
  | ProjectPositionBodyByPosition
  | ProjectPositionBodyByBeforeId
  | ProjectPositionBodyByAfterId;

/** An archived project takes no new tasks. */
export type ProjectStatus = 'ACTIVE' | 'ARCHIVED';

/** A file as visitors of a share see it. */
export interface PublicAsset {
  id: Id;
  name: string;
  contentType: string;
  /** Bytes. */
  fileSize: number;
  /** A small picture; that of `previewUrl` if there is no smaller one or the share has a watermark. Valid for 5 minutes; null without one. */
  thumbnailUrl: string | null;
  /** A JPEG of at most 2,048 pixels, valid for 5 minutes; null without one. */
  previewUrl: string | null;
  /** PENDING: the picture is being made. NONE: there is none of this file. */
  preview: 'READY' | 'PENDING' | 'NONE';
}

/** One page: its items and its position in the list. */
export interface PublicAssetPage {
  items: PublicAsset[];
  pagination: Pagination;
}

/** An asset whose public link works for anyone, without conditions. */
export interface PublicLink {
  /** Of the asset. */
  id: Id;
  assetName: string;
  url: string;
  createdBy: Id;
  /** Of the asset. */
  createdAt: Timestamp;
}

/** One page: its items and its position in the list. */
export interface PublicLinkPage {
  items: PublicLink[];
  pagination: Pagination;
}

/** Whether new assets start with a public link. FORBIDDEN: none can be switched on, and existing ones respond 404. */
export type PublicLinks = 'OFF_FOR_NEW' | 'ON_FOR_NEW' | 'FORBIDDEN';

/** What visitors learn of a share. */
export interface PublicShare {
  type: ShareTargetType;
  title: string;
  label: string | null;
  organizationName: string;
  /** Name of the person who shares it. */
  sharedBy: string;
  allowDownload: boolean;
  allowComments: boolean;
  expiresAt: Timestamp | null;
}

/** Where to publish to. Optional. */
export interface PublishBody {
  /** Collection of the organization to publish into. Default: your collection `Published` there, which is created if missing. An asset that was published before stays in its collection. */
  collectionId?: Id | undefined;
}

/** Every backing service responds. */
export interface Readiness {
  status: 'ready';
}

/** The report was received. The response does not tell whether it was a key. */
export interface ReceivedReport {
  received: true;
}

/** Codes for a lost authenticator app or passkey. They are shown once; each works once. */
export interface RecoveryCodes {
  /** Ten of them. */
  recoveryCodes: string[];
}

/** The encrypted refresh token. */
export interface RefreshTokenBody {
  refreshToken: string;
}

/** A new account. */
export interface RegisterBody {
  email: Email;
  /** 8 to 128 characters; not a common password, not the email. */
  password: string;
  firstName?: string | undefined;
  lastName?: string | undefined;
}

/** The sign-in provider that no longer opens the account. */
export interface RemovedIdentity {
  provider: 'google' | 'github';
}

/** The passkey that was removed. */
export interface RemovedPasskey {
  id: Id;
}

/** The new name of a key. Nothing else of a key changes. */
export interface RenameApiKeyBody {
  name: string;
}

/** Another name. */
export interface RenamePasskeyBody {
  /** What its owner calls it. */
  name: string;
}

/** What to send again. */
export interface ReplayWebhookBody {
  /** From this time (inclusive), at most 30 days ago. */
  from: string;
  /** Until this time (exclusive). Default: now. */
  to?: string | undefined;
  /** Default: what the endpoint has chosen. */
  events?: WebhookChoice[] | undefined;
  /** Only what ten attempts failed to deliver. */
  onlyFailed?: boolean | undefined;
}

/** A call that needs an approval. */
export interface RequestApprovalBody {
  /** The name of a tool. */
  tool: string;
  /** What the tool is to be called with, at most 16,384 bytes of JSON. */
  arguments: Record<string, unknown>;
}

/** The confirmation that an account is to be deleted. */
export interface RequestDeletionBody {
  /** The account's own email, to confirm. */
  confirmation: string;
}

/** The email of the request, whether or not an account has it. */
export interface RequestedEmail {
  newEmail: Email;
}

/** The token from an emailed link and the new password. */
export interface ResetPasswordBody {
  token: string;
  /** 8 to 128 characters; not a common password, not the email. */
  password: string;
  /** Also revokes the API keys of the account, which keep working otherwise. */
  revokeApiKeys?: boolean | undefined;
}

/** Whether the comment is resolved. */
export interface ResolveBody {
  isResolved: boolean;
}

/** What an activity is about. */
export type ResourceType =
  | 'user'
  | 'api_key'
  | 'organization'
  | 'member'
  | 'invitation'
  | 'collection'
  | 'asset'
  | 'upload'
  | 'project'
  | 'task'
  | 'comment'
  | 'label'
  | 'webhook'
  | 'service_account'
  | 'asset_comment'
  | 'share'
  | 'approval';

/** The stored parts of an upload, and URLs for the others. */
export interface ResumedUpload {
  uploadId: string;
  /** `collection/<collection_id>/<unique_segment>/<file_name>` */
  key: string;
  /** Bytes of each part but the last. */
  partSize: number;
  /** Each URL accepts exactly the bytes of its part. */
  parts: {
    partNumber: number;
    url: string;
  }[];
  /** When the URLs expire. */
  expiresAt: Timestamp;
  /** Bytes of the whole file. */
  fileSize: number;
  /** Stored parts; `size` in bytes. */
  uploadedParts: {
    partNumber: number;
    eTag: string;
    size: number;
  }[];
}

/** The new status of a version. */
export interface ReviewBody {
  status: ReviewStatus;
  /** Default: the current version. */
  versionNumber?: number | undefined;
}

/** How far the review of a version is. A new version has `NONE`. */
export type ReviewStatus = 'NONE' | 'IN_REVIEW' | 'APPROVED' | 'CHANGES_REQUESTED';

/** The role of a member, from the strongest to the weakest. */
export type Role = 'OWNER' | 'ADMIN' | 'MEMBER' | 'VIEWER';

/** How a key is replaced. */
export interface RotateApiKeyBody {
  /** How long the old key still works. */
  overlapHours?: number | undefined;
}

/** For how long messages are also signed with the secret before. */
export interface RotateWebhookSecretBody {
  overlapHours?: number | undefined;
}

/** The new access token and the refresh token that replaces the presented one. */
export interface RotatedTokens {
  token: string;
  refreshToken: string;
}

/** The new secret of an endpoint. */
export interface RotatedWebhookSecret {
  /** Shown in this response only; a repetition with the same Idempotency-Key shows it for `expiresIn` seconds. */
  secret: string;
  /** Seconds. */
  expiresIn: number;
  previousSecretExpiresAt: Timestamp;
}

/** What an API key may be allowed to do. */
export type Scope =
  | 'account:read'
  | 'timeline:read'
  | 'organization:read'
  | 'organization:rename'
  | 'member:read'
  | 'member:manage'
  | 'member:remove'
  | 'invitation:manage'
  | 'collection:read'
  | 'collection:favorite'
  | 'collection:create'
  | 'collection:edit'
  | 'collection:delete'
  | 'asset:read'
  | 'asset:favorite'
  | 'asset:create'
  | 'asset:publish'
  | 'asset:edit'
  | 'asset:delete'
  | 'asset:review'
  | 'upload:abort'
  | 'project:read'
  | 'project:create'
  | 'project:edit'
  | 'project:delete'
  | 'task:read'
  | 'task:create'
  | 'task:edit'
  | 'task:delete'
  | 'label:read'
  | 'label:create'
  | 'label:edit'
  | 'label:delete'
  | 'comment:read'
  | 'comment:create'
  | 'comment:edit'
  | 'comment:delete'
  | 'asset-comment:read'
  | 'asset-comment:create'
  | 'asset-comment:edit'
  | 'asset-comment:delete'
  | 'asset-comment:resolve'
  | 'dashboard:read'
  | 'search:use'
  | 'webhook:manage'
  | 'share:create'
  | 'share:read'
  | 'share:manage';

/** Every scope. */
export interface ScopeList {
  items: {
    scope: Scope;
    description: string;
    /** The operations that need it. */
    operations: string[];
  }[];
}

/** What a hit belongs to; null for what it does not. */
export interface SearchContext {
  project: {
    id: Id;
    name: string;
  } | null;
  collection: {
    id: Id;
    title: string;
  } | null;
  /** The task that a comment is about. */
  task: {
    id: Id;
    title: string;
  } | null;
}

/** Where a hit has the words of the query. */
export interface SearchHighlight {
  field: 
    | 'title'
    | 'key'
    | 'tags'
    | 'description'
    | 'body'
    | 'extension'
    | 'collection'
    | 'email';
  /** The part of the field around its first match. It is text, not HTML. */
  text: string;
  /** Start and end of each match, ascending and apart. Offsets count UTF-16 code units, and never part a character. */
  ranges: number[][];
}

/** Something that a search has found, as it is now. */
export interface SearchHit {
  type: SearchType;
  /** Of a person: the id of the user. */
  id: Id;
  organizationId: Id;
  /** As it is now: the name of an asset, a project or a person; of a comment, the title of its task. */
  title: string;
  /** `WEB-12` of a task, and of the task of a comment; `WEB` of a project; else null. */
  key: string | null;
  context: SearchContext;
  /** Of tasks and projects. */
  status: SearchStatus | null;
  /** Presigned URL of a small picture; null without one. */
  thumbnailUrl: string | null;
  highlights: SearchHighlight[];
  /** `exact`: the key or the whole title. `words`: all words occur. `similar`: only resembling words do. */
  match: 'exact' | 'words' | 'similar';
  updatedAt: Timestamp;
}

/** One page of hits, the best first. */
export interface SearchPage {
  items: SearchHit[];
  pagination: Pagination;
  totals: SearchTotals;
  /** False if words of the query were cut, or if the search was stopped for its time. */
  isComplete: boolean;
  /** The query in words of titles that were found; null if it needs no correction. */
  correctedQuery: string | null;
}

/** Building the index of an organization anew; searches go on meanwhile. */
export interface SearchRebuild {
  startedAt: Timestamp;
}

/** The column of a task, or the status of a project. */
export type SearchStatus =
  | 'BACKLOG'
  | 'TODO'
  | 'IN_PROGRESS'
  | 'IN_REVIEW'
  | 'DONE'
  | 'CANCELLED'
  | 'ACTIVE'
  | 'ARCHIVED';

/** How many hits there are. */
export interface SearchTotals {
  /** Of the types that the query asks for: the total of the pagination. */
  all: number;
  /** Of each type, also of those left out by `types`. */
  byType: Record<SearchType, number>;
  /** Present if counting stopped, as it does at 10,000 at the latest: there are more. */
  isTotalLowerBound?: true | undefined;
}

/** What a search finds. */
export type SearchType = 'task' | 'comment' | 'asset' | 'collection' | 'project' | 'person';

/** A second proof beside the password. Each code works once; blanks, dashes and lower case are fine. */
export interface SecondFactor {
  /** `passkey`: a passkey; `totp`: a code of the authenticator app; `recovery`: a recovery code. */
  kind: 'passkey' | 'totp' | 'recovery';
  /** The six digits of the app, or the recovery code. Not for a passkey. */
  code?: string | undefined;
  /** What the passkey has signed. */
  response?: PasskeyAuthentication | undefined;
}

/** The code and the verifier of an exchange whose response was `second_factor_required`, and the second factor. */
export interface SecondFactorTicketBody {
  code: string;
  /** The secret behind the `challenge`, if the sign-in was started with one. */
  verifier?: string | undefined;
  secondFactor: SecondFactor;
}

/** Whether members need a second factor. */
export interface SecurityPolicyBody {
  requireSecondFactor: boolean;
}

/** An account of a program. It signs in with its keys only, and outlives its maker. */
export interface ServiceAccount {
  /** Id of its user, as in assignees and activities. */
  id: Id;
  name: string;
  role: ServiceAccountRole;
  /** Null: the account of its maker was deleted. */
  createdBy: {
    id: Id;
    displayName: string;
  } | null;
  /** Keys that work. */
  keyCount: number;
  /** When one of its keys was last used. Up to a minute old. */
  lastUsedAt: Timestamp | null;
  createdAt: Timestamp;
  updatedAt: Timestamp;
}

/** One page: its items and its position in the list. */
export interface ServiceAccountPage {
  items: ServiceAccount[];
  pagination: Pagination;
}

/** The role of a service account. It never owns an organization. */
export type ServiceAccountRole = 'ADMIN' | 'MEMBER' | 'VIEWER';

/** An active session on a device. */
export interface Session {
  id: Id;
  /** What signed in, for people: browser and system, or the name of the program. */
  device: string;
  /** Address that signed in. */
  ipAddress: string | null;
  /** Stays the same when its tokens are refreshed. Null if it was opened before this was recorded. */
  signIn: SessionSignIn | null;
  createdAt: Timestamp;
  /** Last sign-in or token refresh, so up to 15 minutes old. */
  lastUsedAt: Timestamp;
  /** Whether this request belongs to it. */
  isCurrent: boolean;
}

/** One page: its items and its position in the list. */
export interface SessionPage {
  items: Session[];
  pagination: Pagination;
}

/** How a session was opened. */
export interface SessionSignIn {
  /** A passkey here was used alone: it is two factors by itself. */
  method: 'password' | 'provider' | 'passkey';
  /** What was presented beside it; null without. */
  secondFactor: 'passkey' | 'totp' | 'recovery' | null;
}

/** A link that shows an asset or a collection to people without an account. */
export interface Share {
  id: Id;
  target: {
    type: ShareTargetType;
    id: Id;
    /** As it is now; null after the target was deleted. */
    title: string | null;
  };
  /** What its creator calls it; visitors see it. */
  label: string | null;
  /** The link. Null: the key that it was encrypted with is gone; rotate the share to get another. */
  url: string | null;
  hasPassword: boolean;
  /** `null` = no expiry. */
  expiresAt: Timestamp | null;
  /** Off: visitors get pictures of at most 2,048 pixels, never the file. */
  allowDownload: boolean;
  allowComments: boolean;
  versions: ShareVersions;
  /** Text across the pictures that visitors see. */
  watermark: string | null;
  maxOpenings: number | null;
  openingCount: number;
  lastOpenedAt: Timestamp | null;
  status: ShareStatus;
  createdBy: Id;
  createdAt: Timestamp;
  updatedAt: Timestamp;
}

/** One page: its items and its position in the list. */
export interface SharePage {
  items: Share[];
  pagination: Pagination;
}

/** What an organization demands of its shares. */
export interface SharePolicy {
  /** Off: there are no shares. */
  allowed: boolean;
  requirePassword: boolean;
  /** How far ahead a share may expire, in days. Null: it need not expire. */
  maxDays: number | null;
  allowDownload: boolean;
}

/** Only ACTIVE ones can be opened. USED_UP: it was opened `maxOpenings` times. TARGET_GONE: the target is in the bin, or deleted. */
export type ShareStatus = 'ACTIVE' | 'EXPIRED' | 'REVOKED' | 'USED_UP' | 'TARGET_GONE';

/** What a share shows. */
export type ShareTargetType = 'ASSET' | 'COLLECTION';

/** CURRENT follows the target. PINNED shows the assets and versions of the day on which it was chosen, as far as they are still there. */
export type ShareVersions = 'CURRENT' | 'PINNED';

/** What a visitor of a share did. */
export interface ShareView {
  id: Id;
  at: Timestamp;
  action: ShareViewAction;
  asset: {
    id: Id;
    /** Null: it was deleted. */
    name: string | null;
  } | null;
  /** As the visitor gave it. */
  visitorName: string | null;
  /** /24 of IPv4, /48 of IPv6: never a full address. */
  network: string | null;
  device: string;
}

/** PREVIEWED once for a visit and an asset that was opened by itself, DOWNLOADED once for an asset, visit and minute. */
export type ShareViewAction = 'OPENED' | 'PREVIEWED' | 'DOWNLOADED' | 'COMMENTED' | 'PASSWORD_WRONG';

/** One page: its items and its position in the list. */
export interface ShareViewPage {
  items: ShareView[];
  pagination: Pagination;
}

/** A comment of a visitor, or a reply to one, as visitors of the share see it. */
export interface SharedComment {
  id: Id;
  /** The comment that it replies to; null: it is no reply. */
  parentId: Id | null;
  /** Name of the member, or the name that the guest gave. */
  author: string;
  /** Whether a visitor of the share wrote it. */
  isGuest: boolean;
  body: string;
  anchor: AssetAnchor | null;
  /** False: it is about an earlier content, and so is its anchor. */
  isOnShownVersion: boolean;
  /** Of a reply: whether the comment is that it replies to. */
  isResolved: boolean;
  createdAt: Timestamp;
  editedAt: Timestamp | null;
}

/** One page: its items and its position in the list. */
export interface SharedCommentPage {
  items: SharedComment[];
  pagination: Pagination;
}

/** The signed-in user and the tokens of the new session. */
export interface SignedIn {
  user: {
    id: Id;
    email: Email;
  };
  token: TokenPair;
}

/** Something whose title has the words of the query. */
export interface Suggestion {
  type: SearchType;
  /** Of a person: the id of the user. */
  id: Id;
  organizationId: Id;
  /** As it is now: the name of an asset, a project or a person; of a comment, the title of its task. */
  title: string;
  /** `WEB-12` of a task, and of the task of a comment; `WEB` of a project; else null. */
  key: string | null;
  context: SearchContext;
  /** Matches in the title. */
  ranges: number[][];
}

/** The best suggestions, at most 10. */
export interface SuggestionList {
  items: Suggestion[];
}

/** A task of a project. */
export interface Task {
  id: Id;
  /** Number within the project; never reused. */
  number: number;
  projectId: Id;
  organizationId: Id;
  title: string;
  description: string | null;
  status: TaskStatus;
  priority: TaskPriority;
  dueDate: Timestamp | null;
  assignees: Person[];
  /** By name. */
  labels: TaskLabel[];
  /** Position in the column, from 0. */
  position: number;
  commentCount: number;
  /** Attached assets, without those in the bin. */
  attachmentCount: number;
  /** The task that it is a subtask of. */
  parent: TaskParent | null;
  subtaskCount: number;
  /** Subtasks in DONE. */
  completedSubtaskCount: number;
  /** When it was moved to DONE. */
  completedAt: Timestamp | null;
  createdBy: Id;
  createdAt: Timestamp;
  updatedAt: Timestamp;
}

/** An asset that is attached to a task. */
export interface TaskAsset {
  id: Id;
  /** File name, at first as it was uploaded. */
  assetName: string;
  /** Media type. */
  assetType: string;
  description: string | null;
  /** In the order in which they were set. */
  tags: string[];
  /** Public short URL; 404 while the public link is off. Switching it off makes a new URL. */
  assetShortUrl: string;
  /** Presigned storage URL, valid for 15 minutes. */
  assetLongUrl: string;
  createdAt: Timestamp;
  collectionId: Id;
  organizationId: Id;
  createdBy: Id;
  /** Bytes of the current version. */
  fileSize: number;
  /** SHA-256 of the content in hexadecimal; null until it is known. */
  checksum: string | null;
  /** Media type detected from the content; null if unknown. */
  detectedType: string | null;
  /** Width of a picture in pixels, as displayed. */
  width: number | null;
  /** Height of a picture in pixels, as displayed. */
  height: number | null;
  currentVersion: number;
  /** Whether it is a favorite of the caller. */
  isFavorite: boolean;
  /** Presigned URL of a thumbnail: WebP, at most 512 pixels wide and high. */
  thumbnailUrl: string | null;
  publishedFromAssetId: Id | null;
  /** Whether the short URL works, unless the organization forbids public links. */
  publicLinkEnabled: boolean;
  review: AssetReview;
  /** Comments on all versions, with replies. */
  commentCount: number;
  /** Comments on all versions that are not resolved. */
  openCommentCount: number;
  updatedAt: Timestamp;
  /** Who attached it. */
  attachedBy: Id;
  attachedAt: Timestamp;
}

/** One page: its items and its position in the list. */
export interface TaskAssetPage {
  items: TaskAsset[];
  pagination: Pagination;
}

/** Number of tasks, in total and by column. */
export interface TaskCounts {
  total: number;
  byStatus: Record<TaskStatus, number>;
}

/** Whether you follow a task, and how many members do. */
export interface TaskFollowing {
  isFollowing: boolean;
  followerCount: number;
}

/** A label that a task carries. */
export interface TaskLabel {
  id: Id;
  name: string;
  color: LabelColor;
}

/** All labels that the task carries from now on. */
export interface TaskLabelsBody {
  /** Ids of labels, at most 10; repeated ones count once. */
  labelIds: Id[];
}

/** One page: its items and its position in the list. */
export interface TaskPage {
  items: Task[];
  pagination: Pagination;
}

/** The task that a subtask belongs to. */
export interface TaskParent {
  id: Id;
  /** Number within the project. */
  number: number;
  title: string;
}

/** The new position: an index from 0, or the task before or after it. Here by `position`. */
export interface TaskPositionBodyByPosition {
  /** Column; default: the current one. */
  status?: TaskStatus | undefined;
  /** Position from 0; beyond the end means the end. */
  position: number;
  /** Not together with `position`. */
  beforeId?: undefined;
  /** Not together with `position`. */
  afterId?: undefined;
}

/** The new position: an index from 0, or the task before or after it. Here by `beforeId`. */
export interface TaskPositionBodyByBeforeId {
  /** Column; default: the current one. */
  status?: TaskStatus | undefined;
  /** Not together with `beforeId`. */
  position?: undefined;
  /** The next neighbour. */
  beforeId: Id;
  /** Not together with `beforeId`. */
  afterId?: undefined;
}

/** The new position: an index from 0, or the task before or after it. Here by `afterId`. */
export interface TaskPositionBodyByAfterId {
  /** Column; default: the current one. */
  status?: TaskStatus | undefined;
  /** Not together with `afterId`. */
  position?: undefined;
  /** Not together with `afterId`. */
  beforeId?: undefined;
  /** The previous neighbour. */
  afterId: Id;
}

/** The new position: an index from 0, or the task before or after it. Exactly one of `position`, `beforeId`, `afterId`. */
export type TaskPositionBody =
  | TaskPositionBodyByPosition
  | TaskPositionBodyByBeforeId
  | TaskPositionBodyByAfterId;

/** Priority of a task, from the lowest to the highest. */
export type TaskPriority = 'NONE' | 'LOW' | 'MEDIUM' | 'HIGH' | 'URGENT';

/** The column of a task. */
export type TaskStatus = 'BACKLOG' | 'TODO' | 'IN_PROGRESS' | 'IN_REVIEW' | 'DONE' | 'CANCELLED';

/** A time or a range of a recording, in milliseconds, and a point in its picture. */
export interface TimeAnchor {
  kind: 'time';
  startMs: number;
  endMs?: number | undefined;
  x?: number | undefined;
  y?: number | undefined;
}

/** Name of a time zone, as the IANA database has it. */
export type TimeZone = string;

/** ISO 8601 in UTC with milliseconds. */
export type Timestamp = string;

/** The token from an emailed link. */
export interface TokenBody {
  token: string;
}

/** The token can still be used. */
export interface TokenCheck {
  valid: true;
  expiresAt: Timestamp;
}

/** Opaque tokens. The access token lasts 15 minutes, the refresh token 12 hours and one use. */
export interface TokenPair {
  accessToken: string;
  refreshToken: string;
}

/** What the tools of assistants may do with a key: READ_ONLY reads; ASK also changes and adds, and asks a person before it removes something or shows data to outsiders; FREE asks only before it shows data to outsiders. */
export type ToolMode = 'READ_ONLY' | 'ASK' | 'FREE';

/** The secret for an authenticator app. It is shown once, and not in use yet. */
export interface TotpSecret {
  /** 160 random bits in base32, to type into the app. */
  secret: string;
  /** The same as an `otpauth:` address, to draw as a QR code. */
  uri: string;
}

/** How many notifications are unread, neither archived nor snoozed. */
export interface UnreadCount {
  /** Over all organizations; 999 stands for more. */
  unread: number;
  /** If there are more, of the newest thousand. */
  byOrganization: {
    organizationId: Id;
    unread: number;
  }[];
}

/** The fields to change; absent fields keep their value. Creates no version. */
export interface UpdateAssetBody {
  assetName?: string | undefined;
  /** Moves the asset within its organization. */
  collectionId?: Id | undefined;
  publicLinkEnabled?: boolean | undefined;
  /** At most 2,000 characters; null clears it. */
  description?: string | null | undefined;
  /** All tags from now on: at most 20 of at most 40 characters, without commas. Of those that differ only in case or width, the first counts. */
  tags?: string[] | undefined;
}

/** The fields to change; absent fields keep their value. */
export interface UpdateKeyPolicyBody {
  /** Whether personal keys of members reach the organization. */
  personalKeys?: 'ALLOWED' | 'REFUSED' | undefined;
  /** No key that is older works here, and none is made for longer. Null: no limit. */
  maxLifetimeDays?: number | null | undefined;
}

/** What to change; an absent field stays as it is. */
export interface UpdateLabelBody {
  /** At most 40 characters; unique in the organization, without regard to case. */
  name?: string | undefined;
  color?: LabelColor | undefined;
}

/** The fields to change; absent fields keep their value. */
export interface UpdateMemberBody {
  role?: Role | undefined;
  status?: MemberStatus | undefined;
}

/** What to change; an absent field stays as it is. */
export interface UpdateNotificationBody {
  isRead?: boolean | undefined;
  isArchived?: boolean | undefined;
  /** Puts it off for so long, unread; null ends that. */
  snoozeMinutes?: number | null | undefined;
}

/** The fields to change, at least one; absent fields keep their value. */
export interface UpdateOrganizationBody {
  name?: string | undefined;
  publicLinks?: PublicLinks | undefined;
  mailContent?: MailContent | undefined;
}

/** The fields to change; absent fields keep their value, null clears a field. */
export interface UpdateProfileBody {
  firstName?: string | null | undefined;
  lastName?: string | null | undefined;
  /** Sets the mail of the reasons `assigned` and `mentioned`: INSTANT or OFF. Use the notification preferences. */
  mailNotices?: boolean | undefined;
  /** Whether each sign-in is sent by email. One from a new device or network always is. */
  mailSignIns?: boolean | undefined;
}

/** What to change; an absent field stays as it is, null clears it. */
export interface UpdateProjectBody {
  name?: string | undefined;
  description?: string | null | undefined;
  status?: ProjectStatus | undefined;
}

/** The fields to change; absent fields keep their value. */
export interface UpdateServiceAccountBody {
  name?: string | undefined;
  role?: ServiceAccountRole | undefined;
}

/** The fields to change, at least one; absent fields keep their value. */
export interface UpdateShareBody {
  label?: string | null | undefined;
  /** Null removes it. Another one ends all visits. */
  password?: string | null | undefined;
  expiresAt?: string | null | undefined;
  allowDownload?: boolean | undefined;
  allowComments?: boolean | undefined;
  versions?: ShareVersions | undefined;
  watermark?: string | null | undefined;
  maxOpenings?: number | null | undefined;
}

/** The fields to change, at least one; absent fields keep their value. */
export interface UpdateSharePolicyBody {
  /** Off: there are no shares. */
  allowed?: boolean | undefined;
  requirePassword?: boolean | undefined;
  /** How far ahead a share may expire, in days. Null: it need not expire. */
  maxDays?: number | null | undefined;
  allowDownload?: boolean | undefined;
}

/** The fields to change; absent fields keep their value, null clears a field. */
export interface UpdateTaskBody {
  title?: string | undefined;
  description?: string | null | undefined;
  /** The new column; the task moves to its end. */
  status?: TaskStatus | undefined;
  priority?: TaskPriority | undefined;
  /** ISO 8601 time, or a date, which means its start in UTC. */
  dueDate?: string | null | undefined;
  /** Makes it a subtask of this task of its project; null ends that. */
  parentId?: Id | null | undefined;
}

/** What to change; an absent field stays as it is. */
export interface UpdateWebhookBody {
  /** An `https:` address that is reachable from the internet, without user and fragment, on port 443, 8443 or one from 1024. */
  url?: string | undefined;
  description?: string | null | undefined;
  /** Events to send; `*` stands for all of them, also those of later versions. */
  events?: WebhookChoice[] | undefined;
  /** PARALLEL: up to five at a time. STRICT: one after the other, and one that fails holds back those after it. */
  ordering?: 'PARALLEL' | 'STRICT' | undefined;
  /** False pauses; true sends what has waited, slowly at first. */
  isEnabled?: boolean | undefined;
}

/** An account as its owner sees it. */
export interface User {
  id: Id;
  email: Email;
  firstName: string | null;
  lastName: string | null;
  /** First and last name, or the part of the email before the @. */
  displayName: string;
  /** Presigned URL of the picture, valid for at least an hour. It stays the same for a while, so it can be cached. */
  avatarUrl: string | null;
  accountStatus: 'PENDING' | 'VERIFIED' | 'SUSPENDED';
  platformRole: 'USER' | 'ADMIN';
  /** Whether assignments or mentions are sent by email. Use the notification preferences. */
  mailNotices: boolean;
  /** Whether sign-ins from known devices are mailed too. */
  mailSignIns: boolean;
  personalOrganizationId: Id;
  createdAt: Timestamp;
  updatedAt: Timestamp;
}

/** An invalid value: where it is, what is wrong and what is expected. */
export interface ValidationIssue {
  in: 'body' | 'query' | 'path' | 'headers';
  path: (string | number)[];
  code: string;
  message: string;
}

/** The verified email address, and whether a new password has to be set. */
export interface VerifiedEmail {
  email: Email;
  /** Null if the password of the registration is valid, as usual. Otherwise the address was registered with several passwords, which were deleted; set a new one by `reset-password` with this token within 30 minutes. */
  resetToken: string | null;
}

/** An endpoint of the organization that receives signed messages. */
export interface Webhook {
  id: Id;
  url: string;
  description: string | null;
  events: WebhookChoice[];
  /** PARALLEL: up to five at a time. STRICT: one after the other, and one that fails holds back those after it. */
  ordering: 'PARALLEL' | 'STRICT';
  /** FAILING: the last ten attempts failed. PAUSED by a member, DISABLED by the service: nothing is sent, and what happens is kept for 30 days. */
  status: 'ACTIVE' | 'PAUSED' | 'FAILING' | 'DISABLED';
  /** Why the service disabled it. */
  disabledReason: 'GONE' | 'FAILED_TOO_LONG' | 'SECRET_UNREADABLE' | null;
  /** Ed25519 key that verifies `v1a` signatures. */
  publicKey: string;
  /** The last four characters of the secret. */
  secretHint: string;
  /** Until when messages are also signed with the secret before. */
  previousSecretExpiresAt: Timestamp | null;
  /** Messages that are still to be sent. */
  pendingCount: number;
  oldestPendingAt: Timestamp | null;
  lastDeliveredAt: Timestamp | null;
  createdBy: Id;
  createdAt: Timestamp;
  updatedAt: Timestamp;
}

/** An event, or `*` for all of them. */
export type WebhookChoice =
  | '*'
  | 'api_key.exclude'
  | 'organization.create'
  | 'organization.rename'
  | 'organization.update'
  | 'organization.change_security_policy'
  | 'organization.change_share_policy'
  | 'organization.empty_bin'
  | 'organization.delete'
  | 'member.join'
  | 'member.update'
  | 'member.remove'
  | 'invitation.create'
  | 'invitation.revoke'
  | 'collection.create'
  | 'collection.rename'
  | 'collection.delete'
  | 'collection.restore'
  | 'asset.create'
  | 'asset.add_version'
  | 'asset.update'
  | 'asset.restore_version'
  | 'asset.change_review'
  | 'asset.publish'
  | 'asset.delete'
  | 'asset.restore'
  | 'asset.purge'
  | 'project.create'
  | 'project.update'
  | 'project.move'
  | 'project.delete'
  | 'task.create'
  | 'task.update'
  | 'task.move'
  | 'task.assign'
  | 'task.attach'
  | 'task.detach'
  | 'task.delete'
  | 'comment.create'
  | 'comment.update'
  | 'comment.delete'
  | 'label.create'
  | 'label.update'
  | 'label.delete'
  | 'webhook.create'
  | 'webhook.update'
  | 'webhook.rotate_secret'
  | 'webhook.enable'
  | 'webhook.disable'
  | 'webhook.test'
  | 'webhook.replay'
  | 'webhook.resend'
  | 'webhook.delete'
  | 'service_account.create'
  | 'service_account.update'
  | 'service_account.delete'
  | 'asset_comment.create'
  | 'asset_comment.update'
  | 'asset_comment.resolve'
  | 'asset_comment.reopen'
  | 'asset_comment.delete'
  | 'share.create'
  | 'share.update'
  | 'share.rotate'
  | 'share.revoke'
  | 'approval.request'
  | 'approval.approve'
  | 'approval.refuse';

/** A message to one endpoint, and what became of it. */
export interface WebhookDelivery {
  id: Id;
  /** The `webhook-id` of the message. */
  eventId: string;
  eventType: WebhookEventName;
  sequence: number;
  status: WebhookDeliveryStatus;
  attemptCount: number;
  nextAttemptAt: Timestamp | null;
  /** Status of the last response. */
  lastStatus: number | null;
  /** Why there is no usable response. */
  lastError: 
    | 'timeout'
    | 'connection_refused'
    | 'connection_reset'
    | 'tls'
    | 'dns'
    | 'address_refused'
    | 'redirect'
    | 'response_too_large' | null;
  isReplay: boolean;
  createdAt: Timestamp;
  deliveredAt: Timestamp | null;
}

/** A message with its content and every attempt. */
export interface WebhookDeliveryDetails {
  id: Id;
  /** The `webhook-id` of the message. */
  eventId: string;
  eventType: WebhookEventName;
  sequence: number;
  status: WebhookDeliveryStatus;
  attemptCount: number;
  nextAttemptAt: Timestamp | null;
  /** Status of the last response. */
  lastStatus: number | null;
  /** Why there is no usable response. */
  lastError: 
    | 'timeout'
    | 'connection_refused'
    | 'connection_reset'
    | 'tls'
    | 'dns'
    | 'address_refused'
    | 'redirect'
    | 'response_too_large' | null;
  isReplay: boolean;
  createdAt: Timestamp;
  deliveredAt: Timestamp | null;
  /** The message. */
  payload: Record<string, unknown>;
  attempts: ({
    number: number;
    startedAt: Timestamp;
    durationMs: number;
    status: number | null;
    /** Why there is no usable response. */
    error: 
      | 'timeout'
      | 'connection_refused'
      | 'connection_reset'
      | 'tls'
      | 'dns'
      | 'address_refused'
      | 'redirect'
      | 'response_too_large' | null;
    /** The first 1,024 characters. */
    responseExcerpt: string | null;
  })[];
}

/** One page: its items and its position in the list. */
export interface WebhookDeliveryPage {
  items: WebhookDelivery[];
  pagination: Pagination;
}

/** FAILED: ten attempts failed. */
export type WebhookDeliveryStatus = 'PENDING' | 'DELIVERED' | 'FAILED';

/** What a message is about. */
export type WebhookEventName =
  | 'api_key.exclude'
  | 'organization.create'
  | 'organization.rename'
  | 'organization.update'
  | 'organization.change_security_policy'
  | 'organization.change_share_policy'
  | 'organization.empty_bin'
  | 'organization.delete'
  | 'member.join'
  | 'member.update'
  | 'member.remove'
  | 'invitation.create'
  | 'invitation.revoke'
  | 'collection.create'
  | 'collection.rename'
  | 'collection.delete'
  | 'collection.restore'
  | 'asset.create'
  | 'asset.add_version'
  | 'asset.update'
  | 'asset.restore_version'
  | 'asset.change_review'
  | 'asset.publish'
  | 'asset.delete'
  | 'asset.restore'
  | 'asset.purge'
  | 'project.create'
  | 'project.update'
  | 'project.move'
  | 'project.delete'
  | 'task.create'
  | 'task.update'
  | 'task.move'
  | 'task.assign'
  | 'task.attach'
  | 'task.detach'
  | 'task.delete'
  | 'comment.create'
  | 'comment.update'
  | 'comment.delete'
  | 'label.create'
  | 'label.update'
  | 'label.delete'
  | 'webhook.create'
  | 'webhook.update'
  | 'webhook.rotate_secret'
  | 'webhook.enable'
  | 'webhook.disable'
  | 'webhook.test'
  | 'webhook.replay'
  | 'webhook.resend'
  | 'webhook.delete'
  | 'service_account.create'
  | 'service_account.update'
  | 'service_account.delete'
  | 'asset_comment.create'
  | 'asset_comment.update'
  | 'asset_comment.resolve'
  | 'asset_comment.reopen'
  | 'asset_comment.delete'
  | 'share.create'
  | 'share.update'
  | 'share.rotate'
  | 'share.revoke'
  | 'approval.request'
  | 'approval.approve'
  | 'approval.refuse'
  | 'webhook.ping'
  | 'webhook.reset';

/** Every event that can arrive. */
export interface WebhookEvents {
  items: {
    type: WebhookEventName;
    description: string;
    /** JSON Schema of the message. */
    schema: Record<string, unknown>;
    example: Record<string, unknown>;
  }[];
}

/** One page: its items and its position in the list. */
export interface WebhookPage {
  items: Webhook[];
  pagination: Pagination;
}

/** How many messages are sent again. */
export interface WebhookReplay {
  queuedCount: number;
  from: Timestamp;
  to: Timestamp;
}

/** The status of every error code, and when it is returned. */
export interface ErrorStatuses {
  /** A value of the request violates the contract; `errors` lists each. */
  validation_failed: 400;
  /** The body is not JSON in UTF-8, or is nested more than 64 levels deep. */
  malformed_json: 400;
  /** The URL, its percent-encoding, or the HTTP message is malformed. */
  malformed_request: 400;
  /** Sign-in with an unknown email or a wrong password; confirmation with a wrong password. */
  invalid_credentials: 400;
  /** The account needs a second factor; `errors` has the kinds. */
  second_factor_required: 400;
  /** The second factor is wrong, used or expired. */
  second_factor_invalid: 400;
  /** The response of a passkey is wrong, late, used, or not for this account or purpose. */
  passkey_invalid: 400;
  /** Sign-in to an account whose email is not verified. */
  account_pending: 400;
  /** Sign-in to a suspended account. */
  account_suspended: 400;
  /** Sign-in to an account that waits for its deletion. */
  account_deletion_pending: 400;
  /** An emailed token is unknown, used, expired, or for another purpose. */
  invalid_or_expired_token: 400;
  /** Publishing without a TEAM organization in the header. */
  publish_target_required: 400;
  /** The body differs from the initiated upload, or it is not yours. */
  upload_mismatch: 400;
  /** Completing or resuming an upload that was aborted or has expired, or whose collection or asset was deleted. */
  upload_not_active: 400;
  /** A listed part is not stored or has another ETag. The upload can still be completed. */
  upload_part_invalid: 400;
  /** A part other than the last is too small. The upload can still be completed. */
  upload_part_too_small: 400;
  /** The parts have more or fewer bytes than `fileSize`. The upload can still be completed. */
  upload_size_mismatch: 400;
  /** The uploaded picture is missing, too large, or not of the declared type. */
  avatar_invalid: 400;
  /** Deleting without typing the exact name or email. */
  confirmation_mismatch: 400;
  /** The API key reaches several organizations, none of them personal. */
  organization_required: 400;
  /** The query of a search has neither a word to look for nor a filter. */
  search_query_invalid: 400;
  /** An assignee is no active member of the organization. */
  assignee_not_member: 400;
  /** The parent is the task itself, a subtask, or in another project; or a task with subtasks would become one. */
  invalid_parent: 400;
  /** The bearer token is missing, invalid or expired, or its session has ended. */
  unauthenticated: 401;
  /** The refresh token is expired, unknown or revoked. */
  access_denied: 401;
  /** Exchanging a sign-in code that is expired, used or altered. */
  invalid_or_expired_code: 401;
  /** You are no active member of the organization in x-organization-id. */
  organization_access_denied: 403;
  /** The organization requires a second factor, and your account has none. */
  second_factor_enrollment_required: 403;
  /** Your role lacks the permission. */
  permission_denied: 403;
  /** Your API key lacks the scope that the message names. */
  scope_missing: 403;
  /** The operation takes sessions only. */
  key_refused: 403;
  /** The session was not confirmed within the last 10 minutes. */
  confirmation_required: 403;
  /** You are no administrator of the platform or of the selected team. */
  not_admin: 403;
  /** Accepting an invitation to another email. */
  invitation_email_mismatch: 403;
  /** The resource does not exist, was deleted, or belongs to another organization. */
  not_found: 404;
  /** No operation of the contract has this path. */
  route_not_found: 404;
  /** The service has no credentials for this provider. */
  provider_not_configured: 404;
  /** The path exists for other methods; `Allow` lists them. */
  method_not_allowed: 405;
  /** Headers or body were not received in time. */
  request_timeout: 408;
  /** Another change happened at the same time; yours was not stored. */
  conflict: 409;
  /** The first request with the key has no response yet. */
  idempotency_in_flight: 409;
  /** The change would exceed a limit of the plan; the message says which. */
  plan_limit_reached: 409;
  /** Initiating an upload beside the maximum number of others. */
  too_many_open_uploads: 409;
  /** Switching the public link of an asset on where `publicLinks` is FORBIDDEN. */
  public_links_forbidden: 409;
  /** Deleting or restoring a collection with assets that the caller may not delete or restore. */
  collection_has_others_assets: 409;
  /** The last active owner would go, or lose the role. */
  last_owner: 409;
  /** Disconnecting the only provider, or removing the only passkey, of an account that nothing else opens. */
  last_sign_in_method: 409;
  /** Requesting another email within 7 days of undoing a change. */
  email_change_blocked: 409;
  /** Requesting an export beside one that is not ready yet. */
  export_pending: 409;
  /** Inviting into, leaving, deleting or changing a PERSONAL organization. */
  personal_organization: 409;
  /** Inviting a member, or accepting as one. */
  already_member: 409;
  /** Publishing an unchanged asset again. */
  already_published: 409;
  /** Aborting or resuming a completed upload. */
  upload_already_completed: 409;
  /** Restoring an asset whose collection was deleted. */
  collection_deleted: 409;
  /** Adding tasks to an archived project. */
  project_archived: 409;
  /** Another label has this name; upper and lower case are the same. */
  label_exists: 409;
  /** Creating a label in an organization that has 100. */
  too_many_labels: 409;
  /** Adding a subtask to a task that has 100. */
  too_many_subtasks: 409;
  /** Attaching an asset to a task that has 50, those in the bin included. */
  too_many_task_assets: 409;
  /** Creating a key beside 50 usable ones, or 10 of a service account. */
  too_many_api_keys: 409;
  /** Adding a passkey beside 10 others. */
  too_many_passkeys: 409;
  /** Creating a service account in an organization that has 25. */
  too_many_service_accounts: 409;
  /** Replacing an API key that has ended. */
  api_key_ended: 409;
  /** The invitation was accepted, revoked, replaced or has expired, or its organization was deleted. */
  invitation_gone: 410;
  /** If-Match does not have the current ETag. */
  precondition_failed: 412;
  /** The body exceeds the limit of the operation. */
  body_too_large: 413;
  /** The body has another media type. */
  unsupported_media_type: 415;
  /** The key was used with another payload. */
  idempotency_key_reused: 422;
  /** A rate limit is exceeded; `Retry-After` has the seconds to wait. */
  rate_limited: 429;
  /** Request line and headers exceed 16,384 bytes. */
  headers_too_large: 431;
  /** A defect. Find it in the logs by `requestId`. */
  internal_error: 500;
  /** The database is unavailable, or the process is shutting down or overloaded. */
  service_unavailable: 503;
  /** The object storage is unavailable. Nothing was stored. */
  storage_unavailable: 503;
  /** The version has another media type, or its content was published from another organization. */
  cover_unsupported: 409;
  /** The picture can’t be decoded, is of another type, or too large. */
  cover_invalid: 422;
  /** 20 calls of the API key wait for an approval. */
  too_many_approvals: 409;
  /** Deciding on a call that was refused, used, or has expired. */
  approval_ended: 409;
  /** Opening a share that has a password without one. */
  share_password_required: 401;
  /** Opening a share with a wrong password. */
  share_password_wrong: 401;
  /** Downloading from a share that does not allow it. */
  share_download_off: 403;
  /** Reading or posting comments in a share that does not allow them. */
  share_comments_off: 403;
  /** The share is unknown, or was ended, has expired, was opened too often, or its target is gone; or it does not show the asset. */
  share_not_found: 404;
  /** Creating or prolonging a share beside 500 that have not ended. */
  too_many_shares: 409;
  /** Pinning the versions of a collection with more than 10,000 assets. */
  too_many_pinned_assets: 409;
  /** The share policy of the organization forbids the conditions; the message says which. */
  share_policy: 409;
  /** Changing a share that was ended. */
  share_revoked: 409;
  /** The URL of a webhook is not a public `https:` address. */
  webhook_address_refused: 400;
  /** Replaying more than 10,000 events, or with 20,000 waiting. */
  webhook_replay_too_large: 400;
  /** Creating a webhook in an organization that has 20. */
  too_many_webhooks: 409;
  /** Sending to a webhook that is paused or disabled. */
  webhook_disabled: 409;
}

/** The stable name of an error; compare it, not the message. */
export type ErrorCode = keyof ErrorStatuses;

export type CommonError =
  | 'validation_failed'
  | 'malformed_request'
  | 'internal_error'
  | 'service_unavailable'
  | 'rate_limited';

export type BodyError =
  | 'malformed_json'
  | 'body_too_large'
  | 'unsupported_media_type';

export type MemberError =
  | 'unauthenticated'
  | 'organization_access_denied'
  | 'permission_denied';

export type IdempotencyError =
  | 'idempotency_in_flight'
  | 'idempotency_key_reused';

export type GeneralError =
  | 'route_not_found'
  | 'method_not_allowed'
  | 'request_timeout'
  | 'headers_too_large';

/** Arguments, options, data and errors of each operation. */
export interface Operations {
  'health.live': {
    options: CallOptions;
    data: Health;
    errors: 'validation_failed' | 'malformed_request' | 'internal_error' | 'service_unavailable';
  };
  'health.ready': {
    options: CallOptions;
    data: Readiness;
    errors: 'validation_failed' | 'malformed_request' | 'internal_error' | 'service_unavailable' | 'storage_unavailable';
  };
  'auth.register': {
    body: RegisterBody;
    options: IdempotentOptions;
    data: EmailResponse;
    errors: CommonError | BodyError | IdempotencyError;
  };
  'auth.verifyEmail': {
    body: TokenBody;
    options: CallOptions;
    data: VerifiedEmail;
    errors: CommonError | BodyError | 'invalid_or_expired_token';
  };
  'auth.requestPasswordReset': {
    body: EmailBody;
    options: CallOptions;
    data: EmailResponse;
    errors: CommonError | BodyError;
  };
  'auth.resetPassword': {
    body: ResetPasswordBody;
    options: CallOptions;
    data: EmailResponse;
    errors: CommonError | BodyError | 'invalid_or_expired_token';
  };
  'auth.verifyToken': {
    query: { token: string };
    options: CallOptions;
    data: TokenCheck;
    errors: CommonError | 'invalid_or_expired_token';
  };
  'auth.login': {
    body: LoginBody;
    options: CallOptions;
    data: SignedIn;
    errors: CommonError | BodyError | 'invalid_credentials' | 'second_factor_required' | 'second_factor_invalid' | 'account_pending' | 'account_suspended' | 'account_deletion_pending';
  };
  'auth.passkeyChallenge': {
    options: CallOptions;
    data: PasskeyRequestOptions;
    errors: CommonError | BodyError;
  };
  'auth.loginWithPasskey': {
    body: PasskeyLoginBody;
    options: CallOptions;
    data: SignedIn;
    errors: CommonError | BodyError | 'passkey_invalid' | 'account_suspended' | 'account_deletion_pending';
  };
  'auth.startGoogle': {
    query?: {
      /** Email to suggest to the provider. */
      login_hint?: string | undefined;
      /** SHA-256, in base64url, of a secret of the app that starts the sign-in (PKCE, S256). Only that secret, as `verifier`, exchanges the code. */
      challenge?: string | undefined;
    };
    options: CallOptions;
    data: undefined;
    errors: CommonError | 'provider_not_configured';
  };
  'auth.googleCallback': {
    query?: {
      code?: string | undefined;
      state?: string | undefined;
      /** Why the provider refused. */
      error?: string | undefined;
      /** Issuer of the response, if the provider sends it (RFC 9207). */
      iss?: string | undefined;
    };
    options: CallOptions;
    data: undefined;
    errors: CommonError | 'provider_not_configured';
  };
  'auth.startGithub': {
    query?: {
      /** Email to suggest to the provider. */
      login_hint?: string | undefined;
      /** SHA-256, in base64url, of a secret of the app that starts the sign-in (PKCE, S256). Only that secret, as `verifier`, exchanges the code. */
      challenge?: string | undefined;
    };
    options: CallOptions;
    data: undefined;
    errors: CommonError | 'provider_not_configured';
  };
  'auth.githubCallback': {
    query?: {
      code?: string | undefined;
      state?: string | undefined;
      /** Why the provider refused. */
      error?: string | undefined;
      /** Issuer of the response, if the provider sends it (RFC 9207). */
      iss?: string | undefined;
    };
    options: CallOptions;
    data: undefined;
    errors: CommonError | 'provider_not_configured';
  };
  'auth.exchange': {
    body: ExchangeBody;
    options: CallOptions;
    data: SignedIn;
    errors: CommonError | BodyError | 'second_factor_required' | 'invalid_or_expired_code';
  };
  'auth.exchangeWithSecondFactor': {
    body: SecondFactorTicketBody;
    options: CallOptions;
    data: SignedIn;
    errors: CommonError | BodyError | 'second_factor_invalid' | 'invalid_or_expired_code';
  };
  'auth.user': {
    options: CallOptions;
    data: User;
    errors: CommonError | 'unauthenticated' | 'scope_missing';
  };
  'auth.confirm': {
    body: ConfirmBody;
    options: CallOptions;
    data: Confirmation;
    errors: CommonError | BodyError | 'unauthenticated' | 'key_refused' | 'invalid_credentials' | 'passkey_invalid' | 'second_factor_required' | 'second_factor_invalid';
  };
  'auth.refresh': {
    body: RefreshTokenBody;
    options: IdempotentOptions;
    data: RotatedTokens;
    errors: CommonError | BodyError | 'access_denied';
  };
  'auth.logout': {
    body?: LogoutBody;
    options: CallOptions;
    data: undefined;
    errors: 'internal_error' | 'service_unavailable';
  };
  'sessions.list': {
    query?: {
      /** Page number from 1. Default 1. Not together with `cursor`. */
      page?: number | undefined;
      /** Items per page, 1 to 100. Default 20. */
      limit?: number | undefined;
    };
    options: CallOptions;
    data: SessionPage;
    errors: CommonError | 'unauthenticated' | 'key_refused';
  };
  'sessions.end': {
    params: { id: Id };
    options: CallOptions;
    data: EndedSession;
    errors: CommonError | BodyError | 'unauthenticated' | 'key_refused' | 'not_found';
  };
  'sessions.endOthers': {
    options: CallOptions;
    data: EndedSessions;
    errors: CommonError | BodyError | 'unauthenticated' | 'key_refused';
  };
  'apiKeys.list': {
    query?: {
      /** Page number from 1. Default 1. Not together with `cursor`. */
      page?: number | undefined;
      /** Items per page, 1 to 100. Default 20. */
      limit?: number | undefined;
    };
    options: CallOptions;
    data: ApiKeyPage;
    errors: CommonError | 'unauthenticated' | 'key_refused';
  };
  'apiKeys.create': {
    body: CreateApiKeyBody;
    options: IdempotentOptions;
    data: NewApiKey;
    errors: CommonError | BodyError | IdempotencyError | 'unauthenticated' | 'key_refused' | 'confirmation_required' | 'not_found' | 'too_many_api_keys';
  };
  'apiKeys.current': {
    options: CallOptions;
    data: CurrentApiKey;
    errors: CommonError | 'unauthenticated' | 'not_found';
  };
  'apiKeys.rename': {
    params: { id: Id };
    body: RenameApiKeyBody;
    options: ConditionalOptions;
    data: ApiKey;
    errors: CommonError | BodyError | 'unauthenticated' | 'key_refused' | 'not_found' | 'precondition_failed';
  };
  'apiKeys.rotate': {
    params: { id: Id };
    body: RotateApiKeyBody;
    options: IdempotentOptions;
    data: NewApiKey;
    errors: CommonError | BodyError | IdempotencyError | 'unauthenticated' | 'key_refused' | 'confirmation_required' | 'not_found' | 'api_key_ended' | 'too_many_api_keys';
  };
  'apiKeys.revoke': {
    params: { id: Id };
    options: ConditionalOptions;
    data: Deleted;
    errors: CommonError | BodyError | 'unauthenticated' | 'key_refused' | 'not_found' | 'precondition_failed';
  };
  'apiKeys.scopes': {
    options: CallOptions;
    data: ScopeList;
    errors: CommonError;
  };
  'apiKeys.reportLeak': {
    body: LeakedKeyBody;
    options: CallOptions;
    data: ReceivedReport;
    errors: CommonError | BodyError;
  };
  'apiKeys.listOfOrganization': {
    params: { id: Id };
    query?: {
      /** Page number from 1. Default 1. Not together with `cursor`. */
      page?: number | undefined;
      /** Items per page, 1 to 100. Default 20. */
      limit?: number | undefined;
    };
    options: CallOptions;
    data: MemberApiKeyPage;
    errors: CommonError | 'unauthenticated' | 'not_found' | 'second_factor_enrollment_required' | 'permission_denied' | 'key_refused';
  };
  'apiKeys.exclude': {
    params: { id: Id; keyId: Id };
    options: ConditionalOptions;
    data: Deleted;
    errors: CommonError | BodyError | 'unauthenticated' | 'not_found' | 'second_factor_enrollment_required' | 'permission_denied' | 'key_refused' | 'precondition_failed';
  };
  'apiKeys.policy': {
    params: { id: Id };
    options: CallOptions;
    data: KeyPolicy;
    errors: CommonError | 'unauthenticated' | 'not_found' | 'second_factor_enrollment_required' | 'permission_denied' | 'scope_missing';
  };
  'apiKeys.updatePolicy': {
    params: { id: Id };
    body: UpdateKeyPolicyBody;
    options: ConditionalOptions;
    data: KeyPolicy;
    errors: CommonError | BodyError | 'unauthenticated' | 'not_found' | 'second_factor_enrollment_required' | 'permission_denied' | 'key_refused' | 'personal_organization' | 'precondition_failed';
  };
  'profile.update': {
    body: UpdateProfileBody;
    options: ConditionalOptions;
    data: User;
    errors: CommonError | BodyError | 'unauthenticated' | 'key_refused' | 'precondition_failed';
  };
  'profile.startAvatarUpload': {
    body: AvatarUploadBody;
    options: IdempotentOptions;
    data: AvatarUpload;
    errors: CommonError | BodyError | IdempotencyError | 'unauthenticated' | 'key_refused';
  };
  'profile.completeAvatarUpload': {
    body: CompleteAvatarBody;
    options: IdempotentOptions;
    data: User;
    errors: CommonError | BodyError | IdempotencyError | 'unauthenticated' | 'key_refused' | 'avatar_invalid' | 'storage_unavailable';
  };
  'plans.list': {
    query?: {
      /** Page number from 1. Default 1. Not together with `cursor`. */
      page?: number | undefined;
      /** Items per page, 1 to 100. Default 20. */
      limit?: number | undefined;
    };
    options: CallOptions;
    data: PlanPage;
    errors: CommonError;
  };
  'timeline.mine': {
    query?: {
      /** Page number from 1. Default 1. Not together with `cursor`. */
      page?: number | undefined;
      /** Items per page, 1 to 100. Default 20. */
      limit?: number | undefined;
      /** Opaque `nextCursor` of the previous page. Stable under inserts and faster than `page`. */
      cursor?: string | undefined;
      action?: ActivityAction | undefined;
      actorId?: Id | undefined;
      resourceType?: ResourceType | undefined;
      resourceId?: Id | undefined;
      /** What was done with this API key. */
      apiKeyId?: Id | undefined;
      /** From this time (inclusive). */
      from?: string | undefined;
      /** Until this time (exclusive). */
      to?: string | undefined;
    };
    options: CallOptions;
    data: ActivityPage;
    errors: CommonError | 'unauthenticated' | 'key_refused';
  };
  'timeline.list': {
    query?: {
      /** Page number from 1. Default 1. Not together with `cursor`. */
      page?: number | undefined;
      /** Items per page, 1 to 100. Default 20. */
      limit?: number | undefined;
      /** Opaque `nextCursor` of the previous page. Stable under inserts and faster than `page`. */
      cursor?: string | undefined;
      action?: ActivityAction | undefined;
      actorId?: Id | undefined;
      resourceType?: ResourceType | undefined;
      resourceId?: Id | undefined;
      /** What was done with this API key. */
      apiKeyId?: Id | undefined;
      /** From this time (inclusive). */
      from?: string | undefined;
      /** Until this time (exclusive). */
      to?: string | undefined;
    };
    options: CallOptions;
    data: ActivityPage;
    errors: CommonError | 'unauthenticated' | 'organization_required' | 'organization_access_denied' | 'second_factor_enrollment_required' | 'not_admin' | 'scope_missing' | 'confirmation_required';
  };
  'timeline.resource': {
    params: { type: ResourceType; id: Id };
    query?: {
      /** Page number from 1. Default 1. Not together with `cursor`. */
      page?: number | undefined;
      /** Items per page, 1 to 100. Default 20. */
      limit?: number | undefined;
      /** Opaque `nextCursor` of the previous page. Stable under inserts and faster than `page`. */
      cursor?: string | undefined;
      action?: ActivityAction | undefined;
      actorId?: Id | undefined;
      resourceType?: ResourceType | undefined;
      resourceId?: Id | undefined;
      /** What was done with this API key. */
      apiKeyId?: Id | undefined;
      /** From this time (inclusive). */
      from?: string | undefined;
      /** Until this time (exclusive). */
      to?: string | undefined;
    };
    options: CallOptions;
    data: ActivityPage;
    errors: CommonError | 'unauthenticated' | 'organization_required' | 'organization_access_denied' | 'second_factor_enrollment_required' | 'not_admin' | 'scope_missing' | 'confirmation_required';
  };
  'timeline.summary': {
    query?: {
      /** From this time (inclusive). */
      from?: string | undefined;
      /** Until this time (exclusive). */
      to?: string | undefined;
      actorId?: Id | undefined;
      resourceType?: ResourceType | undefined;
    };
    options: CallOptions;
    data: ActivitySummary;
    errors: CommonError | 'unauthenticated' | 'organization_required' | 'organization_access_denied' | 'second_factor_enrollment_required' | 'not_admin' | 'scope_missing' | 'confirmation_required';
  };
  'events.subscribe': {
    options: CallOptions;
    data: LiveMessage;
    errors: CommonError | MemberError | 'organization_required' | 'second_factor_enrollment_required' | 'scope_missing';
  };
  'organizations.list': {
    query?: {
      /** Page number from 1. Default 1. Not together with `cursor`. */
      page?: number | undefined;
      /** Items per page, 1 to 100. Default 20. */
      limit?: number | undefined;
      type?: OrganizationType | undefined;
      /** Text to search for, at most 200 characters. */
      q?: string | undefined;
      /** Order; `-` descends, the id breaks ties. Default `name`. */
      sort?: 'name' | '-name' | 'createdAt' | '-createdAt' | undefined;
    };
    options: CallOptions;
    data: OrganizationPage;
    errors: CommonError | 'unauthenticated' | 'scope_missing';
  };
  'organizations.create': {
    body: OrganizationNameBody;
    options: IdempotentOptions;
    data: Organization;
    errors: CommonError | BodyError | IdempotencyError | 'unauthenticated' | 'key_refused' | 'plan_limit_reached';
  };
  'organizations.get': {
    params: { id: Id };
    options: CallOptions;
    data: Organization;
    errors: CommonError | 'unauthenticated' | 'not_found' | 'second_factor_enrollment_required' | 'permission_denied' | 'scope_missing';
  };
  'organizations.rename': {
    params: { id: Id };
    body: UpdateOrganizationBody;
    options: ConditionalOptions;
    data: Organization;
    errors: CommonError | BodyError | 'unauthenticated' | 'not_found' | 'second_factor_enrollment_required' | 'permission_denied' | 'scope_missing' | 'personal_organization' | 'precondition_failed';
  };
  'organizations.updateSecurityPolicy': {
    params: { id: Id };
    body: SecurityPolicyBody;
    options: ConditionalOptions;
    data: Organization;
    errors: CommonError | BodyError | 'unauthenticated' | 'not_found' | 'second_factor_enrollment_required' | 'permission_denied' | 'key_refused' | 'confirmation_required' | 'personal_organization' | 'precondition_failed';
  };
  'organizations.remove': {
    params: { id: Id };
    query: {
      /** The name of the organization, to confirm. */
      confirmName: string;
    };
    options: ConditionalOptions;
    data: Deleted;
    errors: CommonError | BodyError | 'unauthenticated' | 'not_found' | 'second_factor_enrollment_required' | 'permission_denied' | 'key_refused' | 'confirmation_required' | 'confirmation_mismatch' | 'personal_organization' | 'precondition_failed';
  };
  'organizations.listMembers': {
    params: { id: Id };
    query?: {
      /** Page number from 1. Default 1. Not together with `cursor`. */
      page?: number | undefined;
      /** Items per page, 1 to 100. Default 20. */
      limit?: number | undefined;
      role?: Role | undefined;
      status?: MemberStatus | undefined;
      /** Text to search for, at most 200 characters. */
      q?: string | undefined;
      /** Order; `-` descends, the id breaks ties. Default `joinedAt`. */
      sort?: 'joinedAt' | '-joinedAt' | 'name' | '-name' | undefined;
    };
    options: CallOptions;
    data: MemberPage;
    errors: CommonError | 'unauthenticated' | 'not_found' | 'second_factor_enrollment_required' | 'permission_denied' | 'scope_missing';
  };
  'organizations.removeMember': {
    params: { id: Id; memberId: Id };
    options: ConditionalOptions;
    data: Deleted;
    errors: CommonError | BodyError | 'unauthenticated' | 'not_found' | 'second_factor_enrollment_required' | 'permission_denied' | 'scope_missing' | 'confirmation_required' | 'last_owner' | 'personal_organization' | 'precondition_failed';
  };
  'organizations.updateMember': {
    params: { id: Id; memberId: Id };
    body: UpdateMemberBody;
    options: ConditionalOptions;
    data: Member;
    errors: CommonError | BodyError | 'unauthenticated' | 'not_found' | 'second_factor_enrollment_required' | 'permission_denied' | 'scope_missing' | 'confirmation_required' | 'last_owner' | 'personal_organization' | 'precondition_failed';
  };
  'organizations.getInvitation': {
    params: { token: string };
    options: CallOptions;
    data: InvitationPreview;
    errors: CommonError | 'not_found' | 'invitation_gone';
  };
  'organizations.acceptInvitation': {
    params: { token: string };
    options: IdempotentOptions;
    data: Invitation;
    errors: CommonError | BodyError | IdempotencyError | 'unauthenticated' | 'key_refused' | 'not_found' | 'invitation_gone' | 'invitation_email_mismatch' | 'already_member' | 'plan_limit_reached';
  };
  'organizations.invite': {
    params: { id: Id };
    body: InviteBody;
    options: IdempotentOptions;
    data: Invitation;
    errors: CommonError | BodyError | IdempotencyError | 'unauthenticated' | 'not_found' | 'second_factor_enrollment_required' | 'permission_denied' | 'scope_missing' | 'confirmation_required' | 'personal_organization' | 'already_member' | 'plan_limit_reached';
  };
  'organizations.listInvitations': {
    params: { id: Id };
    query?: {
      /** Page number from 1. Default 1. Not together with `cursor`. */
      page?: number | undefined;
      /** Items per page, 1 to 100. Default 20. */
      limit?: number | undefined;
      status?: InvitationStatus | undefined;
      /** Text to search for, at most 200 characters. */
      q?: string | undefined;
    };
    options: CallOptions;
    data: InvitationPage;
    errors: CommonError | 'unauthenticated' | 'not_found' | 'second_factor_enrollment_required' | 'permission_denied' | 'scope_missing';
  };
  'organizations.revokeInvitation': {
    params: { id: Id; invitationId: Id };
    options: CallOptions;
    data: Deleted;
    errors: CommonError | BodyError | 'unauthenticated' | 'not_found' | 'second_factor_enrollment_required' | 'permission_denied' | 'scope_missing' | 'invitation_gone';
  };
  'collections.create': {
    body: CollectionTitleBody;
    options: IdempotentOptions;
    data: Collection;
    errors: CommonError | BodyError | MemberError | IdempotencyError | 'organization_required' | 'second_factor_enrollment_required' | 'scope_missing';
  };
  'collections.list': {
    query?: {
      /** Page number from 1. Default 1. Not together with `cursor`. */
      page?: number | undefined;
      /** Items per page, 1 to 100. Default 20. */
      limit?: number | undefined;
      /** Opaque `nextCursor` of the previous page. Stable under inserts and faster than `page`. */
      cursor?: string | undefined;
      /** `personal`: the caller's own in the selected organization; `organization`: all of the organization. */
      scope?: 'personal' | 'organization' | undefined;
      /** Only favorites, or only others. */
      favorite?: boolean | undefined;
      /** Text to search for, at most 200 characters. */
      q?: string | undefined;
      /** Order; `-` descends, the id breaks ties. Default `-createdAt`. */
      sort?: '-createdAt' | 'createdAt' | 'title' | '-title' | 'updatedAt' | '-updatedAt' | undefined;
    };
    options: CallOptions;
    data: CollectionPage;
    errors: CommonError | MemberError | 'organization_required' | 'second_factor_enrollment_required' | 'scope_missing';
  };
  'collections.bin': {
    query?: {
      /** Page number from 1. Default 1. Not together with `cursor`. */
      page?: number | undefined;
      /** Items per page, 1 to 100. Default 20. */
      limit?: number | undefined;
      /** Opaque `nextCursor` of the previous page. Stable under inserts and faster than `page`. */
      cursor?: string | undefined;
      /** `personal`: the caller's own in the selected organization; `organization`: all of the organization. */
      scope?: 'personal' | 'organization' | undefined;
      /** Text to search for, at most 200 characters. */
      q?: string | undefined;
    };
    options: CallOptions;
    data: BinnedCollectionPage;
    errors: CommonError | MemberError | 'organization_required' | 'second_factor_enrollment_required' | 'scope_missing';
  };
  'collections.restore': {
    params: { id: Id };
    options: CallOptions;
    data: Collection;
    errors: CommonError | BodyError | MemberError | 'organization_required' | 'second_factor_enrollment_required' | 'scope_missing' | 'not_found' | 'collection_has_others_assets';
  };
  'collections.get': {
    params: { id: Id };
    options: CallOptions;
    data: Collection;
    errors: CommonError | MemberError | 'organization_required' | 'second_factor_enrollment_required' | 'scope_missing' | 'not_found';
  };
  'collections.remove': {
    params: { id: Id };
    options: ConditionalOptions;
    data: Deleted;
    errors: CommonError | BodyError | MemberError | 'organization_required' | 'second_factor_enrollment_required' | 'scope_missing' | 'not_found' | 'collection_has_others_assets' | 'precondition_failed';
  };
  'collections.rename': {
    params: { id: Id };
    body: CollectionTitleBody;
    options: ConditionalOptions;
    data: Collection;
    errors: CommonError | BodyError | MemberError | 'organization_required' | 'second_factor_enrollment_required' | 'scope_missing' | 'not_found' | 'precondition_failed';
  };
  'collections.favorite': {
    params: { id: Id };
    body: FavoriteBody;
    options: ConditionalOptions;
    data: Collection;
    errors: CommonError | BodyError | MemberError | 'organization_required' | 'second_factor_enrollment_required' | 'scope_missing' | 'not_found' | 'precondition_failed';
  };
  'assets.list': {
    query?: {
      /** Page number from 1. Default 1. Not together with `cursor`. */
      page?: number | undefined;
      /** Items per page, 1 to 100. Default 20. */
      limit?: number | undefined;
      /** Opaque `nextCursor` of the previous page. Stable under inserts and faster than `page`. */
      cursor?: string | undefined;
      /** Prefix of the media type, such as `image/`. */
      type?: string | undefined;
      /** Only favorites, or only others. */
      favorite?: boolean | undefined;
      /** Only assets whose current version has this status. */
      reviewStatus?: ReviewStatus | undefined;
      /** Tags, separated by `,`. Only assets with all of them, in any case. */
      tags?: string | undefined;
      /** Text that name, description or a tag has in it, at most 200 characters. */
      q?: string | undefined;
      /** Order; `-` descends, the id breaks ties. Default `-createdAt`. */
      sort?: 
        | '-createdAt'
        | 'createdAt'
        | 'assetName'
        | '-assetName'
        | 'fileSize'
        | '-fileSize'
        | 'updatedAt'
        | '-updatedAt' | undefined;
      /** `personal`: the caller's own in the selected organization; `organization`: all of the organization. */
      scope?: 'personal' | 'organization' | undefined;
      collectionId?: Id | undefined;
    };
    options: CallOptions;
    data: AssetPage;
    errors: CommonError | MemberError | 'organization_required' | 'second_factor_enrollment_required' | 'scope_missing';
  };
  'assets.myLogs': {
    query?: {
      /** Page number from 1. Default 1. Not together with `cursor`. */
      page?: number | undefined;
      /** Items per page, 1 to 100. Default 20. */
      limit?: number | undefined;
      /** Opaque `nextCursor` of the previous page. Stable under inserts and faster than `page`. */
      cursor?: string | undefined;
      action?: ActivityAction | undefined;
      actorId?: Id | undefined;
      resourceType?: ResourceType | undefined;
      resourceId?: Id | undefined;
      /** What was done with this API key. */
      apiKeyId?: Id | undefined;
      /** From this time (inclusive). */
      from?: string | undefined;
      /** Until this time (exclusive). */
      to?: string | undefined;
    };
    options: CallOptions;
    data: ActivityPage;
    errors: CommonError | MemberError | 'organization_required' | 'second_factor_enrollment_required' | 'scope_missing';
  };
  'assets.bin': {
    query?: {
      /** Page number from 1. Default 1. Not together with `cursor`. */
      page?: number | undefined;
      /** Items per page, 1 to 100. Default 20. */
      limit?: number | undefined;
      /** Opaque `nextCursor` of the previous page. Stable under inserts and faster than `page`. */
      cursor?: string | undefined;
      /** `personal`: the caller's own in the selected organization; `organization`: all of the organization. */
      scope?: 'personal' | 'organization' | undefined;
      collectionId?: Id | undefined;
      /** Text to search for, at most 200 characters. */
      q?: string | undefined;
    };
    options: CallOptions;
    data: BinnedAssetPage;
    errors: CommonError | MemberError | 'organization_required' | 'second_factor_enrollment_required' | 'scope_missing';
  };
  'assets.tags': {
    query?: {
      /** Beginning of the tag, in any case. */
      q?: string | undefined;
    };
    options: CallOptions;
    data: AssetTags;
    errors: CommonError | MemberError | 'organization_required' | 'second_factor_enrollment_required' | 'scope_missing';
  };
  'assets.restore': {
    params: { id: Id };
    options: CallOptions;
    data: Asset;
    errors: CommonError | BodyError | MemberError | 'organization_required' | 'second_factor_enrollment_required' | 'scope_missing' | 'not_found' | 'collection_deleted';
  };
  'assets.purge': {
    params: { id: Id };
    options: CallOptions;
    data: Deleted;
    errors: CommonError | BodyError | MemberError | 'second_factor_enrollment_required' | 'key_refused' | 'confirmation_required' | 'not_found';
  };
  'assets.emptyBin': {
    query?: {
      /** `personal`: the caller's own in the selected organization; `organization`: all of the organization. */
      scope?: 'personal' | 'organization' | undefined;
      /** Only the assets of this collection, and the collection itself if it is in the bin. */
      collectionId?: Id | undefined;
    };
    options: CallOptions;
    data: EmptiedBin;
    errors: CommonError | BodyError | MemberError | 'second_factor_enrollment_required' | 'key_refused' | 'confirmation_required';
  };
  'assets.listInCollection': {
    params: { collectionId: Id };
    query?: {
      /** Page number from 1. Default 1. Not together with `cursor`. */
      page?: number | undefined;
      /** Items per page, 1 to 100. Default 20. */
      limit?: number | undefined;
      /** Opaque `nextCursor` of the previous page. Stable under inserts and faster than `page`. */
      cursor?: string | undefined;
      /** Prefix of the media type, such as `image/`. */
      type?: string | undefined;
      /** Only favorites, or only others. */
      favorite?: boolean | undefined;
      /** Only assets whose current version has this status. */
      reviewStatus?: ReviewStatus | undefined;
      /** Tags, separated by `,`. Only assets with all of them, in any case. */
      tags?: string | undefined;
      /** Text that name, description or a tag has in it, at most 200 characters. */
      q?: string | undefined;
      /** Order; `-` descends, the id breaks ties. Default `-createdAt`. */
      sort?: 
        | '-createdAt'
        | 'createdAt'
        | 'assetName'
        | '-assetName'
        | 'fileSize'
        | '-fileSize'
        | 'updatedAt'
        | '-updatedAt' | undefined;
      /** Whole file names, separated by `/`. Only assets with one of them, in the same case. */
      names?: string | undefined;
    };
    options: CallOptions;
    data: AssetPage;
    errors: CommonError | MemberError | 'organization_required' | 'second_factor_enrollment_required' | 'scope_missing' | 'not_found';
  };
  'assets.get': {
    params: { id: Id };
    options: CallOptions;
    data: Asset;
    errors: CommonError | MemberError | 'organization_required' | 'second_factor_enrollment_required' | 'scope_missing' | 'not_found';
  };
  'assets.update': {
    params: { id: Id };
    body: UpdateAssetBody;
    options: ConditionalOptions;
    data: Asset;
    errors: CommonError | BodyError | MemberError | 'organization_required' | 'second_factor_enrollment_required' | 'scope_missing' | 'not_found' | 'public_links_forbidden' | 'precondition_failed';
  };
  'assets.remove': {
    params: { id: Id };
    options: ConditionalOptions;
    data: Deleted;
    errors: CommonError | BodyError | MemberError | 'organization_required' | 'second_factor_enrollment_required' | 'scope_missing' | 'not_found' | 'precondition_failed';
  };
  'assets.favorite': {
    params: { id: Id };
    body: FavoriteBody;
    options: ConditionalOptions;
    data: Asset;
    errors: CommonError | BodyError | MemberError | 'organization_required' | 'second_factor_enrollment_required' | 'scope_missing' | 'not_found' | 'precondition_failed';
  };
  'assets.review': {
    params: { id: Id };
    body: ReviewBody;
    options: ConditionalOptions;
    data: Asset;
    errors: CommonError | BodyError | MemberError | 'organization_required' | 'second_factor_enrollment_required' | 'scope_missing' | 'not_found' | 'precondition_failed';
  };
  'assets.setCover': {
    params: { id: Id };
    body: CoverBody;
    options: CallOptions;
    data: Asset;
    errors: CommonError | BodyError | MemberError | 'organization_required' | 'second_factor_enrollment_required' | 'scope_missing' | 'not_found' | 'cover_unsupported' | 'cover_invalid' | 'storage_unavailable';
  };
  'assets.download': {
    params: { id: Id };
    query?: {
      /** Default: the current version. */
      version?: number | undefined;
    };
    options: CallOptions;
    data: Download;
    errors: CommonError | MemberError | 'organization_required' | 'second_factor_enrollment_required' | 'scope_missing' | 'not_found' | 'storage_unavailable';
  };
  'assets.publish': {
    params: { id: Id };
    body?: PublishBody;
    options: IdempotentOptions;
    data: Asset;
    errors: CommonError | BodyError | MemberError | IdempotencyError | 'organization_required' | 'second_factor_enrollment_required' | 'scope_missing' | 'not_found' | 'publish_target_required' | 'already_published' | 'plan_limit_reached';
  };
  'assets.logs': {
    params: { id: Id };
    query?: {
      /** Page number from 1. Default 1. Not together with `cursor`. */
      page?: number | undefined;
      /** Items per page, 1 to 100. Default 20. */
      limit?: number | undefined;
      /** Opaque `nextCursor` of the previous page. Stable under inserts and faster than `page`. */
      cursor?: string | undefined;
      action?: ActivityAction | undefined;
      actorId?: Id | undefined;
      resourceType?: ResourceType | undefined;
      resourceId?: Id | undefined;
      /** What was done with this API key. */
      apiKeyId?: Id | undefined;
      /** From this time (inclusive). */
      from?: string | undefined;
      /** Until this time (exclusive). */
      to?: string | undefined;
    };
    options: CallOptions;
    data: ActivityPage;
    errors: CommonError | MemberError | 'organization_required' | 'second_factor_enrollment_required' | 'scope_missing' | 'not_found';
  };
  'assets.versions': {
    params: { id: Id };
    query?: {
      /** Page number from 1. Default 1. Not together with `cursor`. */
      page?: number | undefined;
      /** Items per page, 1 to 100. Default 20. */
      limit?: number | undefined;
      /** Opaque `nextCursor` of the previous page. Stable under inserts and faster than `page`. */
      cursor?: string | undefined;
    };
    options: CallOptions;
    data: AssetVersionPage;
    errors: CommonError | MemberError | 'organization_required' | 'second_factor_enrollment_required' | 'scope_missing' | 'not_found';
  };
  'assets.restoreVersion': {
    params: { id: Id; versionNumber: number };
    options: ConditionalOptions;
    data: Asset;
    errors: CommonError | BodyError | MemberError | 'organization_required' | 'second_factor_enrollment_required' | 'scope_missing' | 'not_found' | 'plan_limit_reached' | 'precondition_failed';
  };
  'assets.followShortLink': {
    params: { code: string };
    options: CallOptions;
    data: undefined;
    errors: CommonError | 'not_found' | 'storage_unavailable';
  };
  'uploads.initiate': {
    body: InitiateUploadBody;
    options: IdempotentOptions;
    data: InitiatedUpload;
    errors: CommonError | BodyError | MemberError | IdempotencyError | 'organization_required' | 'second_factor_enrollment_required' | 'scope_missing' | 'not_found' | 'plan_limit_reached' | 'too_many_open_uploads' | 'storage_unavailable';
  };
  'uploads.parts': {
    params: { uploadId: Id };
    options: CallOptions;
    data: ResumedUpload;
    errors: CommonError | MemberError | 'organization_required' | 'second_factor_enrollment_required' | 'scope_missing' | 'not_found' | 'upload_not_active' | 'upload_already_completed' | 'storage_unavailable';
  };
  'uploads.complete': {
    body: CompleteUploadBody;
    options: IdempotentOptions;
    data: Asset;
    errors: CommonError | BodyError | MemberError | IdempotencyError | 'organization_required' | 'second_factor_enrollment_required' | 'scope_missing' | 'upload_mismatch' | 'upload_not_active' | 'upload_part_invalid' | 'upload_part_too_small' | 'upload_size_mismatch' | 'plan_limit_reached' | 'storage_unavailable';
  };
  'uploads.abort': {
    body: AbortUploadBody;
    options: IdempotentOptions;
    data: AbortedUpload;
    errors: CommonError | BodyError | MemberError | IdempotencyError | 'organization_required' | 'second_factor_enrollment_required' | 'scope_missing' | 'upload_mismatch' | 'upload_already_completed' | 'storage_unavailable';
  };
  'projects.list': {
    query?: {
      /** Page number from 1. Default 1. Not together with `cursor`. */
      page?: number | undefined;
      /** Items per page, 1 to 100. Default 20. */
      limit?: number | undefined;
      status?: ProjectStatus | undefined;
      /** Text to search for, at most 200 characters. */
      q?: string | undefined;
      /** Order; `-` descends, the id breaks ties. Default `position`. */
      sort?: 
        | 'position'
        | '-createdAt'
        | 'createdAt'
        | 'name'
        | '-name'
        | 'updatedAt'
        | '-updatedAt' | undefined;
    };
    options: CallOptions;
    data: ProjectPage;
    errors: CommonError | MemberError | 'organization_required' | 'second_factor_enrollment_required' | 'scope_missing';
  };
  'projects.create': {
    body: CreateProjectBody;
    options: IdempotentOptions;
    data: Project;
    errors: CommonError | BodyError | MemberError | IdempotencyError | 'organization_required' | 'second_factor_enrollment_required' | 'scope_missing' | 'plan_limit_reached';
  };
  'projects.get': {
    params: { id: Id };
    options: CallOptions;
    data: Project;
    errors: CommonError | MemberError | 'organization_required' | 'second_factor_enrollment_required' | 'scope_missing' | 'not_found';
  };
  'projects.remove': {
    params: { id: Id };
    options: ConditionalOptions;
    data: Deleted;
    errors: CommonError | BodyError | MemberError | 'organization_required' | 'second_factor_enrollment_required' | 'scope_missing' | 'not_found' | 'precondition_failed';
  };
  'projects.update': {
    params: { id: Id };
    body: UpdateProjectBody;
    options: ConditionalOptions;
    data: Project;
    errors: CommonError | BodyError | MemberError | 'organization_required' | 'second_factor_enrollment_required' | 'scope_missing' | 'not_found' | 'plan_limit_reached' | 'precondition_failed';
  };
  'projects.move': {
    params: { id: Id };
    body: ProjectPositionBody;
    options: ConditionalOptions;
    data: Project;
    errors: CommonError | BodyError | MemberError | 'organization_required' | 'second_factor_enrollment_required' | 'scope_missing' | 'not_found' | 'precondition_failed';
  };
  'tasks.list': {
    query?: {
      /** Page number from 1. Default 1. Not together with `cursor`. */
      page?: number | undefined;
      /** Items per page, 1 to 100. Default 20. */
      limit?: number | undefined;
      /** Opaque `nextCursor` of the previous page. Stable under inserts and faster than `page`. */
      cursor?: string | undefined;
      status?: TaskStatus | undefined;
      /** Id of a user, or `me`. */
      assigneeId?: 'me' | Id | undefined;
      /** Id of a label that the tasks carry. */
      labelId?: Id | undefined;
      priority?: TaskPriority | undefined;
      /** Id of the task that they are subtasks of. */
      parentId?: Id | undefined;
      /** Due before this time. */
      dueBefore?: string | undefined;
      /** Text to search for, at most 200 characters. */
      q?: string | undefined;
      projectId?: Id | undefined;
      /** Order; `-` descends, the id breaks ties. Default `-createdAt`. */
      sort?: 
        | '-createdAt'
        | 'createdAt'
        | 'updatedAt'
        | '-updatedAt'
        | 'dueDate'
        | '-dueDate'
        | 'priority'
        | '-priority'
        | 'title'
        | '-title'
        | 'position' | undefined;
    };
    options: CallOptions;
    data: TaskPage;
    errors: CommonError | MemberError | 'organization_required' | 'second_factor_enrollment_required' | 'scope_missing';
  };
  'tasks.listInProject': {
    params: { projectId: Id };
    query?: {
      /** Page number from 1. Default 1. Not together with `cursor`. */
      page?: number | undefined;
      /** Items per page, 1 to 100. Default 20. */
      limit?: number | undefined;
      /** Opaque `nextCursor` of the previous page. Stable under inserts and faster than `page`. */
      cursor?: string | undefined;
      status?: TaskStatus | undefined;
      /** Id of a user, or `me`. */
      assigneeId?: 'me' | Id | undefined;
      /** Id of a label that the tasks carry. */
      labelId?: Id | undefined;
      priority?: TaskPriority | undefined;
      /** Id of the task that they are subtasks of. */
      parentId?: Id | undefined;
      /** Due before this time. */
      dueBefore?: string | undefined;
      /** Text to search for, at most 200 characters. */
      q?: string | undefined;
      /** Order; `-` descends, the id breaks ties. Default `position`. */
      sort?: 
        | 'position'
        | '-createdAt'
        | 'createdAt'
        | 'updatedAt'
        | '-updatedAt'
        | 'dueDate'
        | '-dueDate'
        | 'priority'
        | '-priority'
        | 'title'
        | '-title' | undefined;
    };
    options: CallOptions;
    data: TaskPage;
    errors: CommonError | MemberError | 'organization_required' | 'second_factor_enrollment_required' | 'scope_missing' | 'not_found';
  };
  'tasks.create': {
    params: { projectId: Id };
    body: CreateTaskBody;
    options: IdempotentOptions;
    data: Task;
    errors: CommonError | BodyError | MemberError | IdempotencyError | 'organization_required' | 'second_factor_enrollment_required' | 'scope_missing' | 'not_found' | 'assignee_not_member' | 'project_archived' | 'invalid_parent' | 'too_many_subtasks';
  };
  'tasks.get': {
    params: { id: Id };
    options: CallOptions;
    data: Task;
    errors: CommonError | MemberError | 'organization_required' | 'second_factor_enrollment_required' | 'scope_missing' | 'not_found';
  };
  'tasks.remove': {
    params: { id: Id };
    options: ConditionalOptions;
    data: Deleted;
    errors: CommonError | BodyError | MemberError | 'organization_required' | 'second_factor_enrollment_required' | 'scope_missing' | 'not_found' | 'precondition_failed';
  };
  'tasks.update': {
    params: { id: Id };
    body: UpdateTaskBody;
    options: ConditionalOptions;
    data: Task;
    errors: CommonError | BodyError | MemberError | 'organization_required' | 'second_factor_enrollment_required' | 'scope_missing' | 'not_found' | 'invalid_parent' | 'too_many_subtasks' | 'precondition_failed';
  };
  'tasks.move': {
    params: { id: Id };
    body: TaskPositionBody;
    options: ConditionalOptions;
    data: Task;
    errors: CommonError | BodyError | MemberError | 'organization_required' | 'second_factor_enrollment_required' | 'scope_missing' | 'not_found' | 'conflict' | 'precondition_failed';
  };
  'tasks.assign': {
    params: { id: Id };
    body: AssigneesBody;
    options: ConditionalOptions;
    data: Task;
    errors: CommonError | BodyError | MemberError | 'organization_required' | 'second_factor_enrollment_required' | 'scope_missing' | 'not_found' | 'assignee_not_member' | 'precondition_failed';
  };
  'comments.list': {
    params: { taskId: Id };
    query?: {
      /** Page number from 1. Default 1. Not together with `cursor`. */
      page?: number | undefined;
      /** Items per page, 1 to 100. Default 20. */
      limit?: number | undefined;
      /** Opaque `nextCursor` of the previous page. Stable under inserts and faster than `page`. */
      cursor?: string | undefined;
      /** Order; `-` descends, the id breaks ties. Default `createdAt`. */
      sort?: 'createdAt' | '-createdAt' | undefined;
    };
    options: CallOptions;
    data: CommentPage;
    errors: CommonError | MemberError | 'organization_required' | 'second_factor_enrollment_required' | 'scope_missing' | 'not_found';
  };
  'comments.create': {
    params: { taskId: Id };
    body: CommentBody;
    options: IdempotentOptions;
    data: Comment;
    errors: CommonError | BodyError | MemberError | IdempotencyError | 'organization_required' | 'second_factor_enrollment_required' | 'scope_missing' | 'not_found';
  };
  'comments.remove': {
    params: { taskId: Id; commentId: Id };
    options: ConditionalOptions;
    data: Deleted;
    errors: CommonError | BodyError | MemberError | 'organization_required' | 'second_factor_enrollment_required' | 'scope_missing' | 'not_found' | 'precondition_failed';
  };
  'comments.update': {
    params: { taskId: Id; commentId: Id };
    body: CommentBody;
    options: ConditionalOptions;
    data: Comment;
    errors: CommonError | BodyError | MemberError | 'organization_required' | 'second_factor_enrollment_required' | 'scope_missing' | 'not_found' | 'precondition_failed';
  };
  'dashboard.summary': {
    options: CallOptions;
    data: DashboardSummary;
    errors: CommonError | MemberError | 'organization_required' | 'second_factor_enrollment_required' | 'scope_missing';
  };
  'labels.list': {
    query?: {
      /** Page number from 1. Default 1. Not together with `cursor`. */
      page?: number | undefined;
      /** Items per page, 1 to 100. Default 20. */
      limit?: number | undefined;
      /** Text to search for, at most 200 characters. */
      q?: string | undefined;
      /** Order; `-` descends, the id breaks ties. Default `name`. */
      sort?: 'name' | '-name' | 'createdAt' | '-createdAt' | 'taskCount' | '-taskCount' | undefined;
    };
    options: CallOptions;
    data: LabelPage;
    errors: CommonError | MemberError | 'organization_required' | 'second_factor_enrollment_required' | 'scope_missing';
  };
  'labels.create': {
    body: CreateLabelBody;
    options: IdempotentOptions;
    data: Label;
    errors: CommonError | BodyError | MemberError | IdempotencyError | 'organization_required' | 'second_factor_enrollment_required' | 'scope_missing' | 'label_exists' | 'too_many_labels';
  };
  'labels.get': {
    params: { id: Id };
    options: CallOptions;
    data: Label;
    errors: CommonError | MemberError | 'organization_required' | 'second_factor_enrollment_required' | 'scope_missing' | 'not_found';
  };
  'labels.update': {
    params: { id: Id };
    body: UpdateLabelBody;
    options: ConditionalOptions;
    data: Label;
    errors: CommonError | BodyError | MemberError | 'organization_required' | 'second_factor_enrollment_required' | 'scope_missing' | 'not_found' | 'label_exists' | 'precondition_failed';
  };
  'labels.remove': {
    params: { id: Id };
    options: ConditionalOptions;
    data: Deleted;
    errors: CommonError | BodyError | MemberError | 'organization_required' | 'second_factor_enrollment_required' | 'scope_missing' | 'not_found' | 'precondition_failed';
  };
  'labels.set': {
    params: { id: Id };
    body: TaskLabelsBody;
    options: ConditionalOptions;
    data: Task;
    errors: CommonError | BodyError | MemberError | 'organization_required' | 'second_factor_enrollment_required' | 'scope_missing' | 'not_found' | 'precondition_failed';
  };
  'webhooks.list': {
    params: { id: Id };
    query?: {
      /** Page number from 1. Default 1. Not together with `cursor`. */
      page?: number | undefined;
      /** Items per page, 1 to 100. Default 20. */
      limit?: number | undefined;
    };
    options: CallOptions;
    data: WebhookPage;
    errors: CommonError | 'unauthenticated' | 'not_found' | 'second_factor_enrollment_required' | 'permission_denied' | 'scope_missing';
  };
  'webhooks.create': {
    params: { id: Id };
    body: CreateWebhookBody;
    options: IdempotentOptions;
    data: CreatedWebhook;
    errors: CommonError | BodyError | IdempotencyError | 'unauthenticated' | 'not_found' | 'second_factor_enrollment_required' | 'permission_denied' | 'key_refused' | 'webhook_address_refused' | 'too_many_webhooks';
  };
  'webhooks.get': {
    params: { id: Id; webhookId: Id };
    options: CallOptions;
    data: Webhook;
    errors: CommonError | 'unauthenticated' | 'not_found' | 'second_factor_enrollment_required' | 'permission_denied' | 'scope_missing';
  };
  'webhooks.update': {
    params: { id: Id; webhookId: Id };
    body: UpdateWebhookBody;
    options: ConditionalOptions;
    data: Webhook;
    errors: CommonError | BodyError | 'unauthenticated' | 'not_found' | 'second_factor_enrollment_required' | 'permission_denied' | 'scope_missing' | 'webhook_address_refused' | 'precondition_failed';
  };
  'webhooks.remove': {
    params: { id: Id; webhookId: Id };
    options: ConditionalOptions;
    data: Deleted;
    errors: CommonError | BodyError | 'unauthenticated' | 'not_found' | 'second_factor_enrollment_required' | 'permission_denied' | 'scope_missing' | 'precondition_failed';
  };
  'webhooks.rotateSecret': {
    params: { id: Id; webhookId: Id };
    body: RotateWebhookSecretBody;
    options: IdempotentOptions;
    data: RotatedWebhookSecret;
    errors: CommonError | BodyError | IdempotencyError | 'unauthenticated' | 'not_found' | 'second_factor_enrollment_required' | 'permission_denied' | 'key_refused' | 'confirmation_required';
  };
  'webhooks.ping': {
    params: { id: Id; webhookId: Id };
    options: IdempotentOptions;
    data: WebhookDelivery;
    errors: CommonError | BodyError | IdempotencyError | 'unauthenticated' | 'not_found' | 'second_factor_enrollment_required' | 'permission_denied' | 'scope_missing' | 'webhook_disabled';
  };
  'webhooks.listDeliveries': {
    params: { id: Id; webhookId: Id };
    query?: {
      /** Page number from 1. Default 1. Not together with `cursor`. */
      page?: number | undefined;
      /** Items per page, 1 to 100. Default 20. */
      limit?: number | undefined;
      /** Opaque `nextCursor` of the previous page. Stable under inserts and faster than `page`. */
      cursor?: string | undefined;
      status?: WebhookDeliveryStatus | undefined;
      event?: WebhookEventName | undefined;
      /** From this time (inclusive). */
      from?: string | undefined;
      /** Until this time (exclusive). */
      to?: string | undefined;
    };
    options: CallOptions;
    data: WebhookDeliveryPage;
    errors: CommonError | 'unauthenticated' | 'not_found' | 'second_factor_enrollment_required' | 'permission_denied' | 'scope_missing';
  };
  'webhooks.getDelivery': {
    params: { id: Id; webhookId: Id; deliveryId: Id };
    options: CallOptions;
    data: WebhookDeliveryDetails;
    errors: CommonError | 'unauthenticated' | 'not_found' | 'second_factor_enrollment_required' | 'permission_denied' | 'scope_missing';
  };
  'webhooks.resend': {
    params: { id: Id; webhookId: Id; deliveryId: Id };
    options: IdempotentOptions;
    data: WebhookDelivery;
    errors: CommonError | BodyError | IdempotencyError | 'unauthenticated' | 'not_found' | 'second_factor_enrollment_required' | 'permission_denied' | 'scope_missing' | 'webhook_disabled';
  };
  'webhooks.replay': {
    params: { id: Id; webhookId: Id };
    body: ReplayWebhookBody;
    options: IdempotentOptions;
    data: WebhookReplay;
    errors: CommonError | BodyError | IdempotencyError | 'unauthenticated' | 'not_found' | 'second_factor_enrollment_required' | 'permission_denied' | 'scope_missing' | 'webhook_disabled' | 'webhook_replay_too_large';
  };
  'webhooks.listEvents': {
    options: CallOptions;
    data: WebhookEvents;
    errors: CommonError;
  };
  'serviceAccounts.list': {
    params: { id: Id };
    query?: {
      /** Page number from 1. Default 1. Not together with `cursor`. */
      page?: number | undefined;
      /** Items per page, 1 to 100. Default 20. */
      limit?: number | undefined;
    };
    options: CallOptions;
    data: ServiceAccountPage;
    errors: CommonError | 'unauthenticated' | 'not_found' | 'second_factor_enrollment_required' | 'permission_denied' | 'key_refused';
  };
  'serviceAccounts.create': {
    params: { id: Id };
    body: CreateServiceAccountBody;
    options: IdempotentOptions;
    data: ServiceAccount;
    errors: CommonError | BodyError | IdempotencyError | 'unauthenticated' | 'not_found' | 'second_factor_enrollment_required' | 'permission_denied' | 'key_refused' | 'personal_organization' | 'too_many_service_accounts';
  };
  'serviceAccounts.update': {
    params: { id: Id; accountId: Id };
    body: UpdateServiceAccountBody;
    options: ConditionalOptions;
    data: ServiceAccount;
    errors: CommonError | BodyError | 'unauthenticated' | 'not_found' | 'second_factor_enrollment_required' | 'permission_denied' | 'key_refused' | 'precondition_failed';
  };
  'serviceAccounts.remove': {
    params: { id: Id; accountId: Id };
    options: ConditionalOptions;
    data: Deleted;
    errors: CommonError | BodyError | 'unauthenticated' | 'not_found' | 'second_factor_enrollment_required' | 'permission_denied' | 'key_refused' | 'precondition_failed';
  };
  'serviceAccounts.listKeys': {
    params: { id: Id; accountId: Id };
    query?: {
      /** Page number from 1. Default 1. Not together with `cursor`. */
      page?: number | undefined;
      /** Items per page, 1 to 100. Default 20. */
      limit?: number | undefined;
    };
    options: CallOptions;
    data: ApiKeyPage;
    errors: CommonError | 'unauthenticated' | 'not_found' | 'second_factor_enrollment_required' | 'permission_denied' | 'key_refused';
  };
  'serviceAccounts.createKey': {
    params: { id: Id; accountId: Id };
    body: CreateServiceKeyBody;
    options: IdempotentOptions;
    data: NewApiKey;
    errors: CommonError | BodyError | IdempotencyError | 'unauthenticated' | 'not_found' | 'second_factor_enrollment_required' | 'permission_denied' | 'key_refused' | 'confirmation_required' | 'too_many_api_keys';
  };
  'serviceAccounts.rotateKey': {
    params: { id: Id; accountId: Id; keyId: Id };
    body: RotateApiKeyBody;
    options: IdempotentOptions;
    data: NewApiKey;
    errors: CommonError | BodyError | IdempotencyError | 'unauthenticated' | 'not_found' | 'second_factor_enrollment_required' | 'permission_denied' | 'key_refused' | 'confirmation_required' | 'api_key_ended' | 'too_many_api_keys';
  };
  'serviceAccounts.revokeKey': {
    params: { id: Id; accountId: Id; keyId: Id };
    options: ConditionalOptions;
    data: Deleted;
    errors: CommonError | BodyError | 'unauthenticated' | 'not_found' | 'second_factor_enrollment_required' | 'permission_denied' | 'key_refused' | 'precondition_failed';
  };
  'account.requestEmailChange': {
    body: ChangeEmailBody;
    options: CallOptions;
    data: RequestedEmail;
    errors: CommonError | BodyError | 'unauthenticated' | 'key_refused' | 'confirmation_required' | 'email_change_blocked';
  };
  'account.confirmEmailChange': {
    body: TokenBody;
    options: CallOptions;
    data: EmailResponse;
    errors: CommonError | BodyError | 'invalid_or_expired_token';
  };
  'account.undoEmailChange': {
    body: TokenBody;
    options: CallOptions;
    data: EmailResponse;
    errors: CommonError | BodyError | 'invalid_or_expired_token';
  };
  'account.requestExport': {
    options: IdempotentOptions;
    data: Export;
    errors: CommonError | BodyError | IdempotencyError | 'unauthenticated' | 'key_refused' | 'confirmation_required' | 'export_pending';
  };
  'account.latestExport': {
    options: CallOptions;
    data: LatestExport;
    errors: CommonError | 'unauthenticated' | 'key_refused';
  };
  'account.getExport': {
    params: { id: Id };
    options: CallOptions;
    data: Export;
    errors: CommonError | 'unauthenticated' | 'key_refused' | 'not_found';
  };
  'account.requestDeletion': {
    body: RequestDeletionBody;
    options: CallOptions;
    data: AccountDeletion;
    errors: CommonError | BodyError | 'unauthenticated' | 'key_refused' | 'confirmation_required' | 'confirmation_mismatch' | 'last_owner' | 'conflict';
  };
  'account.cancelDeletion': {
    body: TokenBody;
    options: CallOptions;
    data: EmailResponse;
    errors: CommonError | BodyError | 'invalid_or_expired_token';
  };
  'security.overview': {
    options: CallOptions;
    data: AccountSecurity;
    errors: CommonError | 'unauthenticated' | 'key_refused';
  };
  'security.startTotp': {
    options: CallOptions;
    data: TotpSecret;
    errors: CommonError | BodyError | 'unauthenticated' | 'key_refused' | 'confirmation_required';
  };
  'security.enableTotp': {
    body: EnableTotpBody;
    options: CallOptions;
    data: RecoveryCodes;
    errors: CommonError | BodyError | 'unauthenticated' | 'key_refused' | 'confirmation_required' | 'second_factor_invalid' | 'not_found';
  };
  'security.disableTotp': {
    options: CallOptions;
    data: DisabledTotp;
    errors: CommonError | BodyError | 'unauthenticated' | 'key_refused' | 'confirmation_required' | 'not_found';
  };
  'security.renewRecoveryCodes': {
    options: CallOptions;
    data: RecoveryCodes;
    errors: CommonError | BodyError | 'unauthenticated' | 'key_refused' | 'confirmation_required' | 'not_found';
  };
  'security.removeIdentity': {
    params: { provider: 'google' | 'github' };
    options: CallOptions;
    data: RemovedIdentity;
    errors: CommonError | BodyError | 'unauthenticated' | 'key_refused' | 'confirmation_required' | 'not_found' | 'last_sign_in_method';
  };
  'security.changePassword': {
    body: ChangePasswordBody;
    options: CallOptions;
    data: EndedSessions;
    errors: CommonError | BodyError | 'unauthenticated' | 'key_refused' | 'invalid_credentials' | 'second_factor_required' | 'second_factor_invalid';
  };
  'security.passkeyChallenge': {
    options: CallOptions;
    data: PasskeyRequestOptions;
    errors: CommonError | BodyError | 'unauthenticated' | 'key_refused';
  };
  'security.startPasskey': {
    options: CallOptions;
    data: PasskeyCreationOptions;
    errors: CommonError | BodyError | 'unauthenticated' | 'key_refused' | 'confirmation_required' | 'too_many_passkeys';
  };
  'security.addPasskey': {
    body: AddPasskeyBody;
    options: CallOptions;
    data: AddedPasskey;
    errors: CommonError | BodyError | 'unauthenticated' | 'key_refused' | 'confirmation_required' | 'passkey_invalid' | 'too_many_passkeys';
  };
  'security.renamePasskey': {
    params: { id: Id };
    body: RenamePasskeyBody;
    options: CallOptions;
    data: Passkey;
    errors: CommonError | BodyError | 'unauthenticated' | 'key_refused' | 'not_found';
  };
  'security.removePasskey': {
    params: { id: Id };
    options: CallOptions;
    data: RemovedPasskey;
    errors: CommonError | BodyError | 'unauthenticated' | 'key_refused' | 'confirmation_required' | 'not_found' | 'last_sign_in_method';
  };
  'notifications.list': {
    query?: {
      /** Page number from 1. Default 1. Not together with `cursor`. */
      page?: number | undefined;
      /** Items per page, 1 to 100. Default 20. */
      limit?: number | undefined;
      /** Opaque `nextCursor` of the previous page. Stable under inserts and faster than `page`. */
      cursor?: string | undefined;
      organizationId?: Id | undefined;
      reason?: NotificationReason | undefined;
      isRead?: boolean | undefined;
      isArchived?: boolean | undefined;
      isSnoozed?: boolean | undefined;
    };
    options: CallOptions;
    data: NotificationPage;
    errors: CommonError | 'unauthenticated' | 'key_refused';
  };
  'notifications.count': {
    options: CallOptions;
    data: UnreadCount;
    errors: CommonError | 'unauthenticated' | 'key_refused';
  };
  'notifications.update': {
    params: { id: Id };
    body: UpdateNotificationBody;
    options: ConditionalOptions;
    data: Notification;
    errors: CommonError | BodyError | 'unauthenticated' | 'key_refused' | 'not_found' | 'precondition_failed';
  };
  'notifications.read': {
    body: MarkNotificationsBody;
    options: CallOptions;
    data: ChangedNotifications;
    errors: CommonError | BodyError | 'unauthenticated' | 'key_refused';
  };
  'notifications.archive': {
    body: MarkNotificationsBody;
    options: CallOptions;
    data: ChangedNotifications;
    errors: CommonError | BodyError | 'unauthenticated' | 'key_refused';
  };
  'notifications.following': {
    params: { id: Id };
    options: CallOptions;
    data: TaskFollowing;
    errors: CommonError | MemberError | 'organization_required' | 'second_factor_enrollment_required' | 'scope_missing' | 'not_found';
  };
  'notifications.follow': {
    params: { id: Id };
    options: CallOptions;
    data: TaskFollowing;
    errors: CommonError | BodyError | MemberError | 'second_factor_enrollment_required' | 'key_refused' | 'not_found';
  };
  'notifications.unfollow': {
    params: { id: Id };
    options: CallOptions;
    data: TaskFollowing;
    errors: CommonError | BodyError | MemberError | 'second_factor_enrollment_required' | 'key_refused' | 'not_found';
  };
  'notifications.followers': {
    params: { id: Id };
    query?: {
      /** Page number from 1. Default 1. Not together with `cursor`. */
      page?: number | undefined;
      /** Items per page, 1 to 100. Default 20. */
      limit?: number | undefined;
      /** Opaque `nextCursor` of the previous page. Stable under inserts and faster than `page`. */
      cursor?: string | undefined;
    };
    options: CallOptions;
    data: FollowerPage;
    errors: CommonError | MemberError | 'organization_required' | 'second_factor_enrollment_required' | 'scope_missing' | 'not_found';
  };
  'notifications.preferences': {
    options: CallOptions;
    data: NotificationPreferences;
    errors: CommonError | 'unauthenticated' | 'key_refused';
  };
  'notifications.setPreferences': {
    body: NotificationPreferencesBody;
    options: ConditionalOptions;
    data: NotificationPreferences;
    errors: CommonError | BodyError | 'unauthenticated' | 'key_refused' | 'precondition_failed';
  };
  'notifications.unsubscribe': {
    query?: { token?: string | undefined };
    options: CallOptions;
    data: undefined;
    errors: 'internal_error' | 'service_unavailable';
  };
  'search.find': {
    query: {
      /** The query, at most 200 characters. */
      q: string;
      /** Only these, separated by commas: `task`, `comment`, `asset`, `collection`, `project`, `person`. */
      types?: string | undefined;
      /** Only what belongs to this project. */
      projectId?: Id | undefined;
      /** Only what belongs to this collection. */
      collectionId?: Id | undefined;
      /** Only tasks of this assignee: id of a user, or `me`. */
      assigneeId?: 'me' | Id | undefined;
      /** Only what this person made: id of a user, or `me`. */
      createdBy?: 'me' | Id | undefined;
      /** Changed at or after this time. */
      from?: string | undefined;
      /** Changed before this time. */
      to?: string | undefined;
      status?: SearchStatus | undefined;
      /** `everywhere`: all organizations that you are an active member of, and the key reaches. Default `organization`. */
      scope?: 'organization' | 'everywhere' | undefined;
      /** Hits per page, 1 to 50. Default 20. */
      limit?: number | undefined;
      /** Opaque `nextCursor` of the previous page; for the same query only. */
      cursor?: string | undefined;
    };
    options: CallOptions;
    data: SearchPage;
    errors: CommonError | MemberError | 'organization_required' | 'second_factor_enrollment_required' | 'scope_missing' | 'search_query_invalid';
  };
  'search.suggest': {
    query: {
      /** The query, at most 80 characters. */
      q: string;
      /** Only these, separated by commas: `task`, `comment`, `asset`, `collection`, `project`, `person`. */
      types?: string | undefined;
    };
    options: CallOptions;
    data: SuggestionList;
    errors: CommonError | MemberError | 'organization_required' | 'second_factor_enrollment_required' | 'scope_missing' | 'search_query_invalid';
  };
  'search.rebuild': {
    params: { id: Id };
    options: IdempotentOptions;
    data: SearchRebuild;
    errors: CommonError | BodyError | IdempotencyError | 'unauthenticated' | 'not_found' | 'second_factor_enrollment_required' | 'permission_denied' | 'scope_missing';
  };
  'assetComments.list': {
    params: { id: Id };
    query?: {
      /** Page number from 1. Default 1. Not together with `cursor`. */
      page?: number | undefined;
      /** Items per page, 1 to 100. Default 20. */
      limit?: number | undefined;
      /** Opaque `nextCursor` of the previous page. Stable under inserts and faster than `page`. */
      cursor?: string | undefined;
      /** Only of this version. Default: of all. */
      version?: number | undefined;
      /** Only resolved comments and their replies, or only open ones with theirs. */
      isResolved?: boolean | undefined;
    };
    options: CallOptions;
    data: AssetCommentPage;
    errors: CommonError | MemberError | 'organization_required' | 'second_factor_enrollment_required' | 'scope_missing' | 'not_found';
  };
  'assetComments.create': {
    params: { id: Id };
    body: PostAssetCommentBody;
    options: IdempotentOptions;
    data: AssetComment;
    errors: CommonError | BodyError | MemberError | IdempotencyError | 'organization_required' | 'second_factor_enrollment_required' | 'scope_missing' | 'not_found';
  };
  'assetComments.markers': {
    params: { id: Id };
    query?: {
      /** Default: the current version. */
      version?: number | undefined;
      /** Frames per second, 1 to 240, such as 25 or 29.97. */
      frameRate?: number | undefined;
    };
    options: CallOptions;
    data: AssetMarkers;
    errors: CommonError | MemberError | 'organization_required' | 'second_factor_enrollment_required' | 'scope_missing' | 'not_found';
  };
  'assetComments.update': {
    params: { id: Id; commentId: Id };
    body: CommentBody;
    options: ConditionalOptions;
    data: AssetComment;
    errors: CommonError | BodyError | MemberError | 'organization_required' | 'second_factor_enrollment_required' | 'scope_missing' | 'not_found' | 'precondition_failed';
  };
  'assetComments.remove': {
    params: { id: Id; commentId: Id };
    options: ConditionalOptions;
    data: Deleted;
    errors: CommonError | BodyError | MemberError | 'organization_required' | 'second_factor_enrollment_required' | 'scope_missing' | 'not_found' | 'precondition_failed';
  };
  'assetComments.resolve': {
    params: { id: Id; commentId: Id };
    body: ResolveBody;
    options: ConditionalOptions;
    data: AssetComment;
    errors: CommonError | BodyError | MemberError | 'organization_required' | 'second_factor_enrollment_required' | 'scope_missing' | 'not_found' | 'precondition_failed';
  };
  'shares.create': {
    body: CreateShareBody;
    options: IdempotentOptions;
    data: Share;
    errors: CommonError | BodyError | MemberError | IdempotencyError | 'organization_required' | 'second_factor_enrollment_required' | 'scope_missing' | 'not_found' | 'share_policy' | 'too_many_shares' | 'too_many_pinned_assets';
  };
  'shares.list': {
    query?: {
      /** Page number from 1. Default 1. Not together with `cursor`. */
      page?: number | undefined;
      /** Items per page, 1 to 100. Default 20. */
      limit?: number | undefined;
      /** Opaque `nextCursor` of the previous page. Stable under inserts and faster than `page`. */
      cursor?: string | undefined;
      targetType?: ShareTargetType | undefined;
      targetId?: Id | undefined;
      status?: ShareStatus | undefined;
      /** `personal`: only the caller's own. */
      scope?: 'organization' | 'personal' | undefined;
    };
    options: CallOptions;
    data: SharePage;
    errors: CommonError | MemberError | 'organization_required' | 'second_factor_enrollment_required' | 'scope_missing';
  };
  'shares.publicLinks': {
    query?: {
      /** Page number from 1. Default 1. Not together with `cursor`. */
      page?: number | undefined;
      /** Items per page, 1 to 100. Default 20. */
      limit?: number | undefined;
      /** Opaque `nextCursor` of the previous page. Stable under inserts and faster than `page`. */
      cursor?: string | undefined;
    };
    options: CallOptions;
    data: PublicLinkPage;
    errors: CommonError | MemberError | 'organization_required' | 'second_factor_enrollment_required' | 'scope_missing';
  };
  'shares.get': {
    params: { id: Id };
    options: CallOptions;
    data: Share;
    errors: CommonError | MemberError | 'organization_required' | 'second_factor_enrollment_required' | 'scope_missing' | 'not_found';
  };
  'shares.update': {
    params: { id: Id };
    body: UpdateShareBody;
    options: ConditionalOptions;
    data: Share;
    errors: CommonError | BodyError | MemberError | 'organization_required' | 'second_factor_enrollment_required' | 'scope_missing' | 'not_found' | 'share_revoked' | 'share_policy' | 'too_many_shares' | 'too_many_pinned_assets' | 'precondition_failed';
  };
  'shares.remove': {
    params: { id: Id };
    options: ConditionalOptions;
    data: Deleted;
    errors: CommonError | BodyError | MemberError | 'organization_required' | 'second_factor_enrollment_required' | 'scope_missing' | 'not_found' | 'precondition_failed';
  };
  'shares.rotate': {
    params: { id: Id };
    options: IdempotentOptions;
    data: Share;
    errors: CommonError | BodyError | MemberError | IdempotencyError | 'organization_required' | 'second_factor_enrollment_required' | 'scope_missing' | 'not_found' | 'share_revoked';
  };
  'shares.views': {
    params: { id: Id };
    query?: {
      /** Page number from 1. Default 1. Not together with `cursor`. */
      page?: number | undefined;
      /** Items per page, 1 to 100. Default 20. */
      limit?: number | undefined;
      /** Opaque `nextCursor` of the previous page. Stable under inserts and faster than `page`. */
      cursor?: string | undefined;
      action?: ShareViewAction | undefined;
      /** From this time (inclusive). */
      from?: string | undefined;
      /** Until this time (exclusive). */
      to?: string | undefined;
    };
    options: CallOptions;
    data: ShareViewPage;
    errors: CommonError | MemberError | 'organization_required' | 'second_factor_enrollment_required' | 'scope_missing' | 'not_found';
  };
  'shares.open': {
    body: OpenShareBody;
    options: CallOptions;
    data: OpenedShare;
    errors: CommonError | BodyError | 'share_not_found' | 'share_password_required' | 'share_password_wrong';
  };
  'shares.shared': {
    options: CallOptions;
    data: PublicShare;
    errors: CommonError | 'unauthenticated' | 'share_not_found';
  };
  'shares.sharedAssets': {
    query?: {
      /** Page number from 1. Default 1. Not together with `cursor`. */
      page?: number | undefined;
      /** Items per page, 1 to 100. Default 20. */
      limit?: number | undefined;
      /** Opaque `nextCursor` of the previous page. Stable under inserts and faster than `page`. */
      cursor?: string | undefined;
    };
    options: CallOptions;
    data: PublicAssetPage;
    errors: CommonError | 'unauthenticated' | 'share_not_found';
  };
  'shares.sharedAsset': {
    params: { id: Id };
    options: CallOptions;
    data: PublicAsset;
    errors: CommonError | 'unauthenticated' | 'share_not_found';
  };
  'shares.sharedDownload': {
    params: { id: Id };
    options: CallOptions;
    data: Download;
    errors: CommonError | 'unauthenticated' | 'share_not_found' | 'share_download_off';
  };
  'shares.sharedComments': {
    params: { id: Id };
    query?: {
      /** Page number from 1. Default 1. Not together with `cursor`. */
      page?: number | undefined;
      /** Items per page, 1 to 100. Default 20. */
      limit?: number | undefined;
      /** Opaque `nextCursor` of the previous page. Stable under inserts and faster than `page`. */
      cursor?: string | undefined;
    };
    options: CallOptions;
    data: SharedCommentPage;
    errors: CommonError | 'unauthenticated' | 'share_not_found' | 'share_comments_off';
  };
  'shares.createSharedComment': {
    params: { id: Id };
    body: PostSharedCommentBody;
    options: IdempotentOptions;
    data: SharedComment;
    errors: CommonError | BodyError | IdempotencyError | 'unauthenticated' | 'share_not_found' | 'share_comments_off';
  };
  'shares.policy': {
    params: { id: Id };
    options: CallOptions;
    data: SharePolicy;
    errors: CommonError | 'unauthenticated' | 'not_found' | 'second_factor_enrollment_required' | 'permission_denied' | 'scope_missing';
  };
  'shares.updatePolicy': {
    params: { id: Id };
    body: UpdateSharePolicyBody;
    options: ConditionalOptions;
    data: SharePolicy;
    errors: CommonError | BodyError | 'unauthenticated' | 'not_found' | 'second_factor_enrollment_required' | 'permission_denied' | 'scope_missing' | 'precondition_failed';
  };
  'taskAssets.list': {
    params: { id: Id };
    query?: {
      /** Page number from 1. Default 1. Not together with `cursor`. */
      page?: number | undefined;
      /** Items per page, 1 to 100. Default 20. */
      limit?: number | undefined;
      /** Opaque `nextCursor` of the previous page. Stable under inserts and faster than `page`. */
      cursor?: string | undefined;
      /** Order; `-` descends, the id breaks ties. Default `attachedAt`. */
      sort?: 'attachedAt' | '-attachedAt' | undefined;
    };
    options: CallOptions;
    data: TaskAssetPage;
    errors: CommonError | MemberError | 'organization_required' | 'second_factor_enrollment_required' | 'scope_missing' | 'not_found';
  };
  'taskAssets.attach': {
    params: { id: Id; assetId: Id };
    options: CallOptions;
    data: Task;
    errors: CommonError | BodyError | MemberError | 'organization_required' | 'second_factor_enrollment_required' | 'scope_missing' | 'not_found' | 'too_many_task_assets';
  };
  'taskAssets.detach': {
    params: { id: Id; assetId: Id };
    options: CallOptions;
    data: Task;
    errors: CommonError | BodyError | MemberError | 'organization_required' | 'second_factor_enrollment_required' | 'scope_missing' | 'not_found';
  };
  'approvals.list': {
    query?: {
      /** Page number from 1. Default 1. Not together with `cursor`. */
      page?: number | undefined;
      /** Items per page, 1 to 100. Default 20. */
      limit?: number | undefined;
      /** Opaque `nextCursor` of the previous page. Stable under inserts and faster than `page`. */
      cursor?: string | undefined;
    };
    options: CallOptions;
    data: ApprovalPage;
    errors: CommonError | MemberError | 'second_factor_enrollment_required' | 'key_refused';
  };
  'approvals.request': {
    body: RequestApprovalBody;
    options: CallOptions;
    data: Approval;
    errors: CommonError | BodyError | MemberError | 'organization_required' | 'second_factor_enrollment_required' | 'not_found' | 'scope_missing' | 'too_many_approvals';
  };
  'approvals.get': {
    params: { id: Id };
    options: CallOptions;
    data: Approval;
    errors: CommonError | MemberError | 'second_factor_enrollment_required' | 'key_refused' | 'not_found';
  };
  'approvals.approve': {
    params: { id: Id };
    options: CallOptions;
    data: Approval;
    errors: CommonError | BodyError | MemberError | 'second_factor_enrollment_required' | 'key_refused' | 'not_found' | 'approval_ended';
  };
  'approvals.refuse': {
    params: { id: Id };
    options: CallOptions;
    data: Approval;
    errors: CommonError | BodyError | MemberError | 'second_factor_enrollment_required' | 'key_refused' | 'not_found' | 'approval_ended';
  };
}
