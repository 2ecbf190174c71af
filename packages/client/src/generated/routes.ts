// Made from @atelier/contract by scripts/generate.ts; change the contract, not this file.

/**
 * Every operation as `METHOD flags path`. Flags: b takes the bearer token, o takes the
 * organization, i takes an Idempotency-Key, l is a list of pages, t answers with tokens, r redirects a browser.
 */
export const routes: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  health: {
    live: 'GET - /health',
    ready: 'GET - /health/ready',
  },
  auth: {
    register: 'POST i /api/auth/register',
    verifyEmail: 'POST - /api/auth/verify-email',
    requestPasswordReset: 'POST - /api/auth/request-password-reset',
    resetPassword: 'POST - /api/auth/reset-password',
    verifyToken: 'GET - /api/auth/verify-token',
    login: 'POST t /api/auth/login',
    startGoogle: 'GET r /api/auth/google',
    googleCallback: 'GET r /api/auth/google/callback',
    startGithub: 'GET r /api/auth/github',
    githubCallback: 'GET r /api/auth/github/callback',
    exchange: 'POST t /api/auth/oauth/exchange',
    user: 'GET b /api/auth/user',
    refresh: 'POST t /api/auth/refresh-token',
    logout: 'POST - /api/auth/logout',
  },
  sessions: {
    list: 'GET bl /api/auth/sessions',
    end: 'DELETE b /api/auth/sessions/:id',
    endOthers: 'DELETE b /api/auth/sessions',
  },
  profile: {
    update: 'PATCH b /api/auth/user/profile',
    startAvatarUpload: 'POST bi /api/auth/user/avatar-upload',
    completeAvatarUpload: 'POST bi /api/auth/user/avatar-upload/complete',
  },
  plans: {
    list: 'GET l /api/plan',
  },
  timeline: {
    mine: 'GET bl /api/timeline/user',
    list: 'GET bol /api/timeline',
    resource: 'GET bol /api/timeline/resource/:type/:id',
    summary: 'GET bo /api/timeline/summary',
  },
  organizations: {
    list: 'GET bl /api/organizations',
    create: 'POST bi /api/organizations',
    getInvitation: 'GET - /api/organizations/invitations/:token',
    acceptInvitation: 'POST bi /api/organizations/invitations/:token/accept',
    get: 'GET b /api/organizations/:id',
    rename: 'PATCH b /api/organizations/:id',
    listMembers: 'GET bl /api/organizations/:id/members',
    invite: 'POST bi /api/organizations/:id/invitations',
    removeMember: 'DELETE b /api/organizations/:id/members/:memberId',
    updateMember: 'PATCH b /api/organizations/:id/members/:memberId',
  },
  collections: {
    create: 'POST boi /api/collections/create',
    list: 'GET bol /api/collections',
    get: 'GET bo /api/collections/:id',
    remove: 'DELETE bo /api/collections/:id',
    rename: 'PATCH bo /api/collections/:id',
    favorite: 'PATCH bo /api/collections/:id/favorite',
  },
  assets: {
    list: 'GET bol /api/assets',
    myLogs: 'GET bol /api/assets/logs',
    listInCollection: 'GET bol /api/assets/collection/:collectionId',
    get: 'GET bo /api/assets/:id',
    update: 'PATCH bo /api/assets/:id',
    remove: 'DELETE bo /api/assets/:id',
    favorite: 'PATCH bo /api/assets/:id/favorite',
    download: 'GET bo /api/assets/:id/download',
    publish: 'POST boi /api/assets/:id/publish',
    logs: 'GET bol /api/assets/:id/asset-logs',
    versions: 'GET bol /api/assets/:id/versions',
    restoreVersion: 'PATCH bo /api/assets/:id/versions/restore/:versionNumber',
    followShortLink: 'GET r /s/:code',
  },
  uploads: {
    initiate: 'POST boi /api/upload/initiate',
    complete: 'POST boi /api/upload/complete',
    abort: 'POST boi /api/upload/abort',
  },
  projects: {
    list: 'GET bol /api/projects',
    create: 'POST boi /api/projects',
    get: 'GET bo /api/projects/:id',
    remove: 'DELETE bo /api/projects/:id',
    update: 'PATCH bo /api/projects/:id',
    move: 'PATCH bo /api/projects/:id/position',
  },
  tasks: {
    list: 'GET bol /api/tasks',
    listInProject: 'GET bol /api/projects/:projectId/tasks',
    create: 'POST boi /api/projects/:projectId/tasks',
    get: 'GET bo /api/tasks/:id',
    remove: 'DELETE bo /api/tasks/:id',
    update: 'PATCH bo /api/tasks/:id',
    move: 'PATCH bo /api/tasks/:id/position',
    assign: 'PUT bo /api/tasks/:id/assignees',
  },
  comments: {
    list: 'GET bol /api/tasks/:taskId/comments',
    create: 'POST boi /api/tasks/:taskId/comments',
    remove: 'DELETE bo /api/tasks/:taskId/comments/:commentId',
    update: 'PATCH bo /api/tasks/:taskId/comments/:commentId',
  },
  dashboard: {
    summary: 'GET bo /api/dashboard/summary',
  },
};
