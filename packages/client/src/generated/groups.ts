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
     * With the right password of an account that has a second factor, the response is `second_factor_required`, and its `errors` name the possible kinds. Send the same request with one.
     *
     * **Access:** anyone, without a token.
     *
     * **Limit:** 10 failures per account and 50 per IP address in 15 minutes.
     *
     * **Recorded as:** `user.login`, `user.grant_admin`, `user.use_recovery_code`.
     *
     * **Errors:** `invalid_credentials`, `second_factor_required`, `second_factor_invalid`, `account_pending`, `account_suspended`, `account_deletion_pending`.
     *
     * `POST /api/auth/login`
     */
    login: Operation<'auth.login'>;
    /**
     * Get a challenge for a sign-in with a passkey.
     *
     * For `/api/auth/passkeys/login`, or for the second factor of another sign-in. The response says nothing about accounts.
     *
     * **Access:** anyone, without a token.
     *
     * `POST /api/auth/passkeys/challenge`
     */
    passkeyChallenge: Operation<'auth.passkeyChallenge'>;
    /**
     * Sign in with a passkey alone.
     *
     * The passkey has verified its user, so that neither a password nor a second factor is needed.
     *
     * **Access:** anyone, without a token.
     *
     * **Limit:** 50 failures per IP address in 15 minutes.
     *
     * **Recorded as:** `user.login`.
     *
     * **Errors:** `passkey_invalid`, `account_suspended`, `account_deletion_pending`.
     *
     * `POST /api/auth/passkeys/login`
     */
    loginWithPasskey: Operation<'auth.loginWithPasskey'>;
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
     * Redirects to `{app_url}/loading?code=…&is_new=…` with a code for one use within 60 seconds, or to `{app_url}/loading?error=…` with one of `access_denied`, `invalid_state`, `provider_error`, `provider_unavailable`, `email_unverified`, `email_changed`, `account_suspended`, `account_deletion_pending`, `server_error`.
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
     * Redirects to `{app_url}/loading?code=…&is_new=…` with a code for one use within 60 seconds, or to `{app_url}/loading?error=…` with one of `access_denied`, `invalid_state`, `provider_error`, `provider_unavailable`, `email_unverified`, `email_changed`, `account_suspended`, `account_deletion_pending`, `server_error`.
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
     * The code of a sign-in with a `challenge` needs its `verifier`; any other code takes none. A code can still be used after a wrong verifier. For an account with a second factor the response is `second_factor_required`, and the code is good for `/api/auth/oauth/second-factor` only, for 5 minutes.
     *
     * **Access:** anyone, without a token.
     *
     * **Recorded as:** `user.login`, `user.grant_admin`.
     *
     * **Errors:** `second_factor_required`, `invalid_or_expired_code`.
     *
     * `POST /api/auth/oauth/exchange`
     */
    exchange: Operation<'auth.exchange'>;
    /**
     * Complete a sign-in through a provider with the second factor.
     *
     * For a code whose exchange needs it; five tries.
     *
     * **Access:** anyone, without a token.
     *
     * **Recorded as:** `user.login`, `user.grant_admin`, `user.use_recovery_code`.
     *
     * **Errors:** `second_factor_invalid`, `invalid_or_expired_code`.
     *
     * `POST /api/auth/oauth/second-factor`
     */
    exchangeWithSecondFactor: Operation<'auth.exchangeWithSecondFactor'>;
    /**
     * Get the authenticated user.
     *
     * **Access:** any verified account.
     *
     * **Errors:** `scope_missing`.
     *
     * `GET /api/auth/user`
     */
    user: Operation<'auth.user'>;
    /**
     * Confirm who uses the session.
     *
     * Operations that need it may be used for 10 minutes. Takes the password, and the second factor if the account has one; or a passkey alone, which signs a challenge of `/api/auth/user/passkeys/challenge`. Signing in with a password or passkey counts too; a refresh does not. An account without either gets a password by a password reset.
     *
     * **Access:** any verified account.
     *
     * **Limit:** 10 failures per account in 15 minutes.
     *
     * **Recorded as:** `user.confirm`, `user.use_recovery_code`.
     *
     * **Errors:** `key_refused`, `invalid_credentials`, `passkey_invalid`, `second_factor_required`, `second_factor_invalid`.
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
     * **Errors:** `key_refused`.
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
     * **Errors:** `key_refused`, `not_found`.
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
     * **Errors:** `key_refused`.
     *
     * `DELETE /api/auth/sessions`
     */
    endOthers: Operation<'sessions.endOthers'>;
  };
  apiKeys: {
    /**
     * List the caller's API keys.
     *
     * Newest first; those that ended too.
     *
     * **Access:** any verified account.
     *
     * **Errors:** `key_refused`.
     *
     * `GET /api/auth/api-keys`
     */
    list: ListOperation<'apiKeys.list'>;
    /**
     * Create an API key.
     *
     * It acts as the caller, within its scopes and organizations and never beyond the current role. The response is the only one that has the key; an `Idempotency-Key` repeats it for an hour.
     *
     * **Access:** any verified account, confirmed within the last 10 minutes.
     *
     * **Recorded as:** `api_key.create`.
     *
     * **Errors:** `key_refused`, `confirmation_required`, `not_found`, `too_many_api_keys`.
     *
     * `POST /api/auth/api-keys`
     */
    create: Operation<'apiKeys.create'>;
    /**
     * Get the API key of the request.
     *
     * With a session: 404.
     *
     * **Access:** any verified account.
     *
     * **Errors:** `not_found`.
     *
     * `GET /api/auth/api-keys/current`
     */
    current: Operation<'apiKeys.current'>;
    /**
     * Rename an API key.
     *
     * **Access:** any verified account.
     *
     * **Recorded as:** `api_key.rename`.
     *
     * **Errors:** `key_refused`, `not_found`, `precondition_failed`.
     *
     * `PATCH /api/auth/api-keys/:id`
     */
    rename: Operation<'apiKeys.rename'>;
    /**
     * Replace an API key.
     *
     * The new key has the same name, scopes and organizations, and the same lifetime as far as key policies allow. The old one ends at once, or after `overlapHours`.
     *
     * **Access:** any verified account, confirmed within the last 10 minutes.
     *
     * **Recorded as:** `api_key.rotate`.
     *
     * **Errors:** `key_refused`, `confirmation_required`, `not_found`, `api_key_ended`, `too_many_api_keys`.
     *
     * `POST /api/auth/api-keys/:id/rotate`
     */
    rotate: Operation<'apiKeys.rotate'>;
    /**
     * Revoke an API key.
     *
     * Ends its requests and live streams.
     *
     * **Access:** any verified account.
     *
     * **Recorded as:** `api_key.revoke`.
     *
     * **Errors:** `key_refused`, `not_found`, `precondition_failed`.
     *
     * `DELETE /api/auth/api-keys/:id`
     */
    revoke: Operation<'apiKeys.revoke'>;
    /**
     * List the scopes of API keys.
     *
     * **Access:** anyone, without a token.
     *
     * `GET /api/scopes`
     */
    scopes: Operation<'apiKeys.scopes'>;
    /**
     * Report a leaked API key.
     *
     * Ends the key and tells its owner. The response is the same for anything else, which discloses nothing.
     *
     * **Access:** anyone, without a token.
     *
     * **Limit:** 30 requests per IP address in a minute.
     *
     * **Recorded as:** `api_key.revoke`.
     *
     * `POST /api/leaked-keys`
     */
    reportLeak: Operation<'apiKeys.reportLeak'>;
    /**
     * List the personal API keys that reach an organization.
     *
     * Those of its members that have not ended, newest first.
     *
     * **Access:** `service-account:manage` in the organization of the path: OWNER, ADMIN.
     *
     * **Errors:** `not_found`, `second_factor_enrollment_required`, `key_refused`.
     *
     * `GET /api/organizations/:id/api-keys`
     */
    listOfOrganization: ListOperation<'apiKeys.listOfOrganization'>;
    /**
     * Exclude a personal API key from an organization.
     *
     * It keeps working in its other organizations. Its owner gets a mail.
     *
     * **Access:** `service-account:manage` in the organization of the path: OWNER, ADMIN.
     *
     * **Recorded as:** `api_key.exclude`.
     *
     * **Errors:** `not_found`, `second_factor_enrollment_required`, `key_refused`, `precondition_failed`.
     *
     * `DELETE /api/organizations/:id/api-keys/:keyId`
     */
    exclude: Operation<'apiKeys.exclude'>;
    /**
     * Get the key policy of an organization.
     *
     * **Access:** `organization:read` in the organization of the path: every role.
     *
     * **Errors:** `not_found`, `second_factor_enrollment_required`, `scope_missing`.
     *
     * `GET /api/organizations/:id/key-policy`
     */
    policy: Operation<'apiKeys.policy'>;
    /**
     * Change the key policy of an organization.
     *
     * Counts for existing keys too, at their next request.
     *
     * **Access:** `service-account:manage` in the organization of the path: OWNER, ADMIN.
     *
     * **Recorded as:** `organization.update`.
     *
     * **Errors:** `not_found`, `second_factor_enrollment_required`, `key_refused`, `personal_organization`, `precondition_failed`.
     *
     * `PATCH /api/organizations/:id/key-policy`
     */
    updatePolicy: Operation<'apiKeys.updatePolicy'>;
  };
  profile: {
    /**
     * Update the caller's profile.
     *
     * **Access:** any verified account.
     *
     * **Recorded as:** `user.update_profile`.
     *
     * **Errors:** `key_refused`, `precondition_failed`.
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
     * **Errors:** `key_refused`.
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
     * **Errors:** `key_refused`, `avatar_invalid`, `storage_unavailable`.
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
     * **Errors:** `key_refused`.
     *
     * `GET /api/timeline/user`
     */
    mine: ListOperation<'timeline.mine'>;
    /**
     * List all activity.
     *
     * **Access:** platform administrators; owners and admins within the team that the header selects; platform administrators confirmed within the last 10 minutes, unless they lead the team.
     *
     * **Errors:** `organization_required`, `second_factor_enrollment_required`, `not_admin`, `scope_missing`, `confirmation_required`.
     *
     * `GET /api/timeline`
     */
    list: ListOperation<'timeline.list'>;
    /**
     * List activity of a resource.
     *
     * **Access:** platform administrators; owners and admins within the team that the header selects; platform administrators confirmed within the last 10 minutes, unless they lead the team.
     *
     * **Errors:** `organization_required`, `second_factor_enrollment_required`, `not_admin`, `scope_missing`, `confirmation_required`.
     *
     * `GET /api/timeline/resource/:type/:id`
     */
    resource: ListOperation<'timeline.resource'>;
    /**
     * Count activity by action and by day.
     *
     * **Access:** platform administrators; owners and admins within the team that the header selects; platform administrators confirmed within the last 10 minutes, unless they lead the team.
     *
     * **Errors:** `organization_required`, `second_factor_enrollment_required`, `not_admin`, `scope_missing`, `confirmation_required`.
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
     * **Errors:** `organization_required`, `second_factor_enrollment_required`, `scope_missing`.
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
     * **Errors:** `scope_missing`.
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
     * **Errors:** `key_refused`, `plan_limit_reached`.
     *
     * `POST /api/organizations`
     */
    create: Operation<'organizations.create'>;
    /**
     * Get an organization.
     *
     * **Access:** `organization:read` in the organization of the path: every role.
     *
     * **Errors:** `not_found`, `second_factor_enrollment_required`, `scope_missing`.
     *
     * `GET /api/organizations/:id`
     */
    get: Operation<'organizations.get'>;
    /**
     * Rename an organization.
     *
     * Also sets whether new assets of a TEAM organization start with a public link, and what its mails disclose.
     *
     * **Access:** `organization:rename` in the organization of the path: OWNER, ADMIN.
     *
     * **Recorded as:** `organization.rename`, `organization.update`.
     *
     * **Errors:** `not_found`, `second_factor_enrollment_required`, `scope_missing`, `personal_organization`, `precondition_failed`.
     *
     * `PATCH /api/organizations/:id`
     */
    rename: Operation<'organizations.rename'>;
    /**
     * Decide whether members need a second factor.
     *
     * Members without one get a mail, and are refused in 14 days, in this organization only; so are their API keys. The owner who asks for it needs a second factor too. Service accounts need none.
     *
     * **Access:** `organization:secure` in the organization of the path: OWNER, confirmed within the last 10 minutes.
     *
     * **Recorded as:** `organization.change_security_policy`.
     *
     * **Errors:** `not_found`, `second_factor_enrollment_required`, `key_refused`, `confirmation_required`, `personal_organization`, `precondition_failed`.
     *
     * `PATCH /api/organizations/:id/security-policy`
     */
    updateSecurityPolicy: Operation<'organizations.updateSecurityPolicy'>;
    /**
     * Delete a TEAM organization.
     *
     * Its owner confirms with the exact name. Members lose access immediately; assets move to the bin.
     *
     * **Access:** `organization:delete` in the organization of the path: OWNER, confirmed within the last 10 minutes.
     *
     * **Recorded as:** `organization.delete`.
     *
     * **Errors:** `not_found`, `second_factor_enrollment_required`, `key_refused`, `confirmation_required`, `confirmation_mismatch`, `personal_organization`, `precondition_failed`.
     *
     * `DELETE /api/organizations/:id`
     */
    remove: Operation<'organizations.remove'>;
    /**
     * List members.
     *
     * **Access:** `member:read` in the organization of the path: every role.
     *
     * **Errors:** `not_found`, `second_factor_enrollment_required`, `scope_missing`.
     *
     * `GET /api/organizations/:id/members`
     */
    listMembers: ListOperation<'organizations.listMembers'>;
    /**
     * Remove a member.
     *
     * Remove yourself to leave. Only an owner can remove an owner. Revokes the open invitations of the member and aborts their uploads. Service accounts have operations of their own; here they are refused with `permission_denied`.
     *
     * **Access:** `member:remove` in the organization of the path: OWNER, ADMIN, MEMBER (own), VIEWER (own); confirmed within the last 10 minutes to give or take the role of an owner.
     *
     * **Recorded as:** `member.remove`.
     *
     * **Errors:** `not_found`, `second_factor_enrollment_required`, `scope_missing`, `confirmation_required`, `last_owner`, `personal_organization`, `precondition_failed`.
     *
     * `DELETE /api/organizations/:id/members/:memberId`
     */
    removeMember: Operation<'organizations.removeMember'>;
    /**
     * Update a member's role or status.
     *
     * Only an owner can grant or revoke the role of an owner. Revokes open invitations of the member to roles that they may no longer grant. Service accounts have operations of their own; here they are refused with `permission_denied`.
     *
     * **Access:** `member:manage` in the organization of the path: OWNER, ADMIN; confirmed within the last 10 minutes to give or take the role of an owner.
     *
     * **Recorded as:** `member.update`.
     *
     * **Errors:** `not_found`, `second_factor_enrollment_required`, `scope_missing`, `confirmation_required`, `last_owner`, `personal_organization`, `precondition_failed`.
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
     * **Errors:** `key_refused`, `not_found`, `invitation_gone`, `invitation_email_mismatch`, `already_member`, `plan_limit_reached`.
     *
     * `POST /api/organizations/invitations/:token/accept`
     */
    acceptInvitation: Operation<'organizations.acceptInvitation'>;
    /**
     * Invite a member.
     *
     * Emails a link that is valid for seven days. Inviting the same address again renews the invitation and replaces the link; within ten minutes of the last email, its link stays valid and no email is sent. An address gets at most five of these emails an hour, from all inviters together.
     *
     * **Access:** `invitation:manage` in the organization of the path: OWNER, ADMIN; confirmed within the last 10 minutes to give or take the role of an owner.
     *
     * **Limit:** 50 invitations per account in an hour.
     *
     * **Recorded as:** `invitation.create`.
     *
     * **Errors:** `not_found`, `second_factor_enrollment_required`, `scope_missing`, `confirmation_required`, `personal_organization`, `already_member`, `plan_limit_reached`.
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
     * **Errors:** `not_found`, `second_factor_enrollment_required`, `scope_missing`.
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
     * **Errors:** `not_found`, `second_factor_enrollment_required`, `scope_missing`, `invitation_gone`.
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
     * **Errors:** `organization_required`, `second_factor_enrollment_required`, `scope_missing`.
     *
     * `POST /api/collections/create`
     */
    create: Operation<'collections.create'>;
    /**
     * List collections.
     *
     * **Access:** `collection:read`: every role.
     *
     * **Errors:** `organization_required`, `second_factor_enrollment_required`, `scope_missing`.
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
     * **Errors:** `organization_required`, `second_factor_enrollment_required`, `scope_missing`.
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
     * **Errors:** `organization_required`, `second_factor_enrollment_required`, `scope_missing`, `not_found`, `collection_has_others_assets`.
     *
     * `POST /api/collections/:id/restore`
     */
    restore: Operation<'collections.restore'>;
    /**
     * Get a collection.
     *
     * **Access:** `collection:read`: every role.
     *
     * **Errors:** `organization_required`, `second_factor_enrollment_required`, `scope_missing`, `not_found`.
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
     * **Errors:** `organization_required`, `second_factor_enrollment_required`, `scope_missing`, `not_found`, `collection_has_others_assets`, `precondition_failed`.
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
     * **Errors:** `organization_required`, `second_factor_enrollment_required`, `scope_missing`, `not_found`, `precondition_failed`.
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
     * **Errors:** `organization_required`, `second_factor_enrollment_required`, `scope_missing`, `not_found`, `precondition_failed`.
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
     * **Errors:** `organization_required`, `second_factor_enrollment_required`, `scope_missing`.
     *
     * `GET /api/assets`
     */
    list: ListOperation<'assets.list'>;
    /**
     * List the caller's asset activity.
     *
     * **Access:** `asset:read`: every role.
     *
     * **Errors:** `organization_required`, `second_factor_enrollment_required`, `scope_missing`.
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
     * **Errors:** `organization_required`, `second_factor_enrollment_required`, `scope_missing`.
     *
     * `GET /api/assets/bin`
     */
    bin: ListOperation<'assets.bin'>;
    /**
     * Suggest tags of the organization.
     *
     * Examines the 5,000 tagged assets that changed last.
     *
     * **Access:** `asset:read`: every role.
     *
     * **Errors:** `organization_required`, `second_factor_enrollment_required`, `scope_missing`.
     *
     * `GET /api/assets/tags`
     */
    tags: Operation<'assets.tags'>;
    /**
     * Restore an asset from the bin.
     *
     * No-op when repeated.
     *
     * **Access:** `asset:delete`: OWNER, ADMIN, MEMBER (own).
     *
     * **Recorded as:** `asset.restore`.
     *
     * **Errors:** `organization_required`, `second_factor_enrollment_required`, `scope_missing`, `not_found`, `collection_deleted`.
     *
     * `POST /api/assets/:id/restore`
     */
    restore: Operation<'assets.restore'>;
    /**
     * Delete an asset in the bin permanently.
     *
     * It can’t be restored any more. Its content is removed from the storage soon after.
     *
     * **Access:** `asset:delete`: OWNER, ADMIN, MEMBER (own), confirmed within the last 10 minutes.
     *
     * **Recorded as:** `asset.purge`.
     *
     * **Errors:** `second_factor_enrollment_required`, `key_refused`, `confirmation_required`, `not_found`.
     *
     * `DELETE /api/assets/bin/:id`
     */
    purge: Operation<'assets.purge'>;
    /**
     * Empty the bin.
     *
     * Deletes permanently what the caller has created: assets, and collections that contain nothing of others; with `scope=organization`, everything, which is refused if the caller may not delete all of it. The first 500 assets and collections are gone at once, the others soon after.
     *
     * **Access:** `asset:delete`: OWNER, ADMIN, MEMBER (own), confirmed within the last 10 minutes.
     *
     * **Recorded as:** `organization.empty_bin`.
     *
     * **Errors:** `second_factor_enrollment_required`, `key_refused`, `confirmation_required`.
     *
     * `DELETE /api/assets/bin`
     */
    emptyBin: Operation<'assets.emptyBin'>;
    /**
     * List assets of a collection.
     *
     * **Access:** `asset:read`: every role.
     *
     * **Errors:** `organization_required`, `second_factor_enrollment_required`, `scope_missing`, `not_found`.
     *
     * `GET /api/assets/collection/:collectionId`
     */
    listInCollection: ListOperation<'assets.listInCollection'>;
    /**
     * Get asset details.
     *
     * **Access:** `asset:read`: every role.
     *
     * **Errors:** `organization_required`, `second_factor_enrollment_required`, `scope_missing`, `not_found`.
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
     * **Errors:** `organization_required`, `second_factor_enrollment_required`, `scope_missing`, `not_found`, `public_links_forbidden`, `precondition_failed`.
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
     * **Errors:** `organization_required`, `second_factor_enrollment_required`, `scope_missing`, `not_found`, `precondition_failed`.
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
     * **Errors:** `organization_required`, `second_factor_enrollment_required`, `scope_missing`, `not_found`, `precondition_failed`.
     *
     * `PATCH /api/assets/:id/favorite`
     */
    favorite: Operation<'assets.favorite'>;
    /**
     * Set the review status of a version.
     *
     * A new version starts with `NONE`; earlier ones keep their status. No-op when unchanged.
     *
     * **Access:** `asset:review`: OWNER, ADMIN, MEMBER.
     *
     * **Recorded as:** `asset.change_review`.
     *
     * **Errors:** `organization_required`, `second_factor_enrollment_required`, `scope_missing`, `not_found`, `precondition_failed`.
     *
     * `PUT /api/assets/:id/review`
     */
    review: Operation<'assets.review'>;
    /**
     * Set the cover of a PDF or video.
     *
     * For clients that have just uploaded the file: the service makes thumbnails of pictures only. The picture becomes the thumbnail of the version, re-encoded and without metadata. No-op if the version has a thumbnail.
     *
     * **Access:** `asset:edit`: OWNER, ADMIN, MEMBER (own).
     *
     * **Errors:** `organization_required`, `second_factor_enrollment_required`, `scope_missing`, `not_found`, `cover_unsupported`, `cover_invalid`, `storage_unavailable`.
     *
     * `PUT /api/assets/:id/cover`
     */
    setCover: Operation<'assets.setCover'>;
    /**
     * Get a presigned download URL.
     *
     * **Access:** `asset:read`: every role.
     *
     * **Errors:** `organization_required`, `second_factor_enrollment_required`, `scope_missing`, `not_found`, `storage_unavailable`.
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
     * **Errors:** `organization_required`, `second_factor_enrollment_required`, `scope_missing`, `not_found`, `publish_target_required`, `already_published`, `plan_limit_reached`.
     *
     * `POST /api/assets/:id/publish`
     */
    publish: Operation<'assets.publish'>;
    /**
     * List activity of an asset.
     *
     * **Access:** `asset:read`: every role.
     *
     * **Errors:** `organization_required`, `second_factor_enrollment_required`, `scope_missing`, `not_found`.
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
     * **Errors:** `organization_required`, `second_factor_enrollment_required`, `scope_missing`, `not_found`.
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
     * **Errors:** `organization_required`, `second_factor_enrollment_required`, `scope_missing`, `not_found`, `plan_limit_reached`, `precondition_failed`.
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
     * **Errors:** `organization_required`, `second_factor_enrollment_required`, `scope_missing`, `not_found`, `plan_limit_reached`, `too_many_open_uploads`, `storage_unavailable`.
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
     * **Errors:** `organization_required`, `second_factor_enrollment_required`, `scope_missing`, `not_found`, `upload_not_active`, `upload_already_completed`, `storage_unavailable`.
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
     * **Errors:** `organization_required`, `second_factor_enrollment_required`, `scope_missing`, `upload_mismatch`, `upload_not_active`, `upload_part_invalid`, `upload_part_too_small`, `upload_size_mismatch`, `plan_limit_reached`, `storage_unavailable`.
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
     * **Errors:** `organization_required`, `second_factor_enrollment_required`, `scope_missing`, `upload_mismatch`, `upload_already_completed`, `storage_unavailable`.
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
     * **Errors:** `organization_required`, `second_factor_enrollment_required`, `scope_missing`.
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
     * **Errors:** `organization_required`, `second_factor_enrollment_required`, `scope_missing`, `plan_limit_reached`.
     *
     * `POST /api/projects`
     */
    create: Operation<'projects.create'>;
    /**
     * Get a project.
     *
     * **Access:** `project:read`: every role.
     *
     * **Errors:** `organization_required`, `second_factor_enrollment_required`, `scope_missing`, `not_found`.
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
     * **Errors:** `organization_required`, `second_factor_enrollment_required`, `scope_missing`, `not_found`, `precondition_failed`.
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
     * **Errors:** `organization_required`, `second_factor_enrollment_required`, `scope_missing`, `not_found`, `plan_limit_reached`, `precondition_failed`.
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
     * **Errors:** `organization_required`, `second_factor_enrollment_required`, `scope_missing`, `not_found`, `precondition_failed`.
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
     * **Errors:** `organization_required`, `second_factor_enrollment_required`, `scope_missing`.
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
     * **Errors:** `organization_required`, `second_factor_enrollment_required`, `scope_missing`, `not_found`.
     *
     * `GET /api/projects/:projectId/tasks`
     */
    listInProject: ListOperation<'tasks.listInProject'>;
    /**
     * Create a task in a project.
     *
     * Adds it to the end of its column. With `parentId` it is a subtask; a subtask has none itself.
     *
     * **Access:** `task:create`: OWNER, ADMIN, MEMBER.
     *
     * **Recorded as:** `task.create`.
     *
     * **Errors:** `organization_required`, `second_factor_enrollment_required`, `scope_missing`, `not_found`, `assignee_not_member`, `project_archived`, `invalid_parent`, `too_many_subtasks`.
     *
     * `POST /api/projects/:projectId/tasks`
     */
    create: Operation<'tasks.create'>;
    /**
     * Get a task.
     *
     * **Access:** `task:read`: every role.
     *
     * **Errors:** `organization_required`, `second_factor_enrollment_required`, `scope_missing`, `not_found`.
     *
     * `GET /api/tasks/:id`
     */
    get: Operation<'tasks.get'>;
    /**
     * Delete a task.
     *
     * Its subtasks stay, as tasks of their own.
     *
     * **Access:** `task:delete`: OWNER, ADMIN, MEMBER.
     *
     * **Recorded as:** `task.delete`.
     *
     * **Errors:** `organization_required`, `second_factor_enrollment_required`, `scope_missing`, `not_found`, `precondition_failed`.
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
     * **Errors:** `organization_required`, `second_factor_enrollment_required`, `scope_missing`, `not_found`, `invalid_parent`, `too_many_subtasks`, `precondition_failed`.
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
     * **Errors:** `organization_required`, `second_factor_enrollment_required`, `scope_missing`, `not_found`, `conflict`, `precondition_failed`.
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
     * **Errors:** `organization_required`, `second_factor_enrollment_required`, `scope_missing`, `not_found`, `assignee_not_member`, `precondition_failed`.
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
     * **Errors:** `organization_required`, `second_factor_enrollment_required`, `scope_missing`, `not_found`.
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
     * **Errors:** `organization_required`, `second_factor_enrollment_required`, `scope_missing`, `not_found`.
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
     * **Errors:** `organization_required`, `second_factor_enrollment_required`, `scope_missing`, `not_found`, `precondition_failed`.
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
     * **Errors:** `organization_required`, `second_factor_enrollment_required`, `scope_missing`, `not_found`, `precondition_failed`.
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
     * **Errors:** `organization_required`, `second_factor_enrollment_required`, `scope_missing`.
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
     * **Errors:** `organization_required`, `second_factor_enrollment_required`, `scope_missing`.
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
     * **Errors:** `organization_required`, `second_factor_enrollment_required`, `scope_missing`, `label_exists`, `too_many_labels`.
     *
     * `POST /api/labels`
     */
    create: Operation<'labels.create'>;
    /**
     * Get a label.
     *
     * **Access:** `label:read`: every role.
     *
     * **Errors:** `organization_required`, `second_factor_enrollment_required`, `scope_missing`, `not_found`.
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
     * **Errors:** `organization_required`, `second_factor_enrollment_required`, `scope_missing`, `not_found`, `label_exists`, `precondition_failed`.
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
     * **Errors:** `organization_required`, `second_factor_enrollment_required`, `scope_missing`, `not_found`, `precondition_failed`.
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
     * **Errors:** `organization_required`, `second_factor_enrollment_required`, `scope_missing`, `not_found`, `precondition_failed`.
     *
     * `PUT /api/tasks/:id/labels`
     */
    set: Operation<'labels.set'>;
  };
  webhooks: {
    /**
     * List webhooks.
     *
     * Newest first. An organization has at most 20.
     *
     * **Access:** `webhook:manage` in the organization of the path: OWNER, ADMIN.
     *
     * **Errors:** `not_found`, `second_factor_enrollment_required`, `scope_missing`.
     *
     * `GET /api/organizations/:id/webhooks`
     */
    list: ListOperation<'webhooks.list'>;
    /**
     * Create a webhook.
     *
     * It gets what happens from now on; `replay` sends what was before.
     *
     * **Access:** `webhook:manage` in the organization of the path: OWNER, ADMIN.
     *
     * **Recorded as:** `webhook.create`.
     *
     * **Errors:** `not_found`, `second_factor_enrollment_required`, `key_refused`, `webhook_address_refused`, `too_many_webhooks`.
     *
     * `POST /api/organizations/:id/webhooks`
     */
    create: Operation<'webhooks.create'>;
    /**
     * Get a webhook.
     *
     * **Access:** `webhook:manage` in the organization of the path: OWNER, ADMIN.
     *
     * **Errors:** `not_found`, `second_factor_enrollment_required`, `scope_missing`.
     *
     * `GET /api/organizations/:id/webhooks/:webhookId`
     */
    get: Operation<'webhooks.get'>;
    /**
     * Change, pause or enable a webhook.
     *
     * **Access:** `webhook:manage` in the organization of the path: OWNER, ADMIN.
     *
     * **Recorded as:** `webhook.update`, `webhook.enable`, `webhook.disable`.
     *
     * **Errors:** `not_found`, `second_factor_enrollment_required`, `scope_missing`, `webhook_address_refused`, `precondition_failed`.
     *
     * `PATCH /api/organizations/:id/webhooks/:webhookId`
     */
    update: Operation<'webhooks.update'>;
    /**
     * Delete a webhook.
     *
     * What is pending is not sent any more.
     *
     * **Access:** `webhook:manage` in the organization of the path: OWNER, ADMIN.
     *
     * **Recorded as:** `webhook.delete`.
     *
     * **Errors:** `not_found`, `second_factor_enrollment_required`, `scope_missing`, `precondition_failed`.
     *
     * `DELETE /api/organizations/:id/webhooks/:webhookId`
     */
    remove: Operation<'webhooks.remove'>;
    /**
     * Replace the secret of a webhook.
     *
     * **Access:** `webhook:manage` in the organization of the path: OWNER, ADMIN, confirmed within the last 10 minutes.
     *
     * **Recorded as:** `webhook.rotate_secret`.
     *
     * **Errors:** `not_found`, `second_factor_enrollment_required`, `key_refused`, `confirmation_required`.
     *
     * `POST /api/organizations/:id/webhooks/:webhookId/rotate-secret`
     */
    rotateSecret: Operation<'webhooks.rotateSecret'>;
    /**
     * Send a test message to a webhook.
     *
     * **Access:** `webhook:manage` in the organization of the path: OWNER, ADMIN.
     *
     * **Recorded as:** `webhook.test`.
     *
     * **Errors:** `not_found`, `second_factor_enrollment_required`, `scope_missing`, `webhook_disabled`.
     *
     * `POST /api/organizations/:id/webhooks/:webhookId/test`
     */
    ping: Operation<'webhooks.ping'>;
    /**
     * List deliveries of a webhook.
     *
     * Newest first, of the last 30 days.
     *
     * **Access:** `webhook:manage` in the organization of the path: OWNER, ADMIN.
     *
     * **Errors:** `not_found`, `second_factor_enrollment_required`, `scope_missing`.
     *
     * `GET /api/organizations/:id/webhooks/:webhookId/deliveries`
     */
    listDeliveries: ListOperation<'webhooks.listDeliveries'>;
    /**
     * Get a delivery with its content and attempts.
     *
     * **Access:** `webhook:manage` in the organization of the path: OWNER, ADMIN.
     *
     * **Errors:** `not_found`, `second_factor_enrollment_required`, `scope_missing`.
     *
     * `GET /api/organizations/:id/webhooks/:webhookId/deliveries/:deliveryId`
     */
    getDelivery: Operation<'webhooks.getDelivery'>;
    /**
     * Send a message again.
     *
     * **Access:** `webhook:manage` in the organization of the path: OWNER, ADMIN.
     *
     * **Recorded as:** `webhook.resend`.
     *
     * **Errors:** `not_found`, `second_factor_enrollment_required`, `scope_missing`, `webhook_disabled`.
     *
     * `POST /api/organizations/:id/webhooks/:webhookId/deliveries/:deliveryId/resend`
     */
    resend: Operation<'webhooks.resend'>;
    /**
     * Send what happened in a period again.
     *
     * From the activity log, so also what the endpoint never got. At most 10,000 events, while at most 20,000 messages wait.
     *
     * **Access:** `webhook:manage` in the organization of the path: OWNER, ADMIN.
     *
     * **Recorded as:** `webhook.replay`.
     *
     * **Errors:** `not_found`, `second_factor_enrollment_required`, `scope_missing`, `webhook_disabled`, `webhook_replay_too_large`.
     *
     * `POST /api/organizations/:id/webhooks/:webhookId/replay`
     */
    replay: Operation<'webhooks.replay'>;
    /**
     * List the events of webhooks.
     *
     * **Access:** anyone, without a token.
     *
     * `GET /api/webhook-events`
     */
    listEvents: Operation<'webhooks.listEvents'>;
  };
  serviceAccounts: {
    /**
     * List service accounts.
     *
     * Newest first. An organization has at most 25.
     *
     * **Access:** `service-account:manage` in the organization of the path: OWNER, ADMIN.
     *
     * **Errors:** `not_found`, `second_factor_enrollment_required`, `key_refused`.
     *
     * `GET /api/organizations/:id/service-accounts`
     */
    list: ListOperation<'serviceAccounts.list'>;
    /**
     * Create a service account.
     *
     * It is listed among the members, by an address that ends with `@service.invalid`, and can be assigned. It does not count towards `memberCount` and the plan.
     *
     * **Access:** `service-account:manage` in the organization of the path: OWNER, ADMIN.
     *
     * **Recorded as:** `service_account.create`.
     *
     * **Errors:** `not_found`, `second_factor_enrollment_required`, `key_refused`, `personal_organization`, `too_many_service_accounts`.
     *
     * `POST /api/organizations/:id/service-accounts`
     */
    create: Operation<'serviceAccounts.create'>;
    /**
     * Change a service account.
     *
     * A new role counts for its keys at their next request.
     *
     * **Access:** `service-account:manage` in the organization of the path: OWNER, ADMIN.
     *
     * **Recorded as:** `service_account.update`.
     *
     * **Errors:** `not_found`, `second_factor_enrollment_required`, `key_refused`, `precondition_failed`.
     *
     * `PATCH /api/organizations/:id/service-accounts/:accountId`
     */
    update: Operation<'serviceAccounts.update'>;
    /**
     * Delete a service account.
     *
     * Ends its keys. What it made stays, and keeps naming it.
     *
     * **Access:** `service-account:manage` in the organization of the path: OWNER, ADMIN.
     *
     * **Recorded as:** `service_account.delete`.
     *
     * **Errors:** `not_found`, `second_factor_enrollment_required`, `key_refused`, `precondition_failed`.
     *
     * `DELETE /api/organizations/:id/service-accounts/:accountId`
     */
    remove: Operation<'serviceAccounts.remove'>;
    /**
     * List the API keys of a service account.
     *
     * Newest first; those that ended too.
     *
     * **Access:** `service-account:manage` in the organization of the path: OWNER, ADMIN.
     *
     * **Errors:** `not_found`, `second_factor_enrollment_required`, `key_refused`.
     *
     * `GET /api/organizations/:id/service-accounts/:accountId/keys`
     */
    listKeys: ListOperation<'serviceAccounts.listKeys'>;
    /**
     * Create an API key of a service account.
     *
     * It acts as the account, within its scopes and never beyond the current role. The response is the only one that has the key; an `Idempotency-Key` repeats it for an hour.
     *
     * **Access:** `service-account:manage` in the organization of the path: OWNER, ADMIN, confirmed within the last 10 minutes.
     *
     * **Recorded as:** `api_key.create`.
     *
     * **Errors:** `not_found`, `second_factor_enrollment_required`, `key_refused`, `confirmation_required`, `too_many_api_keys`.
     *
     * `POST /api/organizations/:id/service-accounts/:accountId/keys`
     */
    createKey: Operation<'serviceAccounts.createKey'>;
    /**
     * Replace an API key of a service account.
     *
     * The new key has the same name and scopes, and the same lifetime as far as the key policy allows. The old one ends at once, or after `overlapHours`.
     *
     * **Access:** `service-account:manage` in the organization of the path: OWNER, ADMIN, confirmed within the last 10 minutes.
     *
     * **Recorded as:** `api_key.rotate`.
     *
     * **Errors:** `not_found`, `second_factor_enrollment_required`, `key_refused`, `confirmation_required`, `api_key_ended`, `too_many_api_keys`.
     *
     * `POST /api/organizations/:id/service-accounts/:accountId/keys/:keyId/rotate`
     */
    rotateKey: Operation<'serviceAccounts.rotateKey'>;
    /**
     * Revoke an API key of a service account.
     *
     * Ends its requests and live streams.
     *
     * **Access:** `service-account:manage` in the organization of the path: OWNER, ADMIN.
     *
     * **Recorded as:** `api_key.revoke`.
     *
     * **Errors:** `not_found`, `second_factor_enrollment_required`, `key_refused`, `precondition_failed`.
     *
     * `DELETE /api/organizations/:id/service-accounts/:accountId/keys/:keyId`
     */
    revokeKey: Operation<'serviceAccounts.revokeKey'>;
  };
  account: {
    /**
     * Request another email for the caller's account.
     *
     * Mails a link to the new address, valid for 24 hours, and a notice to the present one. The response is the same for an address that is taken: its mailbox learns it. Another request replaces this one; a new password, or the end of all sessions, voids it. `email_change_blocked` for 7 days after a change was undone.
     *
     * **Access:** any verified account, confirmed within the last 10 minutes.
     *
     * **Limit:** 5 requests per account and per new email address in an hour.
     *
     * **Recorded as:** `user.request_email_change`.
     *
     * **Errors:** `key_refused`, `confirmation_required`, `email_change_blocked`.
     *
     * `POST /api/auth/user/email`
     */
    requestEmailChange: Operation<'account.requestEmailChange'>;
    /**
     * Change the email of an account.
     *
     * Takes the token of the mailed link. Other sessions end, other mailed links are void, and the former address gets a link that undoes the change for 7 days. Until then no other account can have that address.
     *
     * **Access:** anyone, without a token.
     *
     * **Recorded as:** `user.change_email`.
     *
     * **Errors:** `invalid_or_expired_token`.
     *
     * `POST /api/auth/email-change/confirm`
     */
    confirmEmailChange: Operation<'account.confirmEmailChange'>;
    /**
     * Undo a change of the email of an account.
     *
     * Takes the token of the link that the former address got. The account has that address again, whatever was changed since. All sessions end, the password no longer works, nor do passkeys that are younger than a week before the change, a waiting deletion is cancelled, and a link to choose a new password is mailed to the address.
     *
     * **Access:** anyone, without a token.
     *
     * **Recorded as:** `user.undo_email_change`.
     *
     * **Errors:** `invalid_or_expired_token`.
     *
     * `POST /api/auth/email-change/undo`
     */
    undoEmailChange: Operation<'account.undoEmailChange'>;
    /**
     * Export what the service keeps of the caller's account.
     *
     * Prepares one ZIP, and mails when it is ready: account, sessions, own activities, memberships, and what the person made in organizations that they are a member of. One at a time (`export_pending`), and at most 3 in 7 days: then 429 with `Retry-After`.
     *
     * **Access:** any verified account, confirmed within the last 10 minutes.
     *
     * **Recorded as:** `user.export`.
     *
     * **Errors:** `key_refused`, `confirmation_required`, `export_pending`.
     *
     * `POST /api/auth/user/export`
     */
    requestExport: Operation<'account.requestExport'>;
    /**
     * Get the newest export of the caller's account.
     *
     * **Access:** any verified account.
     *
     * **Errors:** `key_refused`.
     *
     * `GET /api/auth/user/export`
     */
    latestExport: Operation<'account.latestExport'>;
    /**
     * Get an export of the caller's account.
     *
     * An expired one is forgotten within minutes.
     *
     * **Access:** any verified account.
     *
     * **Errors:** `key_refused`, `not_found`.
     *
     * `GET /api/auth/user/export/:id`
     */
    getExport: Operation<'account.getExport'>;
    /**
     * Delete the caller's account in 14 days.
     *
     * All sessions end, API keys stop working, and signing in answers `account_deletion_pending`. An emailed link keeps the account until then. After that the personal organization is deleted; what the person made in teams stays, by “Deleted person”. With `last_owner`, `errors` lists the teams that would have no owner: the path ends with the id, the message is the name.
     *
     * **Access:** any verified account, confirmed within the last 10 minutes.
     *
     * **Recorded as:** `user.request_deletion`.
     *
     * **Errors:** `key_refused`, `confirmation_required`, `confirmation_mismatch`, `last_owner`, `conflict`.
     *
     * `POST /api/auth/user/deletion`
     */
    requestDeletion: Operation<'account.requestDeletion'>;
    /**
     * Keep an account that waits for its deletion.
     *
     * Takes the token of the emailed link. API keys work again; sessions stay ended.
     *
     * **Access:** anyone, without a token.
     *
     * **Recorded as:** `user.cancel_deletion`.
     *
     * **Errors:** `invalid_or_expired_token`.
     *
     * `POST /api/auth/deletion/cancel`
     */
    cancelDeletion: Operation<'account.cancelDeletion'>;
  };
  security: {
    /**
     * Get what protects the account.
     *
     * **Access:** any verified account.
     *
     * **Errors:** `key_refused`.
     *
     * `GET /api/auth/user/security`
     */
    overview: Operation<'security.overview'>;
    /**
     * Get a secret for an authenticator app.
     *
     * Nothing changes until a code of the app enables it; until then, an app that is in use keeps working. Each request makes another secret.
     *
     * **Access:** any verified account, confirmed within the last 10 minutes.
     *
     * **Errors:** `key_refused`, `confirmation_required`.
     *
     * `POST /api/auth/user/totp`
     */
    startTotp: Operation<'security.startTotp'>;
    /**
     * Turn on one-time codes.
     *
     * From now on, signing in and confirming take a second factor. Earlier recovery codes end, and other sessions have to confirm anew. If the response is lost, renew the recovery codes.
     *
     * **Access:** any verified account, confirmed within the last 10 minutes.
     *
     * **Recorded as:** `user.enable_totp`.
     *
     * **Errors:** `key_refused`, `confirmation_required`, `second_factor_invalid`, `not_found`.
     *
     * `POST /api/auth/user/totp/enable`
     */
    enableTotp: Operation<'security.enableTotp'>;
    /**
     * Turn off one-time codes.
     *
     * Without a passkey, the recovery codes end too. The confirmation has taken the second factor.
     *
     * **Access:** any verified account, confirmed within the last 10 minutes.
     *
     * **Recorded as:** `user.disable_totp`.
     *
     * **Errors:** `key_refused`, `confirmation_required`, `not_found`.
     *
     * `DELETE /api/auth/user/totp`
     */
    disableTotp: Operation<'security.disableTotp'>;
    /**
     * Replace the recovery codes.
     *
     * The old ones end. Only an account with one-time codes or a passkey has any.
     *
     * **Access:** any verified account, confirmed within the last 10 minutes.
     *
     * **Recorded as:** `user.renew_recovery_codes`.
     *
     * **Errors:** `key_refused`, `confirmation_required`, `not_found`.
     *
     * `POST /api/auth/user/recovery-codes`
     */
    renewRecoveryCodes: Operation<'security.renewRecoveryCodes'>;
    /**
     * Disconnect a sign-in provider.
     *
     * The provider no longer opens the account; sessions stay open. Signing in with it again connects it again if it vouches for the email of the account. `last_sign_in_method` if there would be no other way to sign in.
     *
     * **Access:** any verified account, confirmed within the last 10 minutes.
     *
     * **Recorded as:** `user.unlink_identity`.
     *
     * **Errors:** `key_refused`, `confirmation_required`, `not_found`, `last_sign_in_method`.
     *
     * `DELETE /api/auth/user/identities/:provider`
     */
    removeIdentity: Operation<'security.removeIdentity'>;
    /**
     * Replace the password by another.
     *
     * The session of the request stays open; mailed links to reset the password end. An account without a password gets one by a password reset.
     *
     * **Access:** any verified account.
     *
     * **Limit:** 10 failures per account in 15 minutes.
     *
     * **Recorded as:** `user.change_password`, `user.use_recovery_code`.
     *
     * **Errors:** `key_refused`, `invalid_credentials`, `second_factor_required`, `second_factor_invalid`.
     *
     * `PUT /api/auth/user/password`
     */
    changePassword: Operation<'security.changePassword'>;
    /**
     * Get a challenge for a passkey of the account.
     *
     * For a confirmation, or as the second factor of another operation in this session. For a sign-in, take that of `/api/auth/passkeys/challenge`.
     *
     * **Access:** any verified account.
     *
     * **Errors:** `key_refused`.
     *
     * `POST /api/auth/user/passkeys/challenge`
     */
    passkeyChallenge: Operation<'security.passkeyChallenge'>;
    /**
     * Get what the browser needs to make a passkey.
     *
     * **Access:** any verified account, confirmed within the last 10 minutes.
     *
     * **Errors:** `key_refused`, `confirmation_required`, `too_many_passkeys`.
     *
     * `POST /api/auth/user/passkeys/options`
     */
    startPasskey: Operation<'security.startPasskey'>;
    /**
     * Add a passkey.
     *
     * It signs in by itself, and is a second factor: from now on, signing in with a password takes one. Other sessions have to confirm anew. If the response is lost, `GET /api/auth/user/security` lists the passkey; renew the recovery codes then.
     *
     * **Access:** any verified account, confirmed within the last 10 minutes.
     *
     * **Recorded as:** `user.add_passkey`.
     *
     * **Errors:** `key_refused`, `confirmation_required`, `passkey_invalid`, `too_many_passkeys`.
     *
     * `POST /api/auth/user/passkeys`
     */
    addPasskey: Operation<'security.addPasskey'>;
    /**
     * Rename a passkey.
     *
     * **Access:** any verified account.
     *
     * **Errors:** `key_refused`, `not_found`.
     *
     * `PATCH /api/auth/user/passkeys/:id`
     */
    renamePasskey: Operation<'security.renamePasskey'>;
    /**
     * Remove a passkey.
     *
     * It opens the account no longer. With the last second factor, the recovery codes end too. `last_sign_in_method` if there would be no other way to sign in.
     *
     * **Access:** any verified account, confirmed within the last 10 minutes.
     *
     * **Recorded as:** `user.remove_passkey`.
     *
     * **Errors:** `key_refused`, `confirmation_required`, `not_found`, `last_sign_in_method`.
     *
     * `DELETE /api/auth/user/passkeys/:id`
     */
    removePasskey: Operation<'security.removePasskey'>;
  };
  notifications: {
    /**
     * List your notifications over all organizations.
     *
     * The newest first. The inbox has those that are neither archived nor snoozed. A notification is listed and counted only while you may read its subject.
     *
     * **Access:** any verified account.
     *
     * **Errors:** `key_refused`.
     *
     * `GET /api/notifications`
     */
    list: ListOperation<'notifications.list'>;
    /**
     * Count your unread notifications.
     *
     * **Access:** any verified account.
     *
     * **Errors:** `key_refused`.
     *
     * `GET /api/notifications/count`
     */
    count: Operation<'notifications.count'>;
    /**
     * Mark a notification as read or unread, archive it, or put it off.
     *
     * `If-Match` takes the `ETag` of the notification as it was shown: another event may have joined it.
     *
     * **Access:** any verified account.
     *
     * **Errors:** `key_refused`, `not_found`, `precondition_failed`.
     *
     * `PATCH /api/notifications/:id`
     */
    update: Operation<'notifications.update'>;
    /**
     * Mark the notifications of the inbox as read.
     *
     * **Access:** any verified account.
     *
     * **Errors:** `key_refused`.
     *
     * `POST /api/notifications/read`
     */
    read: Operation<'notifications.read'>;
    /**
     * Archive the notifications of the inbox.
     *
     * **Access:** any verified account.
     *
     * **Errors:** `key_refused`.
     *
     * `POST /api/notifications/archive`
     */
    archive: Operation<'notifications.archive'>;
    /**
     * Get whether you follow a task.
     *
     * Its creator, its assignees, and members who have commented or were mentioned follow it by themselves.
     *
     * **Access:** `task:read`: every role.
     *
     * **Errors:** `organization_required`, `second_factor_enrollment_required`, `scope_missing`, `not_found`.
     *
     * `GET /api/tasks/:id/follow`
     */
    following: Operation<'notifications.following'>;
    /**
     * Follow a task.
     *
     * **Access:** `task:read`: every role.
     *
     * **Errors:** `second_factor_enrollment_required`, `key_refused`, `not_found`.
     *
     * `PUT /api/tasks/:id/follow`
     */
    follow: Operation<'notifications.follow'>;
    /**
     * Stop following a task.
     *
     * Until you follow it again, whatever happens. Mentions and assignments still come.
     *
     * **Access:** `task:read`: every role.
     *
     * **Errors:** `second_factor_enrollment_required`, `key_refused`, `not_found`.
     *
     * `DELETE /api/tasks/:id/follow`
     */
    unfollow: Operation<'notifications.unfollow'>;
    /**
     * List the members who follow a task.
     *
     * **Access:** `task:read`: every role.
     *
     * **Errors:** `organization_required`, `second_factor_enrollment_required`, `scope_missing`, `not_found`.
     *
     * `GET /api/tasks/:id/followers`
     */
    followers: ListOperation<'notifications.followers'>;
    /**
     * Get what you are notified of.
     *
     * **Access:** any verified account.
     *
     * **Errors:** `key_refused`.
     *
     * `GET /api/notification-preferences`
     */
    preferences: Operation<'notifications.preferences'>;
    /**
     * Set what you are notified of.
     *
     * Counts for what happens from now on.
     *
     * **Access:** any verified account.
     *
     * **Errors:** `key_refused`, `precondition_failed`.
     *
     * `PUT /api/notification-preferences`
     */
    setPreferences: Operation<'notifications.setPreferences'>;
    /**
     * Switch off a kind of mail.
     *
     * With the token of a mail, without signing in. Mail programs send it for one click (RFC 8058), with a form that is not read. Always responds 200, which discloses nothing about the token.
     *
     * **Access:** anyone, without a token.
     *
     * `POST /api/notifications/unsubscribe`
     */
    unsubscribe: Operation<'notifications.unsubscribe'>;
  };
  search: {
    /**
     * Search across everything that you may read.
     *
     * All words of `q` must occur; case and accents do not matter, and the last word may be a beginning unless a space follows. `"two words"` occur in this order, `-word` does not occur, and `WEB-12` is the task with this key. Filters: `type:task`, `in:WEB`, `by:ada`, `assignee:me`, `is:overdue` (or `open`, `done`), `after:2026-11-01`, `before:2026-12-01`; several of one kind are alternatives. At most 12 words count. With fewer than 5 hits, titles with similar words follow. An API key finds only what its scopes let it read.
     *
     * **Access:** `search:use`: every role.
     *
     * **Limit:** 60 requests per caller in a minute.
     *
     * **Errors:** `organization_required`, `second_factor_enrollment_required`, `scope_missing`, `search_query_invalid`.
     *
     * `GET /api/search`
     */
    find: ListOperation<'search.find'>;
    /**
     * Suggest what a query may mean while it is typed.
     *
     * Looks at titles, names and keys only. `q` is read as by the search.
     *
     * **Access:** `search:use`: every role.
     *
     * **Limit:** 240 requests per caller in a minute.
     *
     * **Errors:** `organization_required`, `second_factor_enrollment_required`, `scope_missing`, `search_query_invalid`.
     *
     * `GET /api/search/suggest`
     */
    suggest: Operation<'search.suggest'>;
    /**
     * Build the search index of an organization anew.
     *
     * **Access:** `organization:rename` in the organization of the path: OWNER, ADMIN.
     *
     * **Limit:** one request per organization in an hour.
     *
     * **Errors:** `not_found`, `second_factor_enrollment_required`, `scope_missing`.
     *
     * `POST /api/organizations/:id/search/rebuild`
     */
    rebuild: Operation<'search.rebuild'>;
  };
  assetComments: {
    /**
     * List comments on an asset.
     *
     * Oldest first, with replies among them.
     *
     * **Access:** `asset-comment:read`: every role.
     *
     * **Errors:** `organization_required`, `second_factor_enrollment_required`, `scope_missing`, `not_found`.
     *
     * `GET /api/assets/:id/comments`
     */
    list: ListOperation<'assetComments.list'>;
    /**
     * Post a comment on an asset.
     *
     * **Access:** `asset-comment:create`: OWNER, ADMIN, MEMBER.
     *
     * **Recorded as:** `asset_comment.create`.
     *
     * **Errors:** `organization_required`, `second_factor_enrollment_required`, `scope_missing`, `not_found`.
     *
     * `POST /api/assets/:id/comments`
     */
    create: Operation<'assetComments.create'>;
    /**
     * List comments on times of a recording as markers.
     *
     * For editing programs. The earliest time first, at most 1,000.
     *
     * **Access:** `asset-comment:read`: every role.
     *
     * **Errors:** `organization_required`, `second_factor_enrollment_required`, `scope_missing`, `not_found`.
     *
     * `GET /api/assets/:id/comments/markers`
     */
    markers: Operation<'assetComments.markers'>;
    /**
     * Edit a comment on an asset.
     *
     * For its author only.
     *
     * **Access:** `asset-comment:edit`: OWNER (own), ADMIN (own), MEMBER (own).
     *
     * **Recorded as:** `asset_comment.update`.
     *
     * **Errors:** `organization_required`, `second_factor_enrollment_required`, `scope_missing`, `not_found`, `precondition_failed`.
     *
     * `PATCH /api/assets/:id/comments/:commentId`
     */
    update: Operation<'assetComments.update'>;
    /**
     * Delete a comment on an asset.
     *
     * With its replies. For its author, admins and owners; a comment of a guest, for all who may comment.
     *
     * **Access:** `asset-comment:delete`: OWNER, ADMIN, MEMBER (own).
     *
     * **Recorded as:** `asset_comment.delete`.
     *
     * **Errors:** `organization_required`, `second_factor_enrollment_required`, `scope_missing`, `not_found`, `precondition_failed`.
     *
     * `DELETE /api/assets/:id/comments/:commentId`
     */
    remove: Operation<'assetComments.remove'>;
    /**
     * Resolve or reopen a comment on an asset.
     *
     * No-op when unchanged. A reply is refused: its comment is resolved.
     *
     * **Access:** `asset-comment:resolve`: OWNER, ADMIN, MEMBER.
     *
     * **Recorded as:** `asset_comment.resolve`, `asset_comment.reopen`.
     *
     * **Errors:** `organization_required`, `second_factor_enrollment_required`, `scope_missing`, `not_found`, `precondition_failed`.
     *
     * `PATCH /api/assets/:id/comments/:commentId/resolve`
     */
    resolve: Operation<'assetComments.resolve'>;
  };
  shares: {
    /**
     * Share an asset or a collection by a link.
     *
     * An organization has at most 500 shares that have not ended.
     *
     * **Access:** `share:create`: OWNER, ADMIN, MEMBER.
     *
     * **Recorded as:** `share.create`.
     *
     * **Errors:** `organization_required`, `second_factor_enrollment_required`, `scope_missing`, `not_found`, `share_policy`, `too_many_shares`, `too_many_pinned_assets`.
     *
     * `POST /api/shares`
     */
    create: Operation<'shares.create'>;
    /**
     * List shares.
     *
     * Newest first. Members list their own; owners and admins all.
     *
     * **Access:** `share:read`: OWNER, ADMIN, MEMBER.
     *
     * **Errors:** `organization_required`, `second_factor_enrollment_required`, `scope_missing`.
     *
     * `GET /api/shares`
     */
    list: ListOperation<'shares.list'>;
    /**
     * List the public links of assets.
     *
     * Members list those of their own assets; owners and admins all. All of them, together with all shares, are everything that the organization shows to outsiders. `assets.update` ends one.
     *
     * **Access:** `share:read`: OWNER, ADMIN, MEMBER.
     *
     * **Errors:** `organization_required`, `second_factor_enrollment_required`, `scope_missing`.
     *
     * `GET /api/shares/public-links`
     */
    publicLinks: ListOperation<'shares.publicLinks'>;
    /**
     * Get a share.
     *
     * **Access:** `share:read`: OWNER, ADMIN, MEMBER.
     *
     * **Errors:** `organization_required`, `second_factor_enrollment_required`, `scope_missing`, `not_found`.
     *
     * `GET /api/shares/:id`
     */
    get: Operation<'shares.get'>;
    /**
     * Change the conditions of a share.
     *
     * Counts for visits that are under way too, at their next request.
     *
     * **Access:** `share:manage`: OWNER, ADMIN, MEMBER (own).
     *
     * **Recorded as:** `share.update`.
     *
     * **Errors:** `organization_required`, `second_factor_enrollment_required`, `scope_missing`, `not_found`, `share_revoked`, `share_policy`, `too_many_shares`, `too_many_pinned_assets`, `precondition_failed`.
     *
     * `PATCH /api/shares/:id`
     */
    update: Operation<'shares.update'>;
    /**
     * End a share.
     *
     * Visits end at their next request. It stays listed for 90 days, as REVOKED; ending it again is `not_found`.
     *
     * **Access:** `share:manage`: OWNER, ADMIN, MEMBER (own).
     *
     * **Recorded as:** `share.revoke`.
     *
     * **Errors:** `organization_required`, `second_factor_enrollment_required`, `scope_missing`, `not_found`, `precondition_failed`.
     *
     * `DELETE /api/shares/:id`
     */
    remove: Operation<'shares.remove'>;
    /**
     * Replace the link of a share.
     *
     * The old link no longer works, and visits by it end.
     *
     * **Access:** `share:manage`: OWNER, ADMIN, MEMBER (own).
     *
     * **Recorded as:** `share.rotate`.
     *
     * **Errors:** `organization_required`, `second_factor_enrollment_required`, `scope_missing`, `not_found`, `share_revoked`.
     *
     * `POST /api/shares/:id/rotate`
     */
    rotate: Operation<'shares.rotate'>;
    /**
     * List what visitors of a share did.
     *
     * Newest first, of the last 90 days; up to 5 seconds old.
     *
     * **Access:** `share:read`: OWNER, ADMIN, MEMBER.
     *
     * **Errors:** `organization_required`, `second_factor_enrollment_required`, `scope_missing`, `not_found`.
     *
     * `GET /api/shares/:id/views`
     */
    views: ListOperation<'shares.views'>;
    /**
     * Open a share.
     *
     * Anyone who has its link, and its password if it has one. Each opening counts towards `maxOpenings`, also one that only renews a ticket.
     *
     * **Access:** anyone, without a token.
     *
     * **Errors:** `share_not_found`, `share_password_required`, `share_password_wrong`.
     *
     * `POST /api/public/shares/open`
     */
    open: Operation<'shares.open'>;
    /**
     * Get the share that is visited.
     *
     * **Access:** visitors of a share, with a ticket.
     *
     * **Limit:** 300 requests per ticket in a minute.
     *
     * **Errors:** `share_not_found`.
     *
     * `GET /api/public/share`
     */
    shared: Operation<'shares.shared'>;
    /**
     * List the assets of the share that is visited.
     *
     * Newest first.
     *
     * **Access:** visitors of a share, with a ticket.
     *
     * **Limit:** 300 requests per ticket in a minute.
     *
     * **Errors:** `share_not_found`.
     *
     * `GET /api/public/share/assets`
     */
    sharedAssets: ListOperation<'shares.sharedAssets'>;
    /**
     * Get an asset of the share that is visited.
     *
     * **Access:** visitors of a share, with a ticket.
     *
     * **Limit:** 300 requests per ticket in a minute.
     *
     * **Errors:** `share_not_found`.
     *
     * `GET /api/public/share/assets/:id`
     */
    sharedAsset: Operation<'shares.sharedAsset'>;
    /**
     * Get the address of a file of the share that is visited.
     *
     * **Access:** visitors of a share, with a ticket.
     *
     * **Limit:** 300 requests per ticket in a minute.
     *
     * **Errors:** `share_not_found`, `share_download_off`.
     *
     * `GET /api/public/share/assets/:id/download`
     */
    sharedDownload: Operation<'shares.sharedDownload'>;
    /**
     * List the comments of the share that is visited on an asset.
     *
     * What its visitors wrote, and what members replied to that. Oldest first, with replies among them.
     *
     * **Access:** visitors of a share, with a ticket.
     *
     * **Limit:** 300 requests per ticket in a minute.
     *
     * **Errors:** `share_not_found`, `share_comments_off`.
     *
     * `GET /api/public/share/assets/:id/comments`
     */
    sharedComments: ListOperation<'shares.sharedComments'>;
    /**
     * Post a comment on an asset of the share that is visited.
     *
     * Members see it among the comments of the asset. Visitors cannot edit or delete it, and cannot mention anyone.
     *
     * **Access:** visitors of a share, with a ticket.
     *
     * **Limit:** 30 comments per ticket and 200 per share in an hour.
     *
     * **Recorded as:** `asset_comment.create`.
     *
     * **Errors:** `share_not_found`, `share_comments_off`.
     *
     * `POST /api/public/share/assets/:id/comments`
     */
    createSharedComment: Operation<'shares.createSharedComment'>;
    /**
     * Get the share policy of an organization.
     *
     * **Access:** `organization:read` in the organization of the path: every role.
     *
     * **Errors:** `not_found`, `second_factor_enrollment_required`, `scope_missing`.
     *
     * `GET /api/organizations/:id/share-policy`
     */
    policy: Operation<'shares.policy'>;
    /**
     * Change the share policy of an organization.
     *
     * Counts for existing shares too. Those that are not allowed or lack a required password end, those that last longer are shortened, and downloads that are not allowed are switched off.
     *
     * **Access:** `organization:rename` in the organization of the path: OWNER, ADMIN.
     *
     * **Recorded as:** `organization.change_share_policy`.
     *
     * **Errors:** `not_found`, `second_factor_enrollment_required`, `scope_missing`, `precondition_failed`.
     *
     * `PATCH /api/organizations/:id/share-policy`
     */
    updatePolicy: Operation<'shares.updatePolicy'>;
  };
  taskAssets: {
    /**
     * List the assets that are attached to a task.
     *
     * Those in the bin are left out until they are restored.
     *
     * **Access:** `asset:read`: every role.
     *
     * **Errors:** `organization_required`, `second_factor_enrollment_required`, `scope_missing`, `not_found`.
     *
     * `GET /api/tasks/:id/assets`
     */
    list: ListOperation<'taskAssets.list'>;
    /**
     * Attach an asset to a task.
     *
     * No-op when it is attached already. A task has at most 50.
     *
     * **Access:** `task:edit`: OWNER, ADMIN, MEMBER.
     *
     * **Recorded as:** `task.attach`.
     *
     * **Errors:** `organization_required`, `second_factor_enrollment_required`, `scope_missing`, `not_found`, `too_many_task_assets`.
     *
     * `PUT /api/tasks/:id/assets/:assetId`
     */
    attach: Operation<'taskAssets.attach'>;
    /**
     * Detach an asset from a task.
     *
     * The asset itself stays.
     *
     * **Access:** `task:edit`: OWNER, ADMIN, MEMBER.
     *
     * **Recorded as:** `task.detach`.
     *
     * **Errors:** `organization_required`, `second_factor_enrollment_required`, `scope_missing`, `not_found`.
     *
     * `DELETE /api/tasks/:id/assets/:assetId`
     */
    detach: Operation<'taskAssets.detach'>;
  };
  approvals: {
    /**
     * List calls of assistants that a person decides on.
     *
     * Newest first. They are removed after 7 days. Without a role that decides on all: your own.
     *
     * **Access:** `organization:read`: every role.
     *
     * **Errors:** `second_factor_enrollment_required`, `key_refused`.
     *
     * `GET /api/approvals`
     */
    list: ListOperation<'approvals.list'>;
    /**
     * Request the approval of a call.
     *
     * For the API key of an assistant. As long as one for the same call waits or is approved, and for 10 minutes after it was refused, the response is that one. With a session: 404.
     *
     * **Access:** `organization:read`: every role.
     *
     * **Recorded as:** `approval.request`.
     *
     * **Errors:** `organization_required`, `second_factor_enrollment_required`, `not_found`, `scope_missing`, `too_many_approvals`.
     *
     * `POST /api/approvals`
     */
    request: Operation<'approvals.request'>;
    /**
     * Get an approval.
     *
     * **Access:** `approval:decide`: OWNER, ADMIN, MEMBER (own), VIEWER (own).
     *
     * **Errors:** `second_factor_enrollment_required`, `key_refused`, `not_found`.
     *
     * `GET /api/approvals/:id`
     */
    get: Operation<'approvals.get'>;
    /**
     * Approve a call of an assistant.
     *
     * The same call with the same key succeeds once, within 10 minutes. No-op when repeated.
     *
     * **Access:** `approval:decide`: OWNER, ADMIN, MEMBER (own), VIEWER (own).
     *
     * **Recorded as:** `approval.approve`.
     *
     * **Errors:** `second_factor_enrollment_required`, `key_refused`, `not_found`, `approval_ended`.
     *
     * `POST /api/approvals/:id/approve`
     */
    approve: Operation<'approvals.approve'>;
    /**
     * Refuse a call of an assistant.
     *
     * Also takes back an approval that was not used. No-op when repeated.
     *
     * **Access:** `approval:decide`: OWNER, ADMIN, MEMBER (own), VIEWER (own).
     *
     * **Recorded as:** `approval.refuse`.
     *
     * **Errors:** `second_factor_enrollment_required`, `key_refused`, `not_found`, `approval_ended`.
     *
     * `POST /api/approvals/:id/refuse`
     */
    refuse: Operation<'approvals.refuse'>;
  };
}
