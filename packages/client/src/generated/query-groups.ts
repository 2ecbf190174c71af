// Made from @atelier/contract by scripts/generate.ts; change the contract, not this file.
import type { ListQueries, Mutations, Queries } from '../query-types.ts';

/** Options of every operation by group and name. */
export interface QueryGroups {
  health: {
    live: Queries<'health.live'>;
    ready: Queries<'health.ready'>;
  };
  auth: {
    register: Mutations<'auth.register'>;
    verifyEmail: Mutations<'auth.verifyEmail'>;
    requestPasswordReset: Mutations<'auth.requestPasswordReset'>;
    resetPassword: Mutations<'auth.resetPassword'>;
    verifyToken: Queries<'auth.verifyToken'>;
    login: Mutations<'auth.login'>;
    passkeyChallenge: Mutations<'auth.passkeyChallenge'>;
    loginWithPasskey: Mutations<'auth.loginWithPasskey'>;
    exchange: Mutations<'auth.exchange'>;
    exchangeWithSecondFactor: Mutations<'auth.exchangeWithSecondFactor'>;
    user: Queries<'auth.user'>;
    confirm: Mutations<'auth.confirm'>;
    refresh: Mutations<'auth.refresh'>;
    logout: Mutations<'auth.logout'>;
  };
  sessions: {
    list: ListQueries<'sessions.list'>;
    end: Mutations<'sessions.end'>;
    endOthers: Mutations<'sessions.endOthers'>;
  };
  apiKeys: {
    list: ListQueries<'apiKeys.list'>;
    create: Mutations<'apiKeys.create'>;
    current: Queries<'apiKeys.current'>;
    rename: Mutations<'apiKeys.rename'>;
    rotate: Mutations<'apiKeys.rotate'>;
    revoke: Mutations<'apiKeys.revoke'>;
    scopes: Queries<'apiKeys.scopes'>;
    reportLeak: Mutations<'apiKeys.reportLeak'>;
    listOfOrganization: ListQueries<'apiKeys.listOfOrganization'>;
    exclude: Mutations<'apiKeys.exclude'>;
    policy: Queries<'apiKeys.policy'>;
    updatePolicy: Mutations<'apiKeys.updatePolicy'>;
  };
  profile: {
    update: Mutations<'profile.update'>;
    startAvatarUpload: Mutations<'profile.startAvatarUpload'>;
    completeAvatarUpload: Mutations<'profile.completeAvatarUpload'>;
  };
  plans: {
    list: ListQueries<'plans.list'>;
  };
  timeline: {
    mine: ListQueries<'timeline.mine'>;
    list: ListQueries<'timeline.list'>;
    resource: ListQueries<'timeline.resource'>;
    summary: Queries<'timeline.summary'>;
  };
  organizations: {
    list: ListQueries<'organizations.list'>;
    create: Mutations<'organizations.create'>;
    get: Queries<'organizations.get'>;
    rename: Mutations<'organizations.rename'>;
    updateSecurityPolicy: Mutations<'organizations.updateSecurityPolicy'>;
    remove: Mutations<'organizations.remove'>;
    listMembers: ListQueries<'organizations.listMembers'>;
    removeMember: Mutations<'organizations.removeMember'>;
    updateMember: Mutations<'organizations.updateMember'>;
    getInvitation: Queries<'organizations.getInvitation'>;
    acceptInvitation: Mutations<'organizations.acceptInvitation'>;
    invite: Mutations<'organizations.invite'>;
    listInvitations: ListQueries<'organizations.listInvitations'>;
    revokeInvitation: Mutations<'organizations.revokeInvitation'>;
  };
  collections: {
    create: Mutations<'collections.create'>;
    list: ListQueries<'collections.list'>;
    bin: ListQueries<'collections.bin'>;
    restore: Mutations<'collections.restore'>;
    get: Queries<'collections.get'>;
    remove: Mutations<'collections.remove'>;
    rename: Mutations<'collections.rename'>;
    favorite: Mutations<'collections.favorite'>;
  };
  assets: {
    list: ListQueries<'assets.list'>;
    myLogs: ListQueries<'assets.myLogs'>;
    bin: ListQueries<'assets.bin'>;
    tags: Queries<'assets.tags'>;
    restore: Mutations<'assets.restore'>;
    purge: Mutations<'assets.purge'>;
    emptyBin: Mutations<'assets.emptyBin'>;
    listInCollection: ListQueries<'assets.listInCollection'>;
    get: Queries<'assets.get'>;
    update: Mutations<'assets.update'>;
    remove: Mutations<'assets.remove'>;
    favorite: Mutations<'assets.favorite'>;
    review: Mutations<'assets.review'>;
    setCover: Mutations<'assets.setCover'>;
    download: Queries<'assets.download'>;
    publish: Mutations<'assets.publish'>;
    logs: ListQueries<'assets.logs'>;
    versions: ListQueries<'assets.versions'>;
    restoreVersion: Mutations<'assets.restoreVersion'>;
  };
  uploads: {
    initiate: Mutations<'uploads.initiate'>;
    parts: Queries<'uploads.parts'>;
    complete: Mutations<'uploads.complete'>;
    abort: Mutations<'uploads.abort'>;
  };
  projects: {
    list: ListQueries<'projects.list'>;
    create: Mutations<'projects.create'>;
    get: Queries<'projects.get'>;
    remove: Mutations<'projects.remove'>;
    update: Mutations<'projects.update'>;
    move: Mutations<'projects.move'>;
  };
  tasks: {
    list: ListQueries<'tasks.list'>;
    listInProject: ListQueries<'tasks.listInProject'>;
    create: Mutations<'tasks.create'>;
    get: Queries<'tasks.get'>;
    remove: Mutations<'tasks.remove'>;
    update: Mutations<'tasks.update'>;
    move: Mutations<'tasks.move'>;
    assign: Mutations<'tasks.assign'>;
  };
  comments: {
    list: ListQueries<'comments.list'>;
    create: Mutations<'comments.create'>;
    remove: Mutations<'comments.remove'>;
    update: Mutations<'comments.update'>;
  };
  dashboard: {
    summary: Queries<'dashboard.summary'>;
  };
  labels: {
    list: ListQueries<'labels.list'>;
    create: Mutations<'labels.create'>;
    get: Queries<'labels.get'>;
    update: Mutations<'labels.update'>;
    remove: Mutations<'labels.remove'>;
    set: Mutations<'labels.set'>;
  };
  webhooks: {
    list: ListQueries<'webhooks.list'>;
    create: Mutations<'webhooks.create'>;
    get: Queries<'webhooks.get'>;
    update: Mutations<'webhooks.update'>;
    remove: Mutations<'webhooks.remove'>;
    rotateSecret: Mutations<'webhooks.rotateSecret'>;
    ping: Mutations<'webhooks.ping'>;
    listDeliveries: ListQueries<'webhooks.listDeliveries'>;
    getDelivery: Queries<'webhooks.getDelivery'>;
    resend: Mutations<'webhooks.resend'>;
    replay: Mutations<'webhooks.replay'>;
    listEvents: Queries<'webhooks.listEvents'>;
  };
  serviceAccounts: {
    list: ListQueries<'serviceAccounts.list'>;
    create: Mutations<'serviceAccounts.create'>;
    update: Mutations<'serviceAccounts.update'>;
    remove: Mutations<'serviceAccounts.remove'>;
    listKeys: ListQueries<'serviceAccounts.listKeys'>;
    createKey: Mutations<'serviceAccounts.createKey'>;
    rotateKey: Mutations<'serviceAccounts.rotateKey'>;
    revokeKey: Mutations<'serviceAccounts.revokeKey'>;
  };
  account: {
    requestEmailChange: Mutations<'account.requestEmailChange'>;
    confirmEmailChange: Mutations<'account.confirmEmailChange'>;
    undoEmailChange: Mutations<'account.undoEmailChange'>;
    requestExport: Mutations<'account.requestExport'>;
    latestExport: Queries<'account.latestExport'>;
    getExport: Queries<'account.getExport'>;
    requestDeletion: Mutations<'account.requestDeletion'>;
    cancelDeletion: Mutations<'account.cancelDeletion'>;
  };
  security: {
    overview: Queries<'security.overview'>;
    startTotp: Mutations<'security.startTotp'>;
    enableTotp: Mutations<'security.enableTotp'>;
    disableTotp: Mutations<'security.disableTotp'>;
    renewRecoveryCodes: Mutations<'security.renewRecoveryCodes'>;
    removeIdentity: Mutations<'security.removeIdentity'>;
    changePassword: Mutations<'security.changePassword'>;
    passkeyChallenge: Mutations<'security.passkeyChallenge'>;
    startPasskey: Mutations<'security.startPasskey'>;
    addPasskey: Mutations<'security.addPasskey'>;
    renamePasskey: Mutations<'security.renamePasskey'>;
    removePasskey: Mutations<'security.removePasskey'>;
  };
  notifications: {
    list: ListQueries<'notifications.list'>;
    count: Queries<'notifications.count'>;
    update: Mutations<'notifications.update'>;
    read: Mutations<'notifications.read'>;
    archive: Mutations<'notifications.archive'>;
    following: Queries<'notifications.following'>;
    follow: Mutations<'notifications.follow'>;
    unfollow: Mutations<'notifications.unfollow'>;
    followers: ListQueries<'notifications.followers'>;
    preferences: Queries<'notifications.preferences'>;
    setPreferences: Mutations<'notifications.setPreferences'>;
    unsubscribe: Mutations<'notifications.unsubscribe'>;
  };
  search: {
    find: ListQueries<'search.find'>;
    suggest: Queries<'search.suggest'>;
    rebuild: Mutations<'search.rebuild'>;
  };
  assetComments: {
    list: ListQueries<'assetComments.list'>;
    create: Mutations<'assetComments.create'>;
    markers: Queries<'assetComments.markers'>;
    update: Mutations<'assetComments.update'>;
    remove: Mutations<'assetComments.remove'>;
    resolve: Mutations<'assetComments.resolve'>;
  };
  shares: {
    create: Mutations<'shares.create'>;
    list: ListQueries<'shares.list'>;
    publicLinks: ListQueries<'shares.publicLinks'>;
    get: Queries<'shares.get'>;
    update: Mutations<'shares.update'>;
    remove: Mutations<'shares.remove'>;
    rotate: Mutations<'shares.rotate'>;
    views: ListQueries<'shares.views'>;
    open: Mutations<'shares.open'>;
    shared: Queries<'shares.shared'>;
    sharedAssets: ListQueries<'shares.sharedAssets'>;
    sharedAsset: Queries<'shares.sharedAsset'>;
    sharedDownload: Queries<'shares.sharedDownload'>;
    sharedComments: ListQueries<'shares.sharedComments'>;
    createSharedComment: Mutations<'shares.createSharedComment'>;
    policy: Queries<'shares.policy'>;
    updatePolicy: Mutations<'shares.updatePolicy'>;
  };
  taskAssets: {
    list: ListQueries<'taskAssets.list'>;
    attach: Mutations<'taskAssets.attach'>;
    detach: Mutations<'taskAssets.detach'>;
  };
  approvals: {
    list: ListQueries<'approvals.list'>;
    request: Mutations<'approvals.request'>;
    get: Queries<'approvals.get'>;
    approve: Mutations<'approvals.approve'>;
    refuse: Mutations<'approvals.refuse'>;
  };
}
