// Made from @atelier/contract by scripts/generate.ts; change the contract, not this file.

/**
 * Every operation by group: the start of its paths, and then for each path `rest METHODflags name …`. Flags: o takes
 * the bearer token and the organization, b the bearer token, i takes an Idempotency-Key, l returns pages, t returns
 * tokens, r redirects a browser, x ends the session.
 */
export const table: Readonly<Record<string, string>> = {
  health:
    '/health,' +
    ' GET live,' +
    '/ready GET ready',
  auth:
    '/api/auth/,' +
    'register POSTi register,' +
    'verify-email POST verifyEmail,' +
    'request-password-reset POST requestPasswordReset,' +
    'reset-password POST resetPassword,' +
    'verify-token GET verifyToken,' +
    'login POSTt login,' +
    'google GETr startGoogle,' +
    'google/callback GETr googleCallback,' +
    'github GETr startGithub,' +
    'github/callback GETr githubCallback,' +
    'oauth/exchange POSTt exchange,' +
    'user GETb user,' +
    'confirm POSTb confirm,' +
    'refresh-token POSTit refresh,' +
    'logout POSTx logout',
  sessions:
    '/api/auth/sessions,' +
    ' GETbl list DELETEb endOthers,' +
    '/:id DELETEb end',
  profile:
    '/api/auth/user/,' +
    'profile PATCHb update,' +
    'avatar-upload POSTbi startAvatarUpload,' +
    'avatar-upload/complete POSTbi completeAvatarUpload',
  plans:
    '/api/plan,' +
    ' GETl list',
  timeline:
    '/api/timeline,' +
    '/user GETbl mine,' +
    ' GETol list,' +
    '/resource/:type/:id GETol resource,' +
    '/summary GETo summary',
  events:
    '/api/events,' +
    ' GETo subscribe',
  organizations:
    '/api/organizations,' +
    ' GETbl list POSTbi create,' +
    '/:id GETb get PATCHb rename DELETEb remove,' +
    '/:id/members GETbl listMembers,' +
    '/:id/members/:memberId DELETEb removeMember PATCHb updateMember,' +
    '/invitations/:token GET getInvitation,' +
    '/invitations/:token/accept POSTbi acceptInvitation,' +
    '/:id/invitations POSTbi invite GETbl listInvitations,' +
    '/:id/invitations/:invitationId DELETEb revokeInvitation',
  collections:
    '/api/collections,' +
    '/create POSToi create,' +
    ' GETol list,' +
    '/bin GETol bin,' +
    '/:id/restore POSTo restore,' +
    '/:id GETo get DELETEo remove PATCHo rename,' +
    '/:id/favorite PATCHo favorite',
  assets:
    '/,' +
    'api/assets GETol list,' +
    'api/assets/logs GETol myLogs,' +
    'api/assets/bin GETol bin,' +
    'api/assets/:id/restore POSTo restore,' +
    'api/assets/collection/:collectionId GETol listInCollection,' +
    'api/assets/:id GETo get PATCHo update DELETEo remove,' +
    'api/assets/:id/favorite PATCHo favorite,' +
    'api/assets/:id/download GETo download,' +
    'api/assets/:id/publish POSToi publish,' +
    'api/assets/:id/asset-logs GETol logs,' +
    'api/assets/:id/versions GETol versions,' +
    'api/assets/:id/versions/restore/:versionNumber PATCHo restoreVersion,' +
    's/:code GETr followShortLink',
  uploads:
    '/api/upload/,' +
    'initiate POSToi initiate,' +
    ':uploadId/parts GETo parts,' +
    'complete POSToi complete,' +
    'abort POSToi abort',
  projects:
    '/api/projects,' +
    ' GETol list POSToi create,' +
    '/:id GETo get DELETEo remove PATCHo update,' +
    '/:id/position PATCHo move',
  tasks:
    '/api/,' +
    'tasks GETol list,' +
    'projects/:projectId/tasks GETol listInProject POSToi create,' +
    'tasks/:id GETo get DELETEo remove PATCHo update,' +
    'tasks/:id/position PATCHo move,' +
    'tasks/:id/assignees PUTo assign',
  comments:
    '/api/tasks/:taskId/comments,' +
    ' GETol list POSToi create,' +
    '/:commentId DELETEo remove PATCHo update',
  dashboard:
    '/api/dashboard/summary,' +
    ' GETo summary',
  labels:
    '/api/,' +
    'labels GETol list POSToi create,' +
    'labels/:id GETo get PATCHo update DELETEo remove,' +
    'tasks/:id/labels PUTo set',
};
