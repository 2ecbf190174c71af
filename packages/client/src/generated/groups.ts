// Made from @atelier/contract by scripts/generate.ts; change the contract, not this file.
import type { ListOperation, Navigation, Operation, Streaming } from '../types.ts';

/** Every operation by group and name. */
export interface OperationGroups {
  health: {
    /**
     * Liveness probe.
     *
     * Answers without any I/O.
     *
     * `GET /health`
     */
    live: Operation<'health.live'>;
    /**
     * Readiness probe.
     *
     * Asks the database and the object storage; 503 names the one that is away, or says that the process is stopping.
     *
     * `GET /health/ready`
     */
    ready: Operation<'health.ready'>;
  };
  auth: {
    /**
     * Create an account.
     *
     * Mails a link that verifies the address, and voids those mailed before. The answer is the same for an address that is taken.
     *
     * `POST /api/auth/register`
     */
    register: Operation<'auth.register'>;
    /**
     * Verify the email of a new account.
     *
     * An address that was registered with different passwords loses them all: `resetToken` is for choosing one.
     *
     * `POST /api/auth/verify-email`
     */
    verifyEmail: Operation<'auth.verifyEmail'>;
    /**
     * Request a password reset.
     *
     * Mails a link when the account exists; the answer is always the same.
     *
     * `POST /api/auth/request-password-reset`
     */
    requestPasswordReset: Operation<'auth.requestPasswordReset'>;
    /**
     * Change the password.
     *
     * Ends every session of the account. Also verifies an account that was pending.
     *
     * `POST /api/auth/reset-password`
     */
    resetPassword: Operation<'auth.resetPassword'>;
    /**
     * Check a password-reset token.
     *
     * Read-only; does not use the token up.
     *
     * `GET /api/auth/verify-token`
     */
    verifyToken: Operation<'auth.verifyToken'>;
    /**
     * Log in.
     *
     * `POST /api/auth/login`
     */
    login: Operation<'auth.login'>;
    /**
     * Begin sign-in through Google.
     *
     * For browser navigation: redirects to the provider.
     *
     * `GET /api/auth/google`
     */
    startGoogle: Navigation<'auth.startGoogle'>;
    /**
     * Google callback.
     *
     * Redirects to `{app_url}/loading?code=…&is_new=…` with a code for one use within 60 seconds, or to `{app_url}/loading?error=…` with one of `access_denied`, `invalid_state`, `provider_error`, `provider_unavailable`, `email_unverified`, `account_suspended`, `server_error`.
     *
     * `GET /api/auth/google/callback`
     */
    googleCallback: Navigation<'auth.googleCallback'>;
    /**
     * Begin sign-in through GitHub.
     *
     * For browser navigation: redirects to the provider.
     *
     * `GET /api/auth/github`
     */
    startGithub: Navigation<'auth.startGithub'>;
    /**
     * GitHub callback.
     *
     * Redirects to `{app_url}/loading?code=…&is_new=…` with a code for one use within 60 seconds, or to `{app_url}/loading?error=…` with one of `access_denied`, `invalid_state`, `provider_error`, `provider_unavailable`, `email_unverified`, `account_suspended`, `server_error`.
     *
     * `GET /api/auth/github/callback`
     */
    githubCallback: Navigation<'auth.githubCallback'>;
    /**
     * Trade the single-use code for a session.
     *
     * A code of a sign-in that began with a `challenge` takes the `verifier` of it, and one of any other sign-in takes none. A wrong one does not use the code up.
     *
     * `POST /api/auth/oauth/exchange`
     */
    exchange: Operation<'auth.exchange'>;
    /**
     * The authenticated user.
     *
     * `GET /api/auth/user`
     */
    user: Operation<'auth.user'>;
    /**
     * Rotate the refresh token.
     *
     * The presented token is used up. Presenting a revoked one ends every session of its user, who is told by mail and by the activity `user.token_replay`.
     *
     * `POST /api/auth/refresh-token`
     */
    refresh: Operation<'auth.refresh'>;
    /**
     * End the session of a refresh token.
     *
     * Always 200, so that nothing is disclosed about the token.
     *
     * `POST /api/auth/logout`
     */
    logout: Operation<'auth.logout'>;
  };
  sessions: {
    /**
     * List the caller's open sessions.
     *
     * The last used first.
     *
     * `GET /api/auth/sessions`
     */
    list: ListOperation<'sessions.list'>;
    /**
     * End one of the caller's sessions.
     *
     * Its tokens work no more, at once. The current session can be ended too. Other sessions stay, also when the ended device tries to refresh.
     *
     * `DELETE /api/auth/sessions/:id`
     */
    end: Operation<'sessions.end'>;
    /**
     * End all the caller's sessions but the current one.
     *
     * `DELETE /api/auth/sessions`
     */
    endOthers: Operation<'sessions.endOthers'>;
  };
  profile: {
    /**
     * Update the caller's profile.
     *
     * `PATCH /api/auth/user/profile`
     */
    update: Operation<'profile.update'>;
    /**
     * Get a presigned address for an avatar.
     *
     * The address takes exactly the declared type and number of bytes.
     *
     * `POST /api/auth/user/avatar-upload`
     */
    startAvatarUpload: Operation<'profile.startAvatarUpload'>;
    /**
     * Finalize an avatar upload.
     *
     * Checks the uploaded picture, cuts it to a square of 512 pixels without metadata, and shows it from now on. Repeating a success changes nothing.
     *
     * `POST /api/auth/user/avatar-upload/complete`
     */
    completeAvatarUpload: Operation<'profile.completeAvatarUpload'>;
  };
  plans: {
    /**
     * List all plans.
     *
     * Cheapest first.
     *
     * `GET /api/plan`
     */
    list: ListOperation<'plans.list'>;
  };
  timeline: {
    /**
     * Activity of the caller.
     *
     * `GET /api/timeline/user`
     */
    mine: ListOperation<'timeline.mine'>;
    /**
     * All activity.
     *
     * `GET /api/timeline`
     */
    list: ListOperation<'timeline.list'>;
    /**
     * Activity of one resource.
     *
     * `GET /api/timeline/resource/:type/:id`
     */
    resource: ListOperation<'timeline.resource'>;
    /**
     * Counts by action and by day.
     *
     * `GET /api/timeline/summary`
     */
    summary: Operation<'timeline.summary'>;
  };
  events: {
    /**
     * Live changes in the organization.
     *
     * Server-Sent Events. Each change arrives once, after the changes it was based on, and only if the role may read the resource. With `Last-Event-ID` the stream goes on where another one ended.
     *
     * `GET /api/events`
     */
    subscribe: Streaming<'events.subscribe'>;
  };
  organizations: {
    /**
     * List organizations the caller belongs to.
     *
     * `GET /api/organizations`
     */
    list: ListOperation<'organizations.list'>;
    /**
     * Create an organization.
     *
     * A TEAM organization with the caller as its owner.
     *
     * `POST /api/organizations`
     */
    create: Operation<'organizations.create'>;
    /**
     * Retrieve an organization.
     *
     * `GET /api/organizations/:id`
     */
    get: Operation<'organizations.get'>;
    /**
     * Rename an organization.
     *
     * Also says whether new assets of a TEAM organization start with a public link.
     *
     * `PATCH /api/organizations/:id`
     */
    rename: Operation<'organizations.rename'>;
    /**
     * Delete a TEAM organization.
     *
     * Its owner confirms by the exact name. Members lose access at once; assets go into the bin.
     *
     * `DELETE /api/organizations/:id`
     */
    remove: Operation<'organizations.remove'>;
    /**
     * List members.
     *
     * `GET /api/organizations/:id/members`
     */
    listMembers: ListOperation<'organizations.listMembers'>;
    /**
     * Remove a member.
     *
     * Removing yourself is leaving. Only an owner removes an owner. Open invitations of the member are revoked, and uploads under way aborted.
     *
     * `DELETE /api/organizations/:id/members/:memberId`
     */
    removeMember: Operation<'organizations.removeMember'>;
    /**
     * Update a member's role or status.
     *
     * Only an owner grants or takes the role of an owner. Open invitations of the member that offer more than the member may still grant are revoked.
     *
     * `PATCH /api/organizations/:id/members/:memberId`
     */
    updateMember: Operation<'organizations.updateMember'>;
    /**
     * Retrieve an invitation by token.
     *
     * Needs no login; the email is masked.
     *
     * `GET /api/organizations/invitations/:token`
     */
    getInvitation: Operation<'organizations.getInvitation'>;
    /**
     * Accept an invitation.
     *
     * The email of the account must be the invited one.
     *
     * `POST /api/organizations/invitations/:token/accept`
     */
    acceptInvitation: Operation<'organizations.acceptInvitation'>;
    /**
     * Invite a member.
     *
     * Mails a link that is good for seven days. Inviting the same address again renews the invitation and replaces the link; within ten minutes of the last mail, that mail and its link stay good instead. A mailbox gets five of these mails an hour, whoever invites it.
     *
     * `POST /api/organizations/:id/invitations`
     */
    invite: Operation<'organizations.invite'>;
    /**
     * List invitations.
     *
     * Newest first.
     *
     * `GET /api/organizations/:id/invitations`
     */
    listInvitations: ListOperation<'organizations.listInvitations'>;
    /**
     * Revoke an invitation.
     *
     * Its link is void at once. Revoking it again changes nothing.
     *
     * `DELETE /api/organizations/:id/invitations/:invitationId`
     */
    revokeInvitation: Operation<'organizations.revokeInvitation'>;
  };
  collections: {
    /**
     * Create a collection.
     *
     * `POST /api/collections/create`
     */
    create: Operation<'collections.create'>;
    /**
     * List collections.
     *
     * `GET /api/collections`
     */
    list: ListOperation<'collections.list'>;
    /**
     * List deleted collections.
     *
     * Latest deleted first.
     *
     * `GET /api/collections/bin`
     */
    bin: ListOperation<'collections.bin'>;
    /**
     * Restore a collection from the bin.
     *
     * The assets that were deleted with it come back too; the caller must be allowed to restore each. Repeating it changes nothing.
     *
     * `POST /api/collections/:id/restore`
     */
    restore: Operation<'collections.restore'>;
    /**
     * Get one collection.
     *
     * `GET /api/collections/:id`
     */
    get: Operation<'collections.get'>;
    /**
     * Delete a collection.
     *
     * Takes its assets along into the bin, where both stay for 30 days; the caller must be allowed to delete each.
     *
     * `DELETE /api/collections/:id`
     */
    remove: Operation<'collections.remove'>;
    /**
     * Update the title of a collection.
     *
     * `PATCH /api/collections/:id`
     */
    rename: Operation<'collections.rename'>;
    /**
     * Favorite or unfavorite a collection.
     *
     * `PATCH /api/collections/:id/favorite`
     */
    favorite: Operation<'collections.favorite'>;
  };
  assets: {
    /**
     * List assets in the current scope.
     *
     * `GET /api/assets`
     */
    list: ListOperation<'assets.list'>;
    /**
     * The caller's asset activity.
     *
     * `GET /api/assets/logs`
     */
    myLogs: ListOperation<'assets.myLogs'>;
    /**
     * List deleted assets.
     *
     * Latest deleted first.
     *
     * `GET /api/assets/bin`
     */
    bin: ListOperation<'assets.bin'>;
    /**
     * Restore an asset from the bin.
     *
     * Repeating it changes nothing.
     *
     * `POST /api/assets/:id/restore`
     */
    restore: Operation<'assets.restore'>;
    /**
     * Assets of one collection.
     *
     * `GET /api/assets/collection/:collectionId`
     */
    listInCollection: ListOperation<'assets.listInCollection'>;
    /**
     * Get asset details.
     *
     * `GET /api/assets/:id`
     */
    get: Operation<'assets.get'>;
    /**
     * Update an asset.
     *
     * `PATCH /api/assets/:id`
     */
    update: Operation<'assets.update'>;
    /**
     * Delete an asset.
     *
     * Moves it to the bin, where it stays for 30 days.
     *
     * `DELETE /api/assets/:id`
     */
    remove: Operation<'assets.remove'>;
    /**
     * Favorite or unfavorite an asset.
     *
     * `PATCH /api/assets/:id/favorite`
     */
    favorite: Operation<'assets.favorite'>;
    /**
     * Get a presigned download address.
     *
     * `GET /api/assets/:id/download`
     */
    download: Operation<'assets.download'>;
    /**
     * Publish a personal asset into the organization.
     *
     * The header names a TEAM organization; it gets an asset of its own on the same content. Publishing again after a change of the content adds a version to it; another name is no change.
     *
     * `POST /api/assets/:id/publish`
     */
    publish: Operation<'assets.publish'>;
    /**
     * Activity of one asset.
     *
     * `GET /api/assets/:id/asset-logs`
     */
    logs: ListOperation<'assets.logs'>;
    /**
     * All versions of an asset.
     *
     * Newest first.
     *
     * `GET /api/assets/:id/versions`
     */
    versions: ListOperation<'assets.versions'>;
    /**
     * Restore a version of an asset.
     *
     * Appends a version with the old content; content that is current already changes nothing. The name stays.
     *
     * `PATCH /api/assets/:id/versions/restore/:versionNumber`
     */
    restoreVersion: Operation<'assets.restoreVersion'>;
    /**
     * Follow the short public address of an asset.
     *
     * Redirects to a fresh presigned address while the public link is on.
     *
     * `GET /s/:code`
     */
    followShortLink: Navigation<'assets.followShortLink'>;
  };
  uploads: {
    /**
     * Start a multipart upload to object storage.
     *
     * `POST /api/upload/initiate`
     */
    initiate: Operation<'uploads.initiate'>;
    /**
     * Resume a multipart upload.
     *
     * The parts that are stored, and fresh addresses for the rest.
     *
     * `GET /api/upload/:uploadId/parts`
     */
    parts: Operation<'uploads.parts'>;
    /**
     * Complete the multipart upload and save the asset.
     *
     * Repeating it, also in parallel, answers with the same asset.
     *
     * `POST /api/upload/complete`
     */
    complete: Operation<'uploads.complete'>;
    /**
     * Abort an active multipart upload.
     *
     * Repeating it changes nothing.
     *
     * `POST /api/upload/abort`
     */
    abort: Operation<'uploads.abort'>;
  };
  projects: {
    /**
     * List projects in the organization.
     *
     * `GET /api/projects`
     */
    list: ListOperation<'projects.list'>;
    /**
     * Create a project.
     *
     * It goes to the end of the list.
     *
     * `POST /api/projects`
     */
    create: Operation<'projects.create'>;
    /**
     * Get a project.
     *
     * `GET /api/projects/:id`
     */
    get: Operation<'projects.get'>;
    /**
     * Delete a project.
     *
     * Takes its tasks and their comments along.
     *
     * `DELETE /api/projects/:id`
     */
    remove: Operation<'projects.remove'>;
    /**
     * Update a project.
     *
     * `PATCH /api/projects/:id`
     */
    update: Operation<'projects.update'>;
    /**
     * Reorder a project.
     *
     * A position beyond the end is the end.
     *
     * `PATCH /api/projects/:id/position`
     */
    move: Operation<'projects.move'>;
  };
  tasks: {
    /**
     * List tasks in the organization.
     *
     * `position` orders by project, then column, then place.
     *
     * `GET /api/tasks`
     */
    list: ListOperation<'tasks.list'>;
    /**
     * List tasks of a project.
     *
     * `position` orders by column, then place.
     *
     * `GET /api/projects/:projectId/tasks`
     */
    listInProject: ListOperation<'tasks.listInProject'>;
    /**
     * Create a task in a project.
     *
     * It goes to the end of its column.
     *
     * `POST /api/projects/:projectId/tasks`
     */
    create: Operation<'tasks.create'>;
    /**
     * Get a task.
     *
     * `GET /api/tasks/:id`
     */
    get: Operation<'tasks.get'>;
    /**
     * Delete a task.
     *
     * `DELETE /api/tasks/:id`
     */
    remove: Operation<'tasks.remove'>;
    /**
     * Update a task.
     *
     * `PATCH /api/tasks/:id`
     */
    update: Operation<'tasks.update'>;
    /**
     * Move a task to another column or position.
     *
     * A position beyond the end is the end. A neighbour that stands in another column is a conflict.
     *
     * `PATCH /api/tasks/:id/position`
     */
    move: Operation<'tasks.move'>;
    /**
     * Replace the assignees of a task.
     *
     * `PUT /api/tasks/:id/assignees`
     */
    assign: Operation<'tasks.assign'>;
  };
  comments: {
    /**
     * List comments.
     *
     * Oldest first, unless sorted otherwise.
     *
     * `GET /api/tasks/:taskId/comments`
     */
    list: ListOperation<'comments.list'>;
    /**
     * Post a comment.
     *
     * `POST /api/tasks/:taskId/comments`
     */
    create: Operation<'comments.create'>;
    /**
     * Delete a comment.
     *
     * Its author, an admin or an owner.
     *
     * `DELETE /api/tasks/:taskId/comments/:commentId`
     */
    remove: Operation<'comments.remove'>;
    /**
     * Edit a comment.
     *
     * Its author only.
     *
     * `PATCH /api/tasks/:taskId/comments/:commentId`
     */
    update: Operation<'comments.update'>;
  };
  dashboard: {
    /**
     * Organization dashboard summary.
     *
     * `GET /api/dashboard/summary`
     */
    summary: Operation<'dashboard.summary'>;
  };
}
