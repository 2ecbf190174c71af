// Made from @atelier/contract by scripts/generate.ts; change the contract, not this file.
import type { ListOperation, Navigation, Operation, Streaming } from '../types.ts';

/** Every operation by group and name. */
export interface OperationGroups {
  health: {
    /**
     * Liveness probe.
     *
     * Responds without any I/O.
     *
     * **Access:** anyone, without a token.
     *
     * `GET /health`
     */
    live: Operation<'health.live'>;
    /**
     * Readiness probe.
     *
     * Checks the database, which has to take writes, and the object storage, within two seconds. A 503 says which is unavailable, or that the process is shutting down.
     *
     * **Access:** anyone, without a token.
     *
     * **Errors:** `storage_unavailable`.
     *
     * `GET /health/ready`
     */
    ready: Operation<'health.ready'>;
  };
  auth: {
    /**
     * Create an account.
     *
     * Emails a link that verifies the address and invalidates earlier links. The response is the same for an address that is taken.
     *
     * **Access:** anyone, without a token.
     *
     * **Limit:** 5 requests per IP address and per email address in an hour.
     *
     * **Recorded as:** `user.register`.
     *
     * `POST /api/auth/register`
     */
    register: Operation<'auth.register'>;
    /**
     * Verify the email of a new account.
     *
     * If the address was registered with different passwords, they are all deleted; use `resetToken` to set one.
     *
     * **Access:** anyone, without a token.
     *
     * **Recorded as:** `user.verify_email`.
     *
     * **Errors:** `invalid_or_expired_token`.
     *
     * `POST /api/auth/verify-email`
     */
    verifyEmail: Operation<'auth.verifyEmail'>;
    /**
     * Request a password reset.
     *
     * Emails a link if the account exists. The response is always the same.
     *
     * **Access:** anyone, without a token.
     *
     * **Limit:** 5 requests per IP address and per email address in an hour.
     *
     * **Recorded as:** `user.request_password_reset`.
     *
     * `POST /api/auth/request-password-reset`
     */
    requestPasswordReset: Operation<'auth.requestPasswordReset'>;
    /**
     * Change the password.
     *
     * Ends every session of the account. Also verifies a pending account.
     *
     * **Access:** anyone, without a token.
     *
     * **Recorded as:** `user.reset_password`.
     *
     * **Errors:** `invalid_or_expired_token`.
     *
     * `POST /api/auth/reset-password`
     */
    resetPassword: Operation<'auth.resetPassword'>;
    /**
     * Check a password-reset token.
     *
     * Read-only. The token can still be used.
     *
     * **Access:** anyone, without a token.
     *
     * **Errors:** `invalid_or_expired_token`.
     *
     * `GET /api/auth/verify-token`
     */
    verifyToken: Operation<'auth.verifyToken'>;
    /**
     * Sign in.
     *
     * **Access:** anyone, without a token.
     *
     * **Limit:** 10 failures per account and 50 per IP address in 15 minutes.
     *
     * **Recorded as:** `user.login`, `user.grant_admin`.
     *
     * **Errors:** `invalid_credentials`, `account_pending`, `account_suspended`.
     *
     * `POST /api/auth/login`
     */
    login: Operation<'auth.login'>;
    /**
     * Start sign-in through Google.
     *
     * For browser navigation: redirects to the provider.
     *
     * **Access:** anyone, without a token.
     *
     * **Errors:** `provider_not_configured`.
     *
     * `GET /api/auth/google`
     */
    startGoogle: Navigation<'auth.startGoogle'>;
    /**
     * Google callback.
     *
     * Redirects to `{app_url}/loading?code=…&is_new=…` with a code for one use within 60 seconds, or to `{app_url}/loading?error=…` with one of `access_denied`, `invalid_state`, `provider_error`, `provider_unavailable`, `email_unverified`, `account_suspended`, `server_error`.
     *
     * **Access:** anyone, without a token.
     *
     * **Recorded as:** `user.register`, `user.link_identity`.
     *
     * **Errors:** `provider_not_configured`.
     *
     * `GET /api/auth/google/callback`
     */
    googleCallback: Navigation<'auth.googleCallback'>;
    /**
     * Start sign-in through GitHub.
     *
     * For browser navigation: redirects to the provider.
     *
     * **Access:** anyone, without a token.
     *
     * **Errors:** `provider_not_configured`.
     *
     * `GET /api/auth/github`
     */
    startGithub: Navigation<'auth.startGithub'>;
    /**
     * GitHub callback.
     *
     * Redirects to `{app_url}/loading?code=…&is_new=…` with a code for one use within 60 seconds, or to `{app_url}/loading?error=…` with one of `access_denied`, `invalid_state`, `provider_error`, `provider_unavailable`, `email_unverified`, `account_suspended`, `server_error`.
     *
     * **Access:** anyone, without a token.
     *
     * **Recorded as:** `user.register`, `user.link_identity`.
     *
     * **Errors:** `provider_not_configured`.
     *
     * `GET /api/auth/github/callback`
     */
    githubCallback: Navigation<'auth.githubCallback'>;
    /**
     * Exchange the single-use code for a session.
     *
     * The code of a sign-in with a `challenge` needs its `verifier`; any other code takes none. A code can still be used after a wrong verifier.
     *
     * **Access:** anyone, without a token.
     *
     * **Recorded as:** `user.login`, `user.grant_admin`.
     *
     * **Errors:** `invalid_or_expired_code`.
     *
     * `POST /api/auth/oauth/exchange`
     */
    exchange: Operation<'auth.exchange'>;
    /**
     * Get the authenticated user.
     *
     * **Access:** any verified account.
     *
     * `GET /api/auth/user`
     */
    user: Operation<'auth.user'>;
    /**
     * Confirm who uses the session.
     *
     * Operations that need it may be used for 10 minutes. Signing in with a password counts too; a refresh does not. An account without a password gets one by a password reset.
     *
     * **Access:** any verified account.
     *
     * **Limit:** 10 failures per account in 15 minutes.
     *
     * **Recorded as:** `user.confirm`.
     *
     * **Errors:** `invalid_credentials`.
     *
     * `POST /api/auth/confirm`
     */
    confirm: Operation<'auth.confirm'>;
    /**
     * Rotate the refresh token.
     *
     * A revoked token ends every session of its user, who is notified by email and `user.token_replay`. A repetition with the same `Idempotency-Key` gets the same tokens, for 10 minutes and until the new refresh token is used.
     *
     * **Access:** anyone, without a token.
     *
     * **Limit:** 150 requests per IP address in 5 minutes.
     *
     * **Errors:** `access_denied`.
     *
     * `POST /api/auth/refresh-token`
     */
    refresh: Operation<'auth.refresh'>;
    /**
     * End the session of a refresh token.
     *
     * Always responds 200, which discloses nothing about the token.
     *
     * **Access:** anyone, without a token.
     *
     * **Recorded as:** `user.logout`.
     *
     * `POST /api/auth/logout`
     */
    logout: Operation<'auth.logout'>;
  };
  sessions: {
    /**
     * List the caller's open sessions.
     *
     * Last used first.
     *
     * **Access:** any verified account.
     *
     * `GET /api/auth/sessions`
     */
    list: ListOperation<'sessions.list'>;
    /**
     * End one of the caller's sessions.
     *
     * Its tokens stop working immediately. The current session can be ended too. Other sessions continue, even if the device of the ended one tries to refresh.
     *
     * **Access:** any verified account.
     *
     * **Recorded as:** `user.end_sessions`.
     *
     * **Errors:** `not_found`.
     *
     * `DELETE /api/auth/sessions/:id`
     */
    end: Operation<'sessions.end'>;
    /**
     * End all the caller's sessions but the current one.
     *
     * **Access:** any verified account.
     *
     * **Recorded as:** `user.end_sessions`.
     *
     * `DELETE /api/auth/sessions`
     */
    endOthers: Operation<'sessions.endOthers'>;
  };
  profile: {
    /**
     * Update the caller's profile.
     *
     * **Access:** any verified account.
     *
     * **Recorded as:** `user.update_profile`.
     *
     * **Errors:** `precondition_failed`.
     *
     * `PATCH /api/auth/user/profile`
     */
    update: Operation<'profile.update'>;
    /**
     * Get a presigned URL for an avatar upload.
     *
     * The URL accepts exactly the declared type and number of bytes.
     *
     * **Access:** any verified account.
     *
     * `POST /api/auth/user/avatar-upload`
     */
    startAvatarUpload: Operation<'profile.startAvatarUpload'>;
    /**
     * Finalize an avatar upload.
     *
     * Checks the uploaded picture, crops it to a square of 512 pixels without metadata, and makes it the avatar. No-op when repeated.
     *
     * **Access:** any verified account.
     *
     * **Recorded as:** `user.update_avatar`.
     *
     * **Errors:** `avatar_invalid`, `storage_unavailable`.
     *
     * `POST /api/auth/user/avatar-upload/complete`
     */
    completeAvatarUpload: Operation<'profile.completeAvatarUpload'>;
  };
  plans: {
    /**
     * List plans.
     *
     * Cheapest first.
     *
     * **Access:** anyone, without a token.
     *
     * `GET /api/plan`
     */
    list: ListOperation<'plans.list'>;
  };
  timeline: {
    /**
     * List activity of the caller.
     *
     * **Access:** any verified account.
     *
     * `GET /api/timeline/user`
     */
    mine: ListOperation<'timeline.mine'>;
    /**
     * List all activity.
     *
     * **Access:** platform administrators; owners and admins within the team that the header selects.
     *
     * **Errors:** `not_admin`.
     *
     * `GET /api/timeline`
     */
    list: ListOperation<'timeline.list'>;
    /**
     * List activity of a resource.
     *
     * **Access:** platform administrators; owners and admins within the team that the header selects.
     *
     * **Errors:** `not_admin`.
     *
     * `GET /api/timeline/resource/:type/:id`
     */
    resource: ListOperation<'timeline.resource'>;
    /**
     * Count activity by action and by day.
     *
     * **Access:** platform administrators; owners and admins within the team that the header selects.
     *
     * **Errors:** `not_admin`.
     *
     * `GET /api/timeline/summary`
     */
    summary: Operation<'timeline.summary'>;
  };
  events: {
    /**
     * Subscribe to changes in the organization.
     *
     * Server-Sent Events. Each change arrives once, after the changes it depends on, and only if the role may read the resource. `Last-Event-ID` resumes after the last received message.
     *
     * **Access:** `organization:read`: every role.
     *
     * `GET /api/events`
     */
    subscribe: Streaming<'events.subscribe'>;
  };
  organizations: {
    /**
     * List organizations the caller belongs to.
     *
     * **Access:** any verified account.
     *
     * `GET /api/organizations`
     */
    list: ListOperation<'organizations.list'>;
    /**
     * Create an organization.
     *
     * A TEAM organization with the caller as its owner.
     *
     * **Access:** any verified account.
     *
     * **Recorded as:** `organization.create`.
     *
     * **Errors:** `plan_limit_reached`.
     *
     * `POST /api/organizations`
     */
    create: Operation<'organizations.create'>;
    /**
     * Get an organization.
     *
     * **Access:** `organization:read` in the organization of the path: every role.
     *
     * **Errors:** `not_found`.
     *
     * `GET /api/organizations/:id`
     */
    get: Operation<'organizations.get'>;
    /**
     * Rename an organization.
     *
     * Also sets whether new assets of a TEAM organization start with a public link.
     *
     * **Access:** `organization:rename` in the organization of the path: OWNER, ADMIN.
     *
     * **Recorded as:** `organization.rename`, `organization.update`.
     *
     * **Errors:** `not_found`, `personal_organization`, `precondition_failed`.
     *
     * `PATCH /api/organizations/:id`
     */
    rename: Operation<'organizations.rename'>;
    /**
     * Delete a TEAM organization.
     *
     * Its owner confirms with the exact name. Members lose access immediately; assets move to the bin.
     *
     * **Access:** `organization:delete` in the organization of the path: OWNER.
     *
     * **Recorded as:** `organization.delete`.
     *
     * **Errors:** `not_found`, `confirmation_mismatch`, `personal_organization`, `precondition_failed`.
     *
     * `DELETE /api/organizations/:id`
     */
    remove: Operation<'organizations.remove'>;
    /**
     * List members.
     *
     * **Access:** `member:read` in the organization of the path: every role.
     *
     * **Errors:** `not_found`.
     *
     * `GET /api/organizations/:id/members`
     */
    listMembers: ListOperation<'organizations.listMembers'>;
    /**
     * Remove a member.
     *
     * Remove yourself to leave. Only an owner can remove an owner. Revokes the open invitations of the member and aborts their uploads.
     *
     * **Access:** `member:remove` in the organization of the path: OWNER, ADMIN, MEMBER (own), VIEWER (own).
     *
     * **Recorded as:** `member.remove`.
     *
     * **Errors:** `not_found`, `last_owner`, `personal_organization`, `precondition_failed`.
     *
     * `DELETE /api/organizations/:id/members/:memberId`
     */
    removeMember: Operation<'organizations.removeMember'>;
    /**
     * Update a member's role or status.
     *
     * Only an owner can grant or revoke the role of an owner. Revokes open invitations of the member to roles that they may no longer grant.
     *
     * **Access:** `member:manage` in the organization of the path: OWNER, ADMIN.
     *
     * **Recorded as:** `member.update`.
     *
     * **Errors:** `not_found`, `last_owner`, `personal_organization`, `precondition_failed`.
     *
     * `PATCH /api/organizations/:id/members/:memberId`
     */
    updateMember: Operation<'organizations.updateMember'>;
    /**
     * Get an invitation by its token.
     *
     * Needs no sign-in. The email is masked.
     *
     * **Access:** anyone, without a token.
     *
     * **Errors:** `not_found`, `invitation_gone`.
     *
     * `GET /api/organizations/invitations/:token`
     */
    getInvitation: Operation<'organizations.getInvitation'>;
    /**
     * Accept an invitation.
     *
     * The email of the account must be the invited one.
     *
     * **Access:** any verified account.
     *
     * **Recorded as:** `member.join`.
     *
     * **Errors:** `not_found`, `invitation_gone`, `invitation_email_mismatch`, `already_member`, `plan_limit_reached`.
     *
     * `POST /api/organizations/invitations/:token/accept`
     */
    acceptInvitation: Operation<'organizations.acceptInvitation'>;
    /**
     * Invite a member.
     *
     * Emails a link that is valid for seven days. Inviting the same address again renews the invitation and replaces the link; within ten minutes of the last email, its link stays valid and no email is sent. An address gets at most five of these emails an hour, from all inviters together.
     *
     * **Access:** `invitation:manage` in the organization of the path: OWNER, ADMIN.
     *
     * **Limit:** 50 invitations per account in an hour.
     *
     * **Recorded as:** `invitation.create`.
     *
     * **Errors:** `not_found`, `personal_organization`, `already_member`, `plan_limit_reached`.
     *
     * `POST /api/organizations/:id/invitations`
     */
    invite: Operation<'organizations.invite'>;
    /**
     * List invitations.
     *
     * Newest first.
     *
     * **Access:** `invitation:manage` in the organization of the path: OWNER, ADMIN.
     *
     * **Errors:** `not_found`.
     *
     * `GET /api/organizations/:id/invitations`
     */
    listInvitations: ListOperation<'organizations.listInvitations'>;
    /**
     * Revoke an invitation.
     *
     * Its link stops working immediately. No-op when repeated.
     *
     * **Access:** `invitation:manage` in the organization of the path: OWNER, ADMIN.
     *
     * **Recorded as:** `invitation.revoke`.
     *
     * **Errors:** `not_found`, `invitation_gone`.
     *
     * `DELETE /api/organizations/:id/invitations/:invitationId`
     */
    revokeInvitation: Operation<'organizations.revokeInvitation'>;
  };
  collections: {
    /**
     * Create a collection.
     *
     * **Access:** `collection:create`: OWNER, ADMIN, MEMBER.
     *
     * **Recorded as:** `collection.create`.
     *
     * `POST /api/collections/create`
     */
    create: Operation<'collections.create'>;
    /**
     * List collections.
     *
     * **Access:** `collection:read`: every role.
     *
     * `GET /api/collections`
     */
    list: ListOperation<'collections.list'>;
    /**
     * List deleted collections.
     *
     * Last deleted first.
     *
     * **Access:** `collection:read`: every role.
     *
     * `GET /api/collections/bin`
     */
    bin: ListOperation<'collections.bin'>;
    /**
     * Restore a collection from the bin.
     *
     * Also restores the assets that were deleted with it; the caller must be allowed to restore each of them. No-op when repeated.
     *
     * **Access:** `collection:delete`: OWNER, ADMIN, MEMBER (own).
     *
     * **Recorded as:** `collection.restore`.
     *
     * **Errors:** `not_found`, `collection_has_others_assets`.
     *
     * `POST /api/collections/:id/restore`
     */
    restore: Operation<'collections.restore'>;
    /**
     * Get a collection.
     *
     * **Access:** `collection:read`: every role.
     *
     * **Errors:** `not_found`.
     *
     * `GET /api/collections/:id`
     */
    get: Operation<'collections.get'>;
    /**
     * Delete a collection.
     *
     * Moves it with its assets to the bin for 30 days; the caller must be allowed to delete each of them.
     *
     * **Access:** `collection:delete`: OWNER, ADMIN, MEMBER (own).
     *
     * **Recorded as:** `collection.delete`.
     *
     * **Errors:** `not_found`, `collection_has_others_assets`, `precondition_failed`.
     *
     * `DELETE /api/collections/:id`
     */
    remove: Operation<'collections.remove'>;
    /**
     * Update the title of a collection.
     *
     * **Access:** `collection:edit`: OWNER, ADMIN, MEMBER (own).
     *
     * **Recorded as:** `collection.rename`.
     *
     * **Errors:** `not_found`, `precondition_failed`.
     *
     * `PATCH /api/collections/:id`
     */
    rename: Operation<'collections.rename'>;
    /**
     * Favorite or unfavorite a collection.
     *
     * **Access:** `collection:favorite`: every role.
     *
     * **Recorded as:** `collection.favorite`, `collection.unfavorite`.
     *
     * **Errors:** `not_found`, `precondition_failed`.
     *
     * `PATCH /api/collections/:id/favorite`
     */
    favorite: Operation<'collections.favorite'>;
  };
  assets: {
    /**
     * List assets in the current scope.
     *
     * **Access:** `asset:read`: every role.
     *
     * `GET /api/assets`
     */
    list: ListOperation<'assets.list'>;
    /**
     * List the caller's asset activity.
     *
     * **Access:** `asset:read`: every role.
     *
     * `GET /api/assets/logs`
     */
    myLogs: ListOperation<'assets.myLogs'>;
    /**
     * List deleted assets.
     *
     * Last deleted first.
     *
     * **Access:** `asset:read`: every role.
     *
     * `GET /api/assets/bin`
     */
    bin: ListOperation<'assets.bin'>;
    /**
     * Restore an asset from the bin.
     *
     * No-op when repeated.
     *
     * **Access:** `asset:delete`: OWNER, ADMIN, MEMBER (own).
     *
     * **Recorded as:** `asset.restore`.
     *
     * **Errors:** `not_found`, `collection_deleted`.
     *
     * `POST /api/assets/:id/restore`
     */
    restore: Operation<'assets.restore'>;
    /**
     * List assets of a collection.
     *
     * **Access:** `asset:read`: every role.
     *
     * **Errors:** `not_found`.
     *
     * `GET /api/assets/collection/:collectionId`
     */
    listInCollection: ListOperation<'assets.listInCollection'>;
    /**
     * Get asset details.
     *
     * **Access:** `asset:read`: every role.
     *
     * **Errors:** `not_found`.
     *
     * `GET /api/assets/:id`
     */
    get: Operation<'assets.get'>;
    /**
     * Update an asset.
     *
     * **Access:** `asset:edit`: OWNER, ADMIN, MEMBER (own).
     *
     * **Recorded as:** `asset.update`.
     *
     * **Errors:** `not_found`, `public_links_forbidden`, `precondition_failed`.
     *
     * `PATCH /api/assets/:id`
     */
    update: Operation<'assets.update'>;
    /**
     * Delete an asset.
     *
     * Moves it to the bin, where it stays for 30 days.
     *
     * **Access:** `asset:delete`: OWNER, ADMIN, MEMBER (own).
     *
     * **Recorded as:** `asset.delete`.
     *
     * **Errors:** `not_found`, `precondition_failed`.
     *
     * `DELETE /api/assets/:id`
     */
    remove: Operation<'assets.remove'>;
    /**
     * Favorite or unfavorite an asset.
     *
     * **Access:** `asset:favorite`: every role.
     *
     * **Recorded as:** `asset.favorite`, `asset.unfavorite`.
     *
     * **Errors:** `not_found`, `precondition_failed`.
     *
     * `PATCH /api/assets/:id/favorite`
     */
    favorite: Operation<'assets.favorite'>;
    /**
     * Get a presigned download URL.
     *
     * **Access:** `asset:read`: every role.
     *
     * **Errors:** `not_found`, `storage_unavailable`.
     *
     * `GET /api/assets/:id/download`
     */
    download: Operation<'assets.download'>;
    /**
     * Publish a personal asset into the organization.
     *
     * The header selects a TEAM organization, which gets its own asset with the same content. Publishing again after the content changed adds a version to that asset; a changed name does not.
     *
     * **Access:** `asset:publish`: OWNER, ADMIN, MEMBER.
     *
     * **Recorded as:** `asset.publish`.
     *
     * **Errors:** `not_found`, `publish_target_required`, `already_published`, `plan_limit_reached`.
     *
     * `POST /api/assets/:id/publish`
     */
    publish: Operation<'assets.publish'>;
    /**
     * List activity of an asset.
     *
     * **Access:** `asset:read`: every role.
     *
     * **Errors:** `not_found`.
     *
     * `GET /api/assets/:id/asset-logs`
     */
    logs: ListOperation<'assets.logs'>;
    /**
     * List versions of an asset.
     *
     * Newest first.
     *
     * **Access:** `asset:read`: every role.
     *
     * **Errors:** `not_found`.
     *
     * `GET /api/assets/:id/versions`
     */
    versions: ListOperation<'assets.versions'>;
    /**
     * Restore a version of an asset.
     *
     * Adds a version with the old content and keeps the name. No-op if that content is current.
     *
     * **Access:** `asset:edit`: OWNER, ADMIN, MEMBER (own).
     *
     * **Recorded as:** `asset.restore_version`.
     *
     * **Errors:** `not_found`, `plan_limit_reached`, `precondition_failed`.
     *
     * `PATCH /api/assets/:id/versions/restore/:versionNumber`
     */
    restoreVersion: Operation<'assets.restoreVersion'>;
    /**
     * Follow the public short URL of an asset.
     *
     * Redirects to a presigned URL while the public link is on.
     *
     * **Access:** anyone, without a token.
     *
     * **Errors:** `not_found`, `storage_unavailable`.
     *
     * `GET /s/:code`
     */
    followShortLink: Navigation<'assets.followShortLink'>;
  };
  uploads: {
    /**
     * Start a multipart upload to object storage.
     *
     * **Access:** `asset:create`: OWNER, ADMIN, MEMBER.
     *
     * **Recorded as:** `upload.initiate`.
     *
     * **Errors:** `not_found`, `plan_limit_reached`, `too_many_open_uploads`, `storage_unavailable`.
     *
     * `POST /api/upload/initiate`
     */
    initiate: Operation<'uploads.initiate'>;
    /**
     * Resume a multipart upload.
     *
     * Returns the stored parts, and new URLs for the others.
     *
     * **Access:** `asset:create`: OWNER, ADMIN, MEMBER.
     *
     * **Errors:** `not_found`, `upload_not_active`, `upload_already_completed`, `storage_unavailable`.
     *
     * `GET /api/upload/:uploadId/parts`
     */
    parts: Operation<'uploads.parts'>;
    /**
     * Complete the multipart upload and save the asset.
     *
     * Repeated requests, also parallel ones, return the same asset.
     *
     * **Access:** `asset:create`: OWNER, ADMIN, MEMBER.
     *
     * **Recorded as:** `asset.create`, `asset.add_version`.
     *
     * **Errors:** `upload_mismatch`, `upload_not_active`, `upload_part_invalid`, `upload_part_too_small`, `upload_size_mismatch`, `plan_limit_reached`, `storage_unavailable`.
     *
     * `POST /api/upload/complete`
     */
    complete: Operation<'uploads.complete'>;
    /**
     * Abort an active multipart upload.
     *
     * No-op when repeated.
     *
     * **Access:** `upload:abort`: OWNER, ADMIN, MEMBER (own).
     *
     * **Recorded as:** `upload.abort`.
     *
     * **Errors:** `upload_mismatch`, `upload_already_completed`, `storage_unavailable`.
     *
     * `POST /api/upload/abort`
     */
    abort: Operation<'uploads.abort'>;
  };
  projects: {
    /**
     * List projects in the organization.
     *
     * **Access:** `project:read`: every role.
     *
     * `GET /api/projects`
     */
    list: ListOperation<'projects.list'>;
    /**
     * Create a project.
     *
     * It goes to the end of the list.
     *
     * **Access:** `project:create`: OWNER, ADMIN, MEMBER.
     *
     * **Recorded as:** `project.create`.
     *
     * **Errors:** `plan_limit_reached`.
     *
     * `POST /api/projects`
     */
    create: Operation<'projects.create'>;
    /**
     * Get a project.
     *
     * **Access:** `project:read`: every role.
     *
     * **Errors:** `not_found`.
     *
     * `GET /api/projects/:id`
     */
    get: Operation<'projects.get'>;
    /**
     * Delete a project.
     *
     * Takes its tasks and their comments along.
     *
     * **Access:** `project:delete`: OWNER, ADMIN, MEMBER (own).
     *
     * **Recorded as:** `project.delete`.
     *
     * **Errors:** `not_found`, `precondition_failed`.
     *
     * `DELETE /api/projects/:id`
     */
    remove: Operation<'projects.remove'>;
    /**
     * Update a project.
     *
     * **Access:** `project:edit`: OWNER, ADMIN, MEMBER.
     *
     * **Recorded as:** `project.update`.
     *
     * **Errors:** `not_found`, `plan_limit_reached`, `precondition_failed`.
     *
     * `PATCH /api/projects/:id`
     */
    update: Operation<'projects.update'>;
    /**
     * Reorder a project.
     *
     * A position beyond the end is the end.
     *
     * **Access:** `project:edit`: OWNER, ADMIN, MEMBER.
     *
     * **Recorded as:** `project.move`.
     *
     * **Errors:** `not_found`, `precondition_failed`.
     *
     * `PATCH /api/projects/:id/position`
     */
    move: Operation<'projects.move'>;
  };
  tasks: {
    /**
     * List tasks in the organization.
     *
     * `position` sorts by project, column and position.
     *
     * **Access:** `task:read`: every role.
     *
     * `GET /api/tasks`
     */
    list: ListOperation<'tasks.list'>;
    /**
     * List tasks of a project.
     *
     * `position` sorts by column and position.
     *
     * **Access:** `task:read`: every role.
     *
     * **Errors:** `not_found`.
     *
     * `GET /api/projects/:projectId/tasks`
     */
    listInProject: ListOperation<'tasks.listInProject'>;
    /**
     * Create a task in a project.
     *
     * Adds it to the end of its column.
     *
     * **Access:** `task:create`: OWNER, ADMIN, MEMBER.
     *
     * **Recorded as:** `task.create`.
     *
     * **Errors:** `not_found`, `assignee_not_member`, `project_archived`.
     *
     * `POST /api/projects/:projectId/tasks`
     */
    create: Operation<'tasks.create'>;
    /**
     * Get a task.
     *
     * **Access:** `task:read`: every role.
     *
     * **Errors:** `not_found`.
     *
     * `GET /api/tasks/:id`
     */
    get: Operation<'tasks.get'>;
    /**
     * Delete a task.
     *
     * **Access:** `task:delete`: OWNER, ADMIN, MEMBER.
     *
     * **Recorded as:** `task.delete`.
     *
     * **Errors:** `not_found`, `precondition_failed`.
     *
     * `DELETE /api/tasks/:id`
     */
    remove: Operation<'tasks.remove'>;
    /**
     * Update a task.
     *
     * **Access:** `task:edit`: OWNER, ADMIN, MEMBER.
     *
     * **Recorded as:** `task.update`.
     *
     * **Errors:** `not_found`, `precondition_failed`.
     *
     * `PATCH /api/tasks/:id`
     */
    update: Operation<'tasks.update'>;
    /**
     * Move a task to another column or position.
     *
     * A position beyond the end means the end. A neighbour in another column is a conflict.
     *
     * **Access:** `task:edit`: OWNER, ADMIN, MEMBER.
     *
     * **Recorded as:** `task.move`.
     *
     * **Errors:** `not_found`, `conflict`, `precondition_failed`.
     *
     * `PATCH /api/tasks/:id/position`
     */
    move: Operation<'tasks.move'>;
    /**
     * Replace the assignees of a task.
     *
     * **Access:** `task:edit`: OWNER, ADMIN, MEMBER.
     *
     * **Recorded as:** `task.assign`.
     *
     * **Errors:** `not_found`, `assignee_not_member`, `precondition_failed`.
     *
     * `PUT /api/tasks/:id/assignees`
     */
    assign: Operation<'tasks.assign'>;
  };
  comments: {
    /**
     * List comments.
     *
     * Oldest first by default.
     *
     * **Access:** `comment:read`: every role.
     *
     * **Errors:** `not_found`.
     *
     * `GET /api/tasks/:taskId/comments`
     */
    list: ListOperation<'comments.list'>;
    /**
     * Post a comment.
     *
     * **Access:** `comment:create`: OWNER, ADMIN, MEMBER.
     *
     * **Recorded as:** `comment.create`.
     *
     * **Errors:** `not_found`.
     *
     * `POST /api/tasks/:taskId/comments`
     */
    create: Operation<'comments.create'>;
    /**
     * Delete a comment.
     *
     * For its author, admins and owners.
     *
     * **Access:** `comment:delete`: OWNER, ADMIN, MEMBER (own).
     *
     * **Recorded as:** `comment.delete`.
     *
     * **Errors:** `not_found`, `precondition_failed`.
     *
     * `DELETE /api/tasks/:taskId/comments/:commentId`
     */
    remove: Operation<'comments.remove'>;
    /**
     * Edit a comment.
     *
     * For its author only.
     *
     * **Access:** `comment:edit`: OWNER (own), ADMIN (own), MEMBER (own).
     *
     * **Recorded as:** `comment.update`.
     *
     * **Errors:** `not_found`, `precondition_failed`.
     *
     * `PATCH /api/tasks/:taskId/comments/:commentId`
     */
    update: Operation<'comments.update'>;
  };
  dashboard: {
    /**
     * Get the dashboard of the organization.
     *
     * **Access:** `dashboard:read`: every role.
     *
     * `GET /api/dashboard/summary`
     */
    summary: Operation<'dashboard.summary'>;
  };
  labels: {
    /**
     * List labels in the organization.
     *
     * An organization has at most 100.
     *
     * **Access:** `label:read`: every role.
     *
     * `GET /api/labels`
     */
    list: ListOperation<'labels.list'>;
    /**
     * Create a label.
     *
     * **Access:** `label:create`: OWNER, ADMIN, MEMBER.
     *
     * **Recorded as:** `label.create`.
     *
     * **Errors:** `label_exists`, `too_many_labels`.
     *
     * `POST /api/labels`
     */
    create: Operation<'labels.create'>;
    /**
     * Get a label.
     *
     * **Access:** `label:read`: every role.
     *
     * **Errors:** `not_found`.
     *
     * `GET /api/labels/:id`
     */
    get: Operation<'labels.get'>;
    /**
     * Rename or recolour a label.
     *
     * **Access:** `label:edit`: OWNER, ADMIN, MEMBER.
     *
     * **Recorded as:** `label.update`.
     *
     * **Errors:** `not_found`, `label_exists`, `precondition_failed`.
     *
     * `PATCH /api/labels/:id`
     */
    update: Operation<'labels.update'>;
    /**
     * Delete a label.
     *
     * Removes it from its tasks.
     *
     * **Access:** `label:delete`: OWNER, ADMIN, MEMBER (own).
     *
     * **Recorded as:** `label.delete`.
     *
     * **Errors:** `not_found`, `precondition_failed`.
     *
     * `DELETE /api/labels/:id`
     */
    remove: Operation<'labels.remove'>;
    /**
     * Replace the labels of a task.
     *
     * `If-Match` takes the `ETag` of the task.
     *
     * **Access:** `task:edit`: OWNER, ADMIN, MEMBER.
     *
     * **Recorded as:** `task.update`.
     *
     * **Errors:** `not_found`, `precondition_failed`.
     *
     * `PUT /api/tasks/:id/labels`
     */
    set: Operation<'labels.set'>;
  };
}
