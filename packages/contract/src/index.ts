export * from './access.ts';
export * from './account.ts';
export * from './activity.ts';
export { ApiKeyKind, ScopeName, ToolMode, toolModes } from './api-key-fields.ts';
export * from './api-keys.ts';
export * from './approvals.ts';
export * from './asset-anchor.ts';
export * from './asset-comments.ts';
export * from './asset.ts';
export * from './asset-content.ts';
export * from './asset-review.ts';
export {
  AssetTags,
  maxAssetDescriptionLength,
  maxSuggestedTags,
  maxTagLength,
  maxTagsOfAsset,
  tagKeyOf,
  tagKeysIn,
} from './asset-tags.ts';
export * from './assets.ts';
export * from './auth.ts';
export * from './collections.ts';
export * from './comments.ts';
export * from './contract.ts';
export * from './dashboard.ts';
export * from './deprecation.ts';
export * from './endpoint-spec.ts';
export * from './endpoint.ts';
export * from './envelope.ts';
export * from './error-body.ts';
export * from './errors.ts';
export * from './events.ts';
export * from './exports.ts';
export type * from './group.ts';
export * from './groups.ts';
export * from './health.ts';
export {
  invitationLifetimeSeconds,
  Invitation,
  InvitationPage,
  InvitationPreview,
  InvitationStatus,
  InviteBody,
} from './invitations.ts';
export * from './kept-errors.ts';
export * from './lifetimes.ts';
export * from './labels.ts';
export {
  type FieldPath,
  type FilterRule,
  type ListRules,
  type ListSpec,
  type SortField,
  type SortKey,
} from './lists.ts';
export { Member, MemberPage, MemberStatus, Person, RoleName, UpdateMemberBody } from './members.ts';
export { mayMention, newlyMentioned } from './mentions.ts';
export * from './notification-preferences.ts';
export * from './notification-reasons.ts';
export * from './notifications.ts';
export * from './operations.ts';
export {
  KeyPolicy,
  MemberApiKey,
  MemberApiKeyPage,
  UpdateKeyPolicyBody,
} from './organization-keys.ts';
export * from './organizations.ts';
export * from './pagination.ts';
export * from './passkeys.ts';
export * from './plans.ts';
export * from './primitives.ts';
export * from './profile.ts';
export * from './projects.ts';
export { ExchangeBody, SecondFactorTicketBody } from './provider-sign-in.ts';
export * from './scope-texts.ts';
export * from './scopes.ts';
export * from './search-query.ts';
export * from './search.ts';
export * from './second-factor.ts';
export * from './security.ts';
export * from './service-accounts.ts';
export * from './sessions.ts';
export * from './share-comments.ts';
export * from './share-schemas.ts';
export * from './share-visits.ts';
export * from './shares.ts';
export * from './sign-in-errors.ts';
export * from './targets.ts';
export * from './task-assets.ts';
export * from './task-status.ts';
export * from './tasks.ts';
export * from './timeline.ts';
export * from './tool-calls.ts';
export type * from './tool-declaration.ts';
export * from './tools.ts';
export * from './toolsets.ts';
export * from './uploads.ts';
export * from './webhook-events.ts';
export * from './webhook-schemas.ts';
export * from './webhooks.ts';
