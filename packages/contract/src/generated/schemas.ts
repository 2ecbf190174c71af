// Made from the contract by scripts/generate.ts; change its schemas, not this file.
export {
  AccountDeletion,
  ChangeEmailBody,
  RequestDeletionBody,
  RequestedEmail,
} from '../account.ts';
export {
  ActivityActionName,
  ResourceTypeName,
} from '../activity.ts';
export {
  ApiKeyKind,
  ScopeName,
  ToolMode,
} from '../api-key-fields.ts';
export {
  ApiKey,
  ApiKeyPage,
  CreateApiKeyBody,
  CurrentApiKey,
  LeakedKeyBody,
  NewApiKey,
  ReceivedReport,
  RenameApiKeyBody,
  RotateApiKeyBody,
  ScopeList,
} from '../api-keys.ts';
export {
  Approval,
  ApprovalPage,
  ApprovalStatus,
  RequestApprovalBody,
} from '../approvals.ts';
export {
  AreaAnchor,
  AssetAnchor,
  PathAnchor,
  PointAnchor,
  TimeAnchor,
} from '../asset-anchor.ts';
export {
  AssetComment,
  AssetCommentPage,
  AssetMarker,
  AssetMarkers,
  PostAssetCommentBody,
  ResolveBody,
} from '../asset-comments.ts';
export {
  AssetVersion,
  AssetVersionPage,
  CoverBody,
  Download,
} from '../asset-content.ts';
export {
  AssetReview,
  ReviewBody,
  ReviewStatus,
} from '../asset-review.ts';
export {
  AssetTags,
} from '../asset-tags.ts';
export {
  Asset,
  AssetPage,
  BinnedAsset,
  BinnedAssetPage,
  EmptiedBin,
} from '../asset.ts';
export {
  PublishBody,
  UpdateAssetBody,
} from '../assets.ts';
export {
  ConfirmBody,
  Confirmation,
  EmailBody,
  EmailResponse,
  LoginBody,
  LogoutBody,
  RefreshTokenBody,
  RegisterBody,
  ResetPasswordBody,
  RotatedTokens,
  SignedIn,
  TokenBody,
  TokenCheck,
  TokenPair,
  User,
  VerifiedEmail,
} from '../auth.ts';
export {
  BinnedCollection,
  BinnedCollectionPage,
  Collection,
  CollectionPage,
  CollectionTitleBody,
  Deleted,
  FavoriteBody,
} from '../collections.ts';
export {
  Comment,
  CommentBody,
  CommentPage,
} from '../comments.ts';
export {
  DashboardSummary,
} from '../dashboard.ts';
export {
  ErrorBody,
  ValidationIssue,
} from '../error-body.ts';
export {
  LiveEvent,
  LiveMessage,
} from '../events.ts';
export {
  Export,
  LatestExport,
} from '../exports.ts';
export {
  Health,
  Readiness,
} from '../health.ts';
export {
  Invitation,
  InvitationPage,
  InvitationPreview,
  InvitationStatus,
  InviteBody,
} from '../invitations.ts';
export {
  CreateLabelBody,
  Label,
  LabelPage,
  TaskLabelsBody,
  UpdateLabelBody,
} from '../labels.ts';
export {
  Member,
  MemberPage,
  MemberStatus,
  Person,
  RoleName,
  UpdateMemberBody,
} from '../members.ts';
export {
  DigestSettings,
  MailSetting,
  NotificationPreferences,
  NotificationPreferencesBody,
  NotificationSetting,
  OrganizationLevel,
  TimeZone,
} from '../notification-preferences.ts';
export {
  NotificationReason,
} from '../notification-reasons.ts';
export {
  ChangedNotifications,
  FollowerPage,
  MarkNotificationsBody,
  Notification,
  NotificationPage,
  TaskFollowing,
  UnreadCount,
  UpdateNotificationBody,
} from '../notifications.ts';
export {
  KeyPolicy,
  MemberApiKey,
  MemberApiKeyPage,
  UpdateKeyPolicyBody,
} from '../organization-keys.ts';
export {
  MailContent,
  Organization,
  OrganizationNameBody,
  OrganizationPage,
  OrganizationType,
  PublicLinks,
  SecurityPolicyBody,
  UpdateOrganizationBody,
} from '../organizations.ts';
export {
  Pagination,
} from '../pagination.ts';
export {
  AddPasskeyBody,
  AddedPasskey,
  Passkey,
  PasskeyAuthentication,
  PasskeyCreationOptions,
  PasskeyLoginBody,
  PasskeyRegistration,
  PasskeyRequestOptions,
  RemovedPasskey,
  RenamePasskeyBody,
} from '../passkeys.ts';
export {
  Plan,
  PlanCode,
  PlanLimits,
  PlanPage,
} from '../plans.ts';
export {
  Email,
  Id,
  Timestamp,
} from '../primitives.ts';
export {
  AvatarUpload,
  AvatarUploadBody,
  CompleteAvatarBody,
  UpdateProfileBody,
} from '../profile.ts';
export {
  CreateProjectBody,
  Project,
  ProjectPage,
  ProjectPositionBody,
  ProjectStatus,
  UpdateProjectBody,
} from '../projects.ts';
export {
  ExchangeBody,
  SecondFactorTicketBody,
} from '../provider-sign-in.ts';
export {
  SearchContext,
  SearchHighlight,
  SearchHit,
  SearchPage,
  SearchRebuild,
  SearchStatus,
  SearchTotals,
  SearchType,
  Suggestion,
  SuggestionList,
} from '../search.ts';
export {
  SecondFactor,
} from '../second-factor.ts';
export {
  AccountSecurity,
  ChangePasswordBody,
  DisabledTotp,
  EnableTotpBody,
  RecoveryCodes,
  RemovedIdentity,
  TotpSecret,
} from '../security.ts';
export {
  CreateServiceAccountBody,
  CreateServiceKeyBody,
  ServiceAccount,
  ServiceAccountPage,
  ServiceAccountRole,
  UpdateServiceAccountBody,
} from '../service-accounts.ts';
export {
  EndedSession,
  EndedSessions,
  Session,
  SessionPage,
  SessionSignIn,
} from '../sessions.ts';
export {
  PostSharedCommentBody,
  SharedComment,
  SharedCommentPage,
} from '../share-comments.ts';
export {
  CreateShareBody,
  PublicLink,
  PublicLinkPage,
  Share,
  SharePage,
  SharePolicy,
  ShareStatus,
  ShareTargetType,
  ShareVersions,
  ShareView,
  ShareViewAction,
  ShareViewPage,
  UpdateShareBody,
  UpdateSharePolicyBody,
} from '../share-schemas.ts';
export {
  OpenShareBody,
  OpenedShare,
  PublicAsset,
  PublicAssetPage,
  PublicShare,
} from '../share-visits.ts';
export {
  TaskAsset,
  TaskAssetPage,
} from '../task-assets.ts';
export {
  TaskCounts,
  TaskStatus,
} from '../task-status.ts';
export {
  AssigneesBody,
  CreateTaskBody,
  LabelColor,
  Task,
  TaskLabel,
  TaskPage,
  TaskParent,
  TaskPositionBody,
  TaskPriority,
  UpdateTaskBody,
} from '../tasks.ts';
export {
  Activity,
  ActivityPage,
  ActivitySummary,
} from '../timeline.ts';
export {
  AbortUploadBody,
  AbortedUpload,
  CompleteUploadBody,
  ContentType,
  InitiateUploadBody,
  InitiatedUpload,
  PartDto,
  ResumedUpload,
} from '../uploads.ts';
export {
  CreateWebhookBody,
  CreatedWebhook,
  ReplayWebhookBody,
  RotateWebhookSecretBody,
  RotatedWebhookSecret,
  UpdateWebhookBody,
  Webhook,
  WebhookChoice,
  WebhookDelivery,
  WebhookDeliveryDetails,
  WebhookDeliveryPage,
  WebhookDeliveryStatus,
  WebhookEventName,
  WebhookEvents,
  WebhookMessage,
  WebhookPage,
  WebhookReplay,
  WebhookServiceMessage,
} from '../webhook-schemas.ts';
