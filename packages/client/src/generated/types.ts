// Made from @atelier/contract by scripts/generate.ts; change the contract, not this file.

/** The initiated upload. */
export interface AbortUploadBody {
  uploadId: string;
  key: string;
}

/** What was aborted. */
export interface AbortedUpload {
  uploadId: string;
}

/** One recorded change. Never altered afterwards. */
export interface Activity {
  id: Id;
  action: ActivityAction;
  /** Who did it; null for the service itself. */
  actor: {
    id: Id;
    name: string;
  } | null;
  organizationId: Id | null;
  resourceType: ResourceType;
  resourceId: Id;
  /** Name of the resource when it happened. */
  resourceName: string;
  /** Fields that changed, with both values. */
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
  | 'user.end_sessions'
  | 'user.token_replay'
  | 'user.update_profile'
  | 'user.update_avatar'
  | 'user.link_identity'
  | 'user.suspend'
  | 'user.reinstate'
  | 'user.grant_admin'
  | 'user.revoke_admin'
  | 'organization.create'
  | 'organization.rename'
  | 'organization.update'
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
  | 'asset.publish'
  | 'asset.delete'
  | 'asset.restore'
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
  | 'task.delete'
  | 'comment.create'
  | 'comment.update'
  | 'comment.delete';

/** One page: its items and where it stands in the list. */
export interface ActivityPage {
  items: Activity[];
  pagination: Pagination;
}

/** How often each action happened, and how many on each day (UTC). */
export interface ActivitySummary {
  total: number;
  byAction: Partial<Record<ActivityAction, number>>;
  byDay: {
    day: string;
    count: number;
  }[];
}

/** A file with its versions. */
export interface Asset {
  id: Id;
  /** File name as it was uploaded. */
  assetName: string;
  /** Media type. */
  assetType: string;
  /** Short public address; 404 while the public link is off. Switching that off makes a new address. */
  assetShortUrl: string;
  /** Presigned storage address, valid for 15 minutes. */
  assetLongUrl: string;
  createdAt: Timestamp;
  collectionId: Id;
  organizationId: Id;
  createdBy: Id;
  /** Bytes of the current version. */
  fileSize: number;
  /** SHA-256 of the content in hexadecimal, when known. */
  checksum: string | null;
  /** Media type by the content's own first bytes, when they say one. */
  detectedType: string | null;
  /** Pixels of a picture as it is to be seen. */
  width: number | null;
  /** Pixels of a picture as it is to be seen. */
  height: number | null;
  currentVersion: number;
  /** Whether the caller marked it. */
  isFavorite: boolean;
  /** Presigned address of a small picture: WebP, at most 512 pixels long and wide. */
  thumbnailUrl: string | null;
  publishedFromAssetId: Id | null;
  /** Whether the short address works, unless the organization forbids public links. */
  publicLinkEnabled: boolean;
  updatedAt: Timestamp;
}

/** One page: its items and where it stands in the list. */
export interface AssetPage {
  items: Asset[];
  pagination: Pagination;
}

/** One immutable state of the content of an asset. */
export interface AssetVersion {
  versionNumber: number;
  /** Bytes. */
  fileSize: number;
  contentType: string;
  eTag: string;
  createdBy: Id;
  createdAt: Timestamp;
  /** The version whose content this one repeats. */
  restoredFrom: number | null;
  isCurrent: boolean;
}

/** One page: its items and where it stands in the list. */
export interface AssetVersionPage {
  items: AssetVersion[];
  pagination: Pagination;
}

/** Everybody who is assigned from now on. */
export interface AssigneesBody {
  /** Ids of users who are active members, at most 20; repeated ones count once. */
  assigneeIds: Id[];
}

/** A presigned address to PUT the picture to. */
export interface AvatarUpload {
  uploadUrl: string;
  method: 'PUT';
  /** Headers to send with the PUT. */
  headers: Record<string, string>;
  key: string;
  /** Seconds for which the address works. */
  expiresIn: number;
}

/** The picture that is going to be uploaded. */
export interface AvatarUploadBody {
  contentType: 'image/png' | 'image/jpeg' | 'image/webp';
  /** Bytes. */
  fileSize: number;
}

/** A deleted asset that can still be restored; its links are dead. */
export interface BinnedAsset {
  id: Id;
  /** File name as it was uploaded. */
  assetName: string;
  /** Media type. */
  assetType: string;
  /** Short public address; 404 while the public link is off. Switching that off makes a new address. */
  assetShortUrl: string;
  /** Presigned storage address, valid for 15 minutes. */
  assetLongUrl: string;
  createdAt: Timestamp;
  collectionId: Id;
  organizationId: Id;
  createdBy: Id;
  /** Bytes of the current version. */
  fileSize: number;
  /** SHA-256 of the content in hexadecimal, when known. */
  checksum: string | null;
  /** Media type by the content's own first bytes, when they say one. */
  detectedType: string | null;
  /** Pixels of a picture as it is to be seen. */
  width: number | null;
  /** Pixels of a picture as it is to be seen. */
  height: number | null;
  currentVersion: number;
  /** Whether the caller marked it. */
  isFavorite: boolean;
  /** Presigned address of a small picture: WebP, at most 512 pixels long and wide. */
  thumbnailUrl: string | null;
  publishedFromAssetId: Id | null;
  /** Whether the short address works, unless the organization forbids public links. */
  publicLinkEnabled: boolean;
  updatedAt: Timestamp;
  deletedAt: Timestamp;
  /** When it will be gone for good. */
  purgeAt: Timestamp;
}

/** One page: its items and where it stands in the list. */
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
  /** Assets that were deleted along with it. */
  assetCount: number;
  /** Whether the caller marked it. */
  isFavorite: boolean;
  createdAt: Timestamp;
  updatedAt: Timestamp;
  deletedAt: Timestamp;
  /** When it will be gone for good. */
  purgeAt: Timestamp;
}

/** One page: its items and where it stands in the list. */
export interface BinnedCollectionPage {
  items: BinnedCollection[];
  pagination: Pagination;
}

/** A named set of assets of one organization. */
export interface Collection {
  id: Id;
  title: string;
  organizationId: Id;
  createdBy: Id;
  assetCount: number;
  /** Whether the caller marked it. */
  isFavorite: boolean;
  createdAt: Timestamp;
  updatedAt: Timestamp;
}

/** One page: its items and where it stands in the list. */
export interface CollectionPage {
  items: Collection[];
  pagination: Pagination;
}

/** The title of a collection, 1 to 120 characters. */
export interface CollectionTitleBody {
  title: string;
}

/** What somebody wrote about a task. */
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

/** One page: its items and where it stands in the list. */
export interface CommentPage {
  items: Comment[];
  pagination: Pagination;
}

/** The key that the upload was given. */
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

/** Media type without parameters. */
export type ContentType = string;

/** A new project. */
export interface CreateProjectBody {
  name: string;
  description?: string | null | undefined;
}

/** A new task. */
export interface CreateTaskBody {
  title: string;
  description?: string | null | undefined;
  status?: TaskStatus | undefined;
  priority?: TaskPriority | undefined;
  /** ISO 8601 time, or a date, which means its beginning in UTC. */
  dueDate?: string | null | undefined;
  /** Ids of users who are active members, at most 20; repeated ones count once. */
  assigneeIds?: Id[] | undefined;
}

/** Where an organization stands. */
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
    /** Bytes of every stored version, the bin included. */
    storageBytes: number;
    /** What the plan allows; null is no limit. */
    storageLimitBytes: number | null;
  };
  collections: number;
  /** The latest ten, newest first. */
  recentActivity: Activity[];
  generatedAt: Timestamp;
}

/** What was deleted. */
export interface Deleted {
  id: Id;
}

/** Where to get the content for the next five minutes. */
export interface Download {
  /** Presigned address that answers with an attachment. */
  url: string;
  expiresAt: Timestamp;
  fileName: string;
}

/** Email address; compared in lower case. */
export type Email = string;

/** The email address that was meant. */
export interface EmailAnswer {
  email: Email;
}

/** An email address. */
export interface EmailBody {
  email: Email;
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

/** The single-use code of the redirect, and what proves who began the sign-in. */
export interface ExchangeBody {
  code: string;
  /** The secret that `challenge` was made of, where the sign-in began with one. */
  verifier?: string | undefined;
}

/** Sets the mark of the caller; it does not toggle. */
export interface FavoriteBody {
  isFavorite: boolean;
}

/** The process is alive. Says nothing of its backing services. */
export interface Health {
  status: 'ok';
  version: string;
  uptimeSeconds: number;
}

/** Identifier: a UUID, version 7, lower case. */
export type Id = string;

/** The file that is going to be uploaded. */
export interface InitiateUploadBody {
  fileName: string;
  contentType: ContentType;
  /** Bytes. */
  fileSize: number;
  collectionId: Id;
  /** Adds a version to this asset of the collection. */
  assetId?: Id | undefined;
}

/** Where to PUT each part, straight to the storage. */
export interface InitiatedUpload {
  uploadId: string;
  /** `collection/<collection_id>/<unique_segment>/<file_name>` */
  key: string;
  /** Bytes of each part but the last. */
  partSize: number;
  /** Each address takes exactly the bytes of its part. */
  parts: {
    partNumber: number;
    url: string;
  }[];
  /** Until when the addresses work. */
  expiresAt: Timestamp;
}

/** An offer of a membership, mailed to one address, good for seven days. */
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

/** One page: its items and where it stands in the list. */
export interface InvitationPage {
  items: Invitation[];
  pagination: Pagination;
}

/** An invitation as anybody with its link sees it. */
export interface InvitationPreview {
  id: Id;
  /** Masked: whoever holds the link need not be its addressee. */
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

/** Whom to invite, and as what. */
export interface InviteBody {
  email: Email;
  /** At most your own role. Default MEMBER. */
  role?: Role | undefined;
}

/** A change that just happened: enough to know what to read again. */
export interface LiveEvent {
  id: Id;
  action: ActivityAction;
  /** Who did it; null for the service itself. */
  actor: {
    id: Id;
    name: string;
  } | null;
  resourceType: ResourceType;
  resourceId: Id;
  /** Name of the resource when it happened. */
  resourceName: string;
  createdAt: Timestamp;
  organizationId: Id;
}

/** One message of the stream. `ready`: whatever happens from here on will arrive. `reset`: changes are missing, read everything again. `closed`: the stream ends. */
export type LiveMessage = {
  event: 'ready';
  data: {
    organizationId: Id;
  };
} | {
  event: 'activity';
  data: LiveEvent;
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
}

/** `{ refreshToken }`. Anything else is answered the same. */
export type LogoutBody = unknown;

/** A membership: who belongs to the organization, and as what. */
export interface Member {
  /** Id of the membership. */
  id: Id;
  userId: Id;
  user: Person;
  role: Role;
  status: MemberStatus;
  joinedAt: Timestamp;
}

/** One page: its items and where it stands in the list. */
export interface MemberPage {
  items: Member[];
  pagination: Pagination;
}

/** A suspended member has no access until reinstated. */
export type MemberStatus = 'ACTIVE' | 'SUSPENDED';

/** Who owns collections, assets and projects together. */
export interface Organization {
  id: Id;
  name: string;
  /** The name for addresses; unique. */
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
  createdAt: Timestamp;
  updatedAt: Timestamp;
}

/** The name of an organization, 1 to 80 characters. */
export interface OrganizationNameBody {
  name: string;
}

/** One page: its items and where it stands in the list. */
export interface OrganizationPage {
  items: Organization[];
  pagination: Pagination;
}

/** PERSONAL belongs to one account for ever; TEAM takes members. */
export type OrganizationType = 'PERSONAL' | 'TEAM';

/** Where a page stands in its list. `nextCursor` is there when a cursor can go on. */
export interface Pagination {
  page: number;
  limit: number;
  total: number;
  /** There when counting stopped at 10,000: the list is longer than `total`. */
  isTotalLowerBound?: true | undefined;
  totalPages: number;
  hasNext: boolean;
  nextCursor?: string | undefined;
}

/** A stored part. */
export interface PartDto {
  partNumber: number;
  /** As the storage answered, with or without quotes. */
  eTag: string;
}

/** An account as the other members see it. */
export interface Person {
  /** Id of the user. */
  id: Id;
  displayName: string;
  email: Email;
  /** Presigned address of the picture; valid for an hour. */
  avatarUrl: string | null;
}

/** What can be booked, at what price, within what limits. */
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

/** What an organization has booked. */
export type PlanCode = 'FREE' | 'PRO' | 'BUSINESS';

/** The most an organization may have of each, and one account of organizations; null is without limit. */
export interface PlanLimits {
  members: number | null;
  storageBytes: number | null;
  maxFileBytes: number | null;
  projects: number | null;
  versionsPerAsset: number | null;
  /** TEAM organizations on this plan that one account created. */
  teamsPerAccount: number | null;
}

/** One page: its items and where it stands in the list. */
export interface PlanPage {
  items: Plan[];
  pagination: Pagination;
}

/** A board of tasks of one organization. */
export interface Project {
  id: Id;
  name: string;
  description: string | null;
  /** Short mark for task numbers, made from the name. */
  key: string;
  status: ProjectStatus;
  /** Place among the projects of the organization, from 0. */
  position: number;
  taskCounts: TaskCounts;
  createdBy: Id;
  createdAt: Timestamp;
  updatedAt: Timestamp;
}

/** One page: its items and where it stands in the list. */
export interface ProjectPage {
  items: Project[];
  pagination: Pagination;
}

/** Where the project goes: a place from 0, or a project to stand before or after. */
export type ProjectPositionBody = {
  /** Place from 0; beyond the end is the end. */
  position: number;
  beforeId?: undefined;
  afterId?: undefined;
} | {
  position?: undefined;
  /** The neighbour that comes right after. */
  beforeId: Id;
  afterId?: undefined;
} | {
  position?: undefined;
  beforeId?: undefined;
  /** The neighbour that comes right before. */
  afterId: Id;
};

/** An archived project takes no new tasks. */
export type ProjectStatus = 'ACTIVE' | 'ARCHIVED';

/** Whether new assets start with a public link. FORBIDDEN: none does, none can be switched on, and those there are answer 404. */
export type PublicLinks = 'OFF_FOR_NEW' | 'ON_FOR_NEW' | 'FORBIDDEN';

/** Where to publish to; may be left out. */
export interface PublishBody {
  /** Collection of the organization to publish into. Default: your collection `Published` there, made when it is missing. An asset that was published before stays where it is. */
  collectionId?: Id | undefined;
}

/** Every backing service answers. */
export interface Readiness {
  status: 'ready';
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

/** The token of a mailed link and the new password. */
export interface ResetPasswordBody {
  token: string;
  /** 8 to 128 characters; not a common password, not the email. */
  password: string;
}

/** What an activity is about. */
export type ResourceType =
  | 'user'
  | 'organization'
  | 'member'
  | 'invitation'
  | 'collection'
  | 'asset'
  | 'upload'
  | 'project'
  | 'task'
  | 'comment';

/** What of an upload is stored, and where to PUT the rest. */
export interface ResumedUpload {
  uploadId: string;
  /** `collection/<collection_id>/<unique_segment>/<file_name>` */
  key: string;
  /** Bytes of each part but the last. */
  partSize: number;
  /** Each address takes exactly the bytes of its part. */
  parts: {
    partNumber: number;
    url: string;
  }[];
  /** Until when the addresses work. */
  expiresAt: Timestamp;
  /** Bytes of the whole file. */
  fileSize: number;
  /** Parts that are stored; `size` in bytes. */
  uploadedParts: {
    partNumber: number;
    eTag: string;
    size: number;
  }[];
}

/** What a member may do, from the strongest role to the weakest. */
export type Role = 'OWNER' | 'ADMIN' | 'MEMBER' | 'VIEWER';

/** The new access token and the refresh token that replaces the presented one. */
export interface RotatedTokens {
  token: string;
  refreshToken: string;
}

/** One login on one device that has not ended. */
export interface Session {
  id: Id;
  /** What signed in, for people: browser and system, or the name of the program. */
  device: string;
  /** Address that signed in. */
  ipAddress: string | null;
  createdAt: Timestamp;
  /** Last login or token refresh, so up to 15 minutes behind. */
  lastUsedAt: Timestamp;
  /** Whether this very call belongs to it. */
  isCurrent: boolean;
}

/** One page: its items and where it stands in the list. */
export interface SessionPage {
  items: Session[];
  pagination: Pagination;
}

/** Who signed in, and the tokens of the new session. */
export interface SignedIn {
  user: {
    id: Id;
    email: Email;
  };
  token: TokenPair;
}

/** A piece of work in a project. */
export interface Task {
  id: Id;
  /** Counts the tasks of the project; never used twice. */
  number: number;
  projectId: Id;
  organizationId: Id;
  title: string;
  description: string | null;
  status: TaskStatus;
  priority: TaskPriority;
  dueDate: Timestamp | null;
  assignees: Person[];
  /** Place within the column, from 0. */
  position: number;
  commentCount: number;
  /** When it came to DONE. */
  completedAt: Timestamp | null;
  createdBy: Id;
  createdAt: Timestamp;
  updatedAt: Timestamp;
}

/** How many tasks there are, in all and in each column. */
export interface TaskCounts {
  total: number;
  byStatus: Record<TaskStatus, number>;
}

/** One page: its items and where it stands in the list. */
export interface TaskPage {
  items: Task[];
  pagination: Pagination;
}

/** Where the task goes: a place from 0, or a task to stand before or after. */
export type TaskPositionBody = {
  /** Column; default: the one it is in. */
  status?: TaskStatus | undefined;
  /** Place from 0; beyond the end is the end. */
  position: number;
  beforeId?: undefined;
  afterId?: undefined;
} | {
  /** Column; default: the one it is in. */
  status?: TaskStatus | undefined;
  position?: undefined;
  /** The neighbour that comes right after. */
  beforeId: Id;
  afterId?: undefined;
} | {
  /** Column; default: the one it is in. */
  status?: TaskStatus | undefined;
  position?: undefined;
  beforeId?: undefined;
  /** The neighbour that comes right before. */
  afterId: Id;
};

/** How pressing a task is, from the least to the most. */
export type TaskPriority = 'NONE' | 'LOW' | 'MEDIUM' | 'HIGH' | 'URGENT';

/** The column a task stands in. */
export type TaskStatus = 'BACKLOG' | 'TODO' | 'IN_PROGRESS' | 'IN_REVIEW' | 'DONE' | 'CANCELLED';

/** ISO 8601 in UTC with milliseconds. */
export type Timestamp = string;

/** The token of a mailed link. */
export interface TokenBody {
  token: string;
}

/** The token can still be used. */
export interface TokenCheck {
  valid: true;
  expiresAt: Timestamp;
}

/** Opaque tokens: access for 15 minutes, refresh for 12 hours and one use. */
export interface TokenPair {
  accessToken: string;
  refreshToken: string;
}

/** What to change; an absent field stays as it is. Makes no version. */
export interface UpdateAssetBody {
  assetName?: string | undefined;
  /** Moves the asset within its organization. */
  collectionId?: Id | undefined;
  publicLinkEnabled?: boolean | undefined;
}

/** What to change; an absent field stays as it is. */
export interface UpdateMemberBody {
  role?: Role | undefined;
  status?: MemberStatus | undefined;
}

/** What to change, at least one field; an absent one stays as it is. */
export interface UpdateOrganizationBody {
  name?: string | undefined;
  publicLinks?: PublicLinks | undefined;
}

/** What to change; an absent field stays as it is, null clears it. */
export interface UpdateProfileBody {
  firstName?: string | null | undefined;
  lastName?: string | null | undefined;
  /** Whether assignments and mentions are mailed. */
  mailNotices?: boolean | undefined;
}

/** What to change; an absent field stays as it is, null clears it. */
export interface UpdateProjectBody {
  name?: string | undefined;
  description?: string | null | undefined;
  status?: ProjectStatus | undefined;
}

/** What to change; an absent field stays as it is, null clears it. */
export interface UpdateTaskBody {
  title?: string | undefined;
  description?: string | null | undefined;
  /** Another column: the task goes to its end. */
  status?: TaskStatus | undefined;
  priority?: TaskPriority | undefined;
  /** ISO 8601 time, or a date, which means its beginning in UTC. */
  dueDate?: string | null | undefined;
}

/** An account as its owner sees it. */
export interface User {
  id: Id;
  email: Email;
  firstName: string | null;
  lastName: string | null;
  /** First and last name, or the part of the email before the @. */
  displayName: string;
  /** Presigned address of the picture, valid for at least an hour; the same for a while, so that it can be cached. */
  avatarUrl: string | null;
  accountStatus: 'PENDING' | 'VERIFIED' | 'SUSPENDED';
  platformRole: 'USER' | 'ADMIN';
  /** Whether assignments and mentions are mailed. */
  mailNotices: boolean;
  personalOrganizationId: Id;
  createdAt: Timestamp;
  updatedAt: Timestamp;
}

/** One value that breaks the contract: where it is, what is wrong, what is wanted. */
export interface ValidationIssue {
  in: 'body' | 'query' | 'path' | 'headers';
  path: (string | number)[];
  code: string;
  message: string;
}

/** The email address that is verified, and whether a password is to be chosen. */
export interface VerifiedEmail {
  email: Email;
  /** Null as a rule: the password of the registration is good. Otherwise the address was registered with several passwords, which are gone, and `reset-password` takes this token, within 30 minutes, for a new one. */
  resetToken: string | null;
}

/** The status of every error code, and when it is returned. */
export interface ErrorStatuses {
  /** A path, query, header or body value breaks the contract; `errors` names each one. */
  validation_failed: 400;
  /** The body cannot be parsed, is not UTF-8, or is nested more than 64 levels deep. */
  malformed_json: 400;
  /** The URL, its percent-encoding, or the HTTP message itself is malformed. */
  malformed_request: 400;
  /** Login with an unknown email or a wrong password; the two are indistinguishable. */
  invalid_credentials: 400;
  /** Login with the right password of an account whose email is not verified yet. */
  account_pending: 400;
  /** Login with the right password of a suspended account. */
  account_suspended: 400;
  /** A mailed token is unknown, used, superseded, expired, or meant for something else. */
  invalid_or_expired_token: 400;
  /** Publishing without naming a TEAM organization. */
  publish_target_required: 400;
  /** uploadId, key, collectionId or contentType differ from the initiated upload, or it is not yours. */
  upload_mismatch: 400;
  /** Completing or resuming an upload that was aborted or whose time ran out. */
  upload_not_active: 400;
  /** A listed part was never stored or has another ETag. The upload can still be completed. */
  upload_part_invalid: 400;
  /** A part other than the last is too small. The upload can still be completed. */
  upload_part_too_small: 400;
  /** The listed parts hold more or fewer bytes than `fileSize`. The upload can still be completed. */
  upload_size_mismatch: 400;
  /** The uploaded object is missing, too large, or not the picture it claims to be. */
  avatar_invalid: 400;
  /** Deleting an organization without typing its exact name. */
  confirmation_mismatch: 400;
  /** An assignee is unknown, suspended, or not a member of the organization of the task. */
  assignee_not_member: 400;
  /** The bearer token is missing, malformed, expired, of another type, or its session has ended. */
  unauthenticated: 401;
  /** Refreshing with a token that is expired, unknown or revoked; the three are indistinguishable. */
  access_denied: 401;
  /** Exchanging a sign-in code that is expired, used or tampered with. */
  invalid_or_expired_code: 401;
  /** x-organization-id names an organization that is unknown or where you are no active member. */
  organization_access_denied: 403;
  /** You are a member, but your role lacks the right. */
  permission_denied: 403;
  /** The operation needs a platform administrator, or an owner or admin of the selected team. */
  not_admin: 403;
  /** Accepting an invitation with an account of another email. */
  invitation_email_mismatch: 403;
  /** The resource does not exist, was deleted, or belongs to another organization. */
  not_found: 404;
  /** No operation of the contract has this path. */
  route_not_found: 404;
  /** The service runs without credentials of this provider. */
  provider_not_configured: 404;
  /** The path exists with other methods; `Allow` lists them. */
  method_not_allowed: 405;
  /** Headers or body were not received in time. */
  request_timeout: 408;
  /** Two changes met; nothing of yours was stored. */
  conflict: 409;
  /** The first call with the key has not been answered yet. */
  idempotency_in_flight: 409;
  /** The change would exceed a limit of the plan; the message names the limit. */
  plan_limit_reached: 409;
  /** Initiating an upload while as many as allowed are neither completed nor aborted. */
  too_many_open_uploads: 409;
  /** Switching the public link of an asset on where `publicLinks` is FORBIDDEN. */
  public_links_forbidden: 409;
  /** Deleting or restoring a collection with assets that the caller may not delete or restore; the message says how many. */
  collection_has_others_assets: 409;
  /** Removing, demoting or suspending the last active owner. */
  last_owner: 409;
  /** Inviting into, leaving or deleting a PERSONAL organization, or changing its `publicLinks`. */
  personal_organization: 409;
  /** Inviting or accepting for somebody who is a member. */
  already_member: 409;
  /** Publishing an asset again without a change. */
  already_published: 409;
  /** Aborting or resuming an upload that has become an asset. */
  upload_already_completed: 409;
  /** Restoring an asset whose collection was deleted. */
  collection_deleted: 409;
  /** Adding tasks to an archived project. */
  project_archived: 409;
  /** The invitation was accepted, revoked or has expired, a newer mail replaced its link, or its organization was deleted. */
  invitation_gone: 410;
  /** If-Match names another state than the current one. */
  precondition_failed: 412;
  /** The body exceeds the limit of the operation. */
  body_too_large: 413;
  /** A body of another media type. */
  unsupported_media_type: 415;
  /** The key is known with another payload. */
  idempotency_key_reused: 422;
  /** A limit is exhausted; `Retry-After` says for how long, in seconds. */
  rate_limited: 429;
  /** Request line and headers exceed 16 KiB. */
  headers_too_large: 431;
  /** A defect. `requestId` finds it in the logs. */
  internal_error: 500;
  /** The database is away, or the process is shutting down or overloaded. */
  service_unavailable: 503;
  /** The object storage is away. Nothing was half-saved. */
  storage_unavailable: 503;
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

/** Arguments, data and errors of each operation. */
export interface Operations {
  'health.live': {
    data: Health;
    errors: 'validation_failed' | 'malformed_request' | 'internal_error' | 'service_unavailable';
  };
  'health.ready': {
    data: Readiness;
    errors: 'validation_failed' | 'malformed_request' | 'internal_error' | 'service_unavailable' | 'storage_unavailable';
  };
  'auth.register': {
    body: RegisterBody;
    data: EmailAnswer;
    errors: CommonError | BodyError | IdempotencyError;
  };
  'auth.verifyEmail': {
    body: TokenBody;
    data: VerifiedEmail;
    errors: CommonError | BodyError | 'invalid_or_expired_token';
  };
  'auth.requestPasswordReset': {
    body: EmailBody;
    data: EmailAnswer;
    errors: CommonError | BodyError;
  };
  'auth.resetPassword': {
    body: ResetPasswordBody;
    data: EmailAnswer;
    errors: CommonError | BodyError | 'invalid_or_expired_token';
  };
  'auth.verifyToken': {
    query: { token: string };
    data: TokenCheck;
    errors: CommonError | 'invalid_or_expired_token';
  };
  'auth.login': {
    body: LoginBody;
    data: SignedIn;
    errors: CommonError | BodyError | 'invalid_credentials' | 'account_pending' | 'account_suspended';
  };
  'auth.startGoogle': {
    query?: {
      /** Email to suggest to the provider. */
      login_hint?: string | undefined;
      /** SHA-256, in base64url, of a secret of the app that begins the sign-in (PKCE, S256). Only that secret, as `verifier`, exchanges the code. */
      challenge?: string | undefined;
    };
    data: undefined;
    errors: CommonError | 'provider_not_configured';
  };
  'auth.googleCallback': {
    query?: {
      code?: string | undefined;
      state?: string | undefined;
      /** Why the provider refused. */
      error?: string | undefined;
      /** Issuer of the answer, where the provider names it (RFC 9207). */
      iss?: string | undefined;
    };
    data: undefined;
    errors: CommonError | 'provider_not_configured';
  };
  'auth.startGithub': {
    query?: {
      /** Email to suggest to the provider. */
      login_hint?: string | undefined;
      /** SHA-256, in base64url, of a secret of the app that begins the sign-in (PKCE, S256). Only that secret, as `verifier`, exchanges the code. */
      challenge?: string | undefined;
    };
    data: undefined;
    errors: CommonError | 'provider_not_configured';
  };
  'auth.githubCallback': {
    query?: {
      code?: string | undefined;
      state?: string | undefined;
      /** Why the provider refused. */
      error?: string | undefined;
      /** Issuer of the answer, where the provider names it (RFC 9207). */
      iss?: string | undefined;
    };
    data: undefined;
    errors: CommonError | 'provider_not_configured';
  };
  'auth.exchange': {
    body: ExchangeBody;
    data: SignedIn;
    errors: CommonError | BodyError | 'invalid_or_expired_code';
  };
  'auth.user': {
    data: User;
    errors: CommonError | 'unauthenticated';
  };
  'auth.refresh': {
    body: RefreshTokenBody;
    data: RotatedTokens;
    errors: CommonError | BodyError | 'access_denied';
  };
  'auth.logout': {
    body?: LogoutBody;
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
    data: SessionPage;
    errors: CommonError | 'unauthenticated';
  };
  'sessions.end': {
    params: { id: Id };
    data: EndedSession;
    errors: CommonError | BodyError | 'unauthenticated' | 'not_found';
  };
  'sessions.endOthers': {
    data: EndedSessions;
    errors: CommonError | BodyError | 'unauthenticated';
  };
  'profile.update': {
    body: UpdateProfileBody;
    data: User;
    errors: CommonError | BodyError | 'unauthenticated' | 'precondition_failed';
  };
  'profile.startAvatarUpload': {
    body: AvatarUploadBody;
    data: AvatarUpload;
    errors: CommonError | BodyError | IdempotencyError | 'unauthenticated';
  };
  'profile.completeAvatarUpload': {
    body: CompleteAvatarBody;
    data: User;
    errors: CommonError | BodyError | IdempotencyError | 'unauthenticated' | 'avatar_invalid' | 'storage_unavailable';
  };
  'plans.list': {
    query?: {
      /** Page number from 1. Default 1. Not together with `cursor`. */
      page?: number | undefined;
      /** Items per page, 1 to 100. Default 20. */
      limit?: number | undefined;
    };
    data: PlanPage;
    errors: CommonError;
  };
  'timeline.mine': {
    query?: {
      /** Page number from 1. Default 1. Not together with `cursor`. */
      page?: number | undefined;
      /** Items per page, 1 to 100. Default 20. */
      limit?: number | undefined;
      /** Opaque `nextCursor` of the page before. Steady under inserts, and faster than `page`. */
      cursor?: string | undefined;
      action?: ActivityAction | undefined;
      actorId?: Id | undefined;
      resourceType?: ResourceType | undefined;
      resourceId?: Id | undefined;
      /** Not before this moment. */
      from?: string | undefined;
      /** Before this moment. */
      to?: string | undefined;
    };
    data: ActivityPage;
    errors: CommonError | 'unauthenticated';
  };
  'timeline.list': {
    query?: {
      /** Page number from 1. Default 1. Not together with `cursor`. */
      page?: number | undefined;
      /** Items per page, 1 to 100. Default 20. */
      limit?: number | undefined;
      /** Opaque `nextCursor` of the page before. Steady under inserts, and faster than `page`. */
      cursor?: string | undefined;
      action?: ActivityAction | undefined;
      actorId?: Id | undefined;
      resourceType?: ResourceType | undefined;
      resourceId?: Id | undefined;
      /** Not before this moment. */
      from?: string | undefined;
      /** Before this moment. */
      to?: string | undefined;
    };
    data: ActivityPage;
    errors: CommonError | 'unauthenticated' | 'organization_access_denied' | 'not_admin';
  };
  'timeline.resource': {
    params: { type: ResourceType; id: Id };
    query?: {
      /** Page number from 1. Default 1. Not together with `cursor`. */
      page?: number | undefined;
      /** Items per page, 1 to 100. Default 20. */
      limit?: number | undefined;
      /** Opaque `nextCursor` of the page before. Steady under inserts, and faster than `page`. */
      cursor?: string | undefined;
      action?: ActivityAction | undefined;
      actorId?: Id | undefined;
      resourceType?: ResourceType | undefined;
      resourceId?: Id | undefined;
      /** Not before this moment. */
      from?: string | undefined;
      /** Before this moment. */
      to?: string | undefined;
    };
    data: ActivityPage;
    errors: CommonError | 'unauthenticated' | 'organization_access_denied' | 'not_admin';
  };
  'timeline.summary': {
    query?: {
      /** Not before this moment. */
      from?: string | undefined;
      /** Before this moment. */
      to?: string | undefined;
      actorId?: Id | undefined;
      resourceType?: ResourceType | undefined;
    };
    data: ActivitySummary;
    errors: CommonError | 'unauthenticated' | 'organization_access_denied' | 'not_admin';
  };
  'events.subscribe': {
    data: LiveMessage;
    errors: CommonError | MemberError;
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
    data: OrganizationPage;
    errors: CommonError | 'unauthenticated';
  };
  'organizations.create': {
    body: OrganizationNameBody;
    data: Organization;
    errors: CommonError | BodyError | IdempotencyError | 'unauthenticated' | 'plan_limit_reached';
  };
  'organizations.get': {
    params: { id: Id };
    data: Organization;
    errors: CommonError | 'unauthenticated' | 'not_found' | 'permission_denied';
  };
  'organizations.rename': {
    params: { id: Id };
    body: UpdateOrganizationBody;
    data: Organization;
    errors: CommonError | BodyError | 'unauthenticated' | 'not_found' | 'permission_denied' | 'personal_organization' | 'precondition_failed';
  };
  'organizations.remove': {
    params: { id: Id };
    query: {
      /** The name of the organization, typed again. */
      confirmName: string;
    };
    data: Deleted;
    errors: CommonError | BodyError | 'unauthenticated' | 'not_found' | 'permission_denied' | 'confirmation_mismatch' | 'personal_organization' | 'precondition_failed';
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
    data: MemberPage;
    errors: CommonError | 'unauthenticated' | 'not_found' | 'permission_denied';
  };
  'organizations.removeMember': {
    params: { id: Id; memberId: Id };
    data: Deleted;
    errors: CommonError | BodyError | 'unauthenticated' | 'not_found' | 'permission_denied' | 'last_owner' | 'personal_organization' | 'precondition_failed';
  };
  'organizations.updateMember': {
    params: { id: Id; memberId: Id };
    body: UpdateMemberBody;
    data: Member;
    errors: CommonError | BodyError | 'unauthenticated' | 'not_found' | 'permission_denied' | 'last_owner' | 'personal_organization' | 'precondition_failed';
  };
  'organizations.getInvitation': {
    params: { token: string };
    data: InvitationPreview;
    errors: CommonError | 'not_found' | 'invitation_gone';
  };
  'organizations.acceptInvitation': {
    params: { token: string };
    data: Invitation;
    errors: CommonError | BodyError | IdempotencyError | 'unauthenticated' | 'not_found' | 'invitation_gone' | 'invitation_email_mismatch' | 'already_member' | 'plan_limit_reached';
  };
  'organizations.invite': {
    params: { id: Id };
    body: InviteBody;
    data: Invitation;
    errors: CommonError | BodyError | IdempotencyError | 'unauthenticated' | 'not_found' | 'permission_denied' | 'personal_organization' | 'already_member' | 'plan_limit_reached';
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
    data: InvitationPage;
    errors: CommonError | 'unauthenticated' | 'not_found' | 'permission_denied';
  };
  'organizations.revokeInvitation': {
    params: { id: Id; invitationId: Id };
    data: Deleted;
    errors: CommonError | BodyError | 'unauthenticated' | 'not_found' | 'permission_denied' | 'invitation_gone';
  };
  'collections.create': {
    body: CollectionTitleBody;
    data: Collection;
    errors: CommonError | BodyError | MemberError | IdempotencyError;
  };
  'collections.list': {
    query?: {
      /** Page number from 1. Default 1. Not together with `cursor`. */
      page?: number | undefined;
      /** Items per page, 1 to 100. Default 20. */
      limit?: number | undefined;
      /** Opaque `nextCursor` of the page before. Steady under inserts, and faster than `page`. */
      cursor?: string | undefined;
      /** `personal`: the caller's own in the selected organization; `organization`: all of it. */
      scope?: 'personal' | 'organization' | undefined;
      /** Only marked, or only unmarked ones. */
      favorite?: boolean | undefined;
      /** Text to search for, at most 200 characters. */
      q?: string | undefined;
      /** Order; `-` descends, the id breaks ties. Default `-createdAt`. */
      sort?: '-createdAt' | 'createdAt' | 'title' | '-title' | 'updatedAt' | '-updatedAt' | undefined;
    };
    data: CollectionPage;
    errors: CommonError | MemberError;
  };
  'collections.bin': {
    query?: {
      /** Page number from 1. Default 1. Not together with `cursor`. */
      page?: number | undefined;
      /** Items per page, 1 to 100. Default 20. */
      limit?: number | undefined;
      /** Opaque `nextCursor` of the page before. Steady under inserts, and faster than `page`. */
      cursor?: string | undefined;
      /** `personal`: the caller's own in the selected organization; `organization`: all of it. */
      scope?: 'personal' | 'organization' | undefined;
      /** Text to search for, at most 200 characters. */
      q?: string | undefined;
    };
    data: BinnedCollectionPage;
    errors: CommonError | MemberError;
  };
  'collections.restore': {
    params: { id: Id };
    data: Collection;
    errors: CommonError | BodyError | MemberError | 'not_found' | 'collection_has_others_assets';
  };
  'collections.get': {
    params: { id: Id };
    data: Collection;
    errors: CommonError | MemberError | 'not_found';
  };
  'collections.remove': {
    params: { id: Id };
    data: Deleted;
    errors: CommonError | BodyError | MemberError | 'not_found' | 'collection_has_others_assets' | 'precondition_failed';
  };
  'collections.rename': {
    params: { id: Id };
    body: CollectionTitleBody;
    data: Collection;
    errors: CommonError | BodyError | MemberError | 'not_found' | 'precondition_failed';
  };
  'collections.favorite': {
    params: { id: Id };
    body: FavoriteBody;
    data: Collection;
    errors: CommonError | BodyError | MemberError | 'not_found' | 'precondition_failed';
  };
  'assets.list': {
    query?: {
      /** Page number from 1. Default 1. Not together with `cursor`. */
      page?: number | undefined;
      /** Items per page, 1 to 100. Default 20. */
      limit?: number | undefined;
      /** Opaque `nextCursor` of the page before. Steady under inserts, and faster than `page`. */
      cursor?: string | undefined;
      /** Prefix of the media type, such as `image/`. */
      type?: string | undefined;
      /** Only marked, or only unmarked ones. */
      favorite?: boolean | undefined;
      /** Text to search for, at most 200 characters. */
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
      /** `personal`: the caller's own in the selected organization; `organization`: all of it. */
      scope?: 'personal' | 'organization' | undefined;
      collectionId?: Id | undefined;
    };
    data: AssetPage;
    errors: CommonError | MemberError;
  };
  'assets.myLogs': {
    query?: {
      /** Page number from 1. Default 1. Not together with `cursor`. */
      page?: number | undefined;
      /** Items per page, 1 to 100. Default 20. */
      limit?: number | undefined;
      /** Opaque `nextCursor` of the page before. Steady under inserts, and faster than `page`. */
      cursor?: string | undefined;
      action?: ActivityAction | undefined;
      actorId?: Id | undefined;
      resourceType?: ResourceType | undefined;
      resourceId?: Id | undefined;
      /** Not before this moment. */
      from?: string | undefined;
      /** Before this moment. */
      to?: string | undefined;
    };
    data: ActivityPage;
    errors: CommonError | MemberError;
  };
  'assets.bin': {
    query?: {
      /** Page number from 1. Default 1. Not together with `cursor`. */
      page?: number | undefined;
      /** Items per page, 1 to 100. Default 20. */
      limit?: number | undefined;
      /** Opaque `nextCursor` of the page before. Steady under inserts, and faster than `page`. */
      cursor?: string | undefined;
      /** `personal`: the caller's own in the selected organization; `organization`: all of it. */
      scope?: 'personal' | 'organization' | undefined;
      collectionId?: Id | undefined;
      /** Text to search for, at most 200 characters. */
      q?: string | undefined;
    };
    data: BinnedAssetPage;
    errors: CommonError | MemberError;
  };
  'assets.restore': {
    params: { id: Id };
    data: Asset;
    errors: CommonError | BodyError | MemberError | 'not_found' | 'collection_deleted';
  };
  'assets.listInCollection': {
    params: { collectionId: Id };
    query?: {
      /** Page number from 1. Default 1. Not together with `cursor`. */
      page?: number | undefined;
      /** Items per page, 1 to 100. Default 20. */
      limit?: number | undefined;
      /** Opaque `nextCursor` of the page before. Steady under inserts, and faster than `page`. */
      cursor?: string | undefined;
      /** Prefix of the media type, such as `image/`. */
      type?: string | undefined;
      /** Only marked, or only unmarked ones. */
      favorite?: boolean | undefined;
      /** Text to search for, at most 200 characters. */
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
    };
    data: AssetPage;
    errors: CommonError | MemberError | 'not_found';
  };
  'assets.get': {
    params: { id: Id };
    data: Asset;
    errors: CommonError | MemberError | 'not_found';
  };
  'assets.update': {
    params: { id: Id };
    body: UpdateAssetBody;
    data: Asset;
    errors: CommonError | BodyError | MemberError | 'not_found' | 'public_links_forbidden' | 'precondition_failed';
  };
  'assets.remove': {
    params: { id: Id };
    data: Deleted;
    errors: CommonError | BodyError | MemberError | 'not_found' | 'precondition_failed';
  };
  'assets.favorite': {
    params: { id: Id };
    body: FavoriteBody;
    data: Asset;
    errors: CommonError | BodyError | MemberError | 'not_found' | 'precondition_failed';
  };
  'assets.download': {
    params: { id: Id };
    query?: {
      /** Default: the current version. */
      version?: number | undefined;
    };
    data: Download;
    errors: CommonError | MemberError | 'not_found' | 'storage_unavailable';
  };
  'assets.publish': {
    params: { id: Id };
    body?: PublishBody;
    data: Asset;
    errors: CommonError | BodyError | MemberError | IdempotencyError | 'not_found' | 'publish_target_required' | 'already_published' | 'plan_limit_reached';
  };
  'assets.logs': {
    params: { id: Id };
    query?: {
      /** Page number from 1. Default 1. Not together with `cursor`. */
      page?: number | undefined;
      /** Items per page, 1 to 100. Default 20. */
      limit?: number | undefined;
      /** Opaque `nextCursor` of the page before. Steady under inserts, and faster than `page`. */
      cursor?: string | undefined;
      action?: ActivityAction | undefined;
      actorId?: Id | undefined;
      resourceType?: ResourceType | undefined;
      resourceId?: Id | undefined;
      /** Not before this moment. */
      from?: string | undefined;
      /** Before this moment. */
      to?: string | undefined;
    };
    data: ActivityPage;
    errors: CommonError | MemberError | 'not_found';
  };
  'assets.versions': {
    params: { id: Id };
    query?: {
      /** Page number from 1. Default 1. Not together with `cursor`. */
      page?: number | undefined;
      /** Items per page, 1 to 100. Default 20. */
      limit?: number | undefined;
      /** Opaque `nextCursor` of the page before. Steady under inserts, and faster than `page`. */
      cursor?: string | undefined;
    };
    data: AssetVersionPage;
    errors: CommonError | MemberError | 'not_found';
  };
  'assets.restoreVersion': {
    params: { id: Id; versionNumber: number };
    data: Asset;
    errors: CommonError | BodyError | MemberError | 'not_found' | 'plan_limit_reached' | 'precondition_failed';
  };
  'assets.followShortLink': {
    params: { code: string };
    data: undefined;
    errors: CommonError | 'not_found' | 'storage_unavailable';
  };
  'uploads.initiate': {
    body: InitiateUploadBody;
    data: InitiatedUpload;
    errors: CommonError | BodyError | MemberError | IdempotencyError | 'not_found' | 'plan_limit_reached' | 'too_many_open_uploads' | 'storage_unavailable';
  };
  'uploads.parts': {
    params: { uploadId: Id };
    data: ResumedUpload;
    errors: CommonError | MemberError | 'not_found' | 'upload_not_active' | 'upload_already_completed' | 'storage_unavailable';
  };
  'uploads.complete': {
    body: CompleteUploadBody;
    data: Asset;
    errors: CommonError | BodyError | MemberError | IdempotencyError | 'upload_mismatch' | 'upload_not_active' | 'upload_part_invalid' | 'upload_part_too_small' | 'upload_size_mismatch' | 'plan_limit_reached' | 'storage_unavailable';
  };
  'uploads.abort': {
    body: AbortUploadBody;
    data: AbortedUpload;
    errors: CommonError | BodyError | MemberError | IdempotencyError | 'upload_mismatch' | 'upload_already_completed' | 'storage_unavailable';
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
    data: ProjectPage;
    errors: CommonError | MemberError;
  };
  'projects.create': {
    body: CreateProjectBody;
    data: Project;
    errors: CommonError | BodyError | MemberError | IdempotencyError | 'plan_limit_reached';
  };
  'projects.get': {
    params: { id: Id };
    data: Project;
    errors: CommonError | MemberError | 'not_found';
  };
  'projects.remove': {
    params: { id: Id };
    data: Deleted;
    errors: CommonError | BodyError | MemberError | 'not_found' | 'precondition_failed';
  };
  'projects.update': {
    params: { id: Id };
    body: UpdateProjectBody;
    data: Project;
    errors: CommonError | BodyError | MemberError | 'not_found' | 'plan_limit_reached' | 'precondition_failed';
  };
  'projects.move': {
    params: { id: Id };
    body: ProjectPositionBody;
    data: Project;
    errors: CommonError | BodyError | MemberError | 'not_found' | 'precondition_failed';
  };
  'tasks.list': {
    query?: {
      /** Page number from 1. Default 1. Not together with `cursor`. */
      page?: number | undefined;
      /** Items per page, 1 to 100. Default 20. */
      limit?: number | undefined;
      /** Opaque `nextCursor` of the page before. Steady under inserts, and faster than `page`. */
      cursor?: string | undefined;
      status?: TaskStatus | undefined;
      /** Id of a user, or `me`. */
      assigneeId?: 'me' | Id | undefined;
      priority?: TaskPriority | undefined;
      /** Due before this moment. */
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
    data: TaskPage;
    errors: CommonError | MemberError;
  };
  'tasks.listInProject': {
    params: { projectId: Id };
    query?: {
      /** Page number from 1. Default 1. Not together with `cursor`. */
      page?: number | undefined;
      /** Items per page, 1 to 100. Default 20. */
      limit?: number | undefined;
      /** Opaque `nextCursor` of the page before. Steady under inserts, and faster than `page`. */
      cursor?: string | undefined;
      status?: TaskStatus | undefined;
      /** Id of a user, or `me`. */
      assigneeId?: 'me' | Id | undefined;
      priority?: TaskPriority | undefined;
      /** Due before this moment. */
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
    data: TaskPage;
    errors: CommonError | MemberError | 'not_found';
  };
  'tasks.create': {
    params: { projectId: Id };
    body: CreateTaskBody;
    data: Task;
    errors: CommonError | BodyError | MemberError | IdempotencyError | 'not_found' | 'assignee_not_member' | 'project_archived';
  };
  'tasks.get': {
    params: { id: Id };
    data: Task;
    errors: CommonError | MemberError | 'not_found';
  };
  'tasks.remove': {
    params: { id: Id };
    data: Deleted;
    errors: CommonError | BodyError | MemberError | 'not_found' | 'precondition_failed';
  };
  'tasks.update': {
    params: { id: Id };
    body: UpdateTaskBody;
    data: Task;
    errors: CommonError | BodyError | MemberError | 'not_found' | 'precondition_failed';
  };
  'tasks.move': {
    params: { id: Id };
    body: TaskPositionBody;
    data: Task;
    errors: CommonError | BodyError | MemberError | 'not_found' | 'conflict' | 'precondition_failed';
  };
  'tasks.assign': {
    params: { id: Id };
    body: AssigneesBody;
    data: Task;
    errors: CommonError | BodyError | MemberError | 'not_found' | 'assignee_not_member' | 'precondition_failed';
  };
  'comments.list': {
    params: { taskId: Id };
    query?: {
      /** Page number from 1. Default 1. Not together with `cursor`. */
      page?: number | undefined;
      /** Items per page, 1 to 100. Default 20. */
      limit?: number | undefined;
      /** Opaque `nextCursor` of the page before. Steady under inserts, and faster than `page`. */
      cursor?: string | undefined;
      /** Order; `-` descends, the id breaks ties. Default `createdAt`. */
      sort?: 'createdAt' | '-createdAt' | undefined;
    };
    data: CommentPage;
    errors: CommonError | MemberError | 'not_found';
  };
  'comments.create': {
    params: { taskId: Id };
    body: CommentBody;
    data: Comment;
    errors: CommonError | BodyError | MemberError | IdempotencyError | 'not_found';
  };
  'comments.remove': {
    params: { taskId: Id; commentId: Id };
    data: Deleted;
    errors: CommonError | BodyError | MemberError | 'not_found' | 'precondition_failed';
  };
  'comments.update': {
    params: { taskId: Id; commentId: Id };
    body: CommentBody;
    data: Comment;
    errors: CommonError | BodyError | MemberError | 'not_found' | 'precondition_failed';
  };
  'dashboard.summary': {
    data: DashboardSummary;
    errors: CommonError | MemberError;
  };
}
