// Made from @atelier/contract by scripts/generate.ts; change the contract, not this file.

/**
 * Every operation by group: the group, the start of its paths, and then for each path `rest METHODflags=name …`. Without
 * a name, it is the last word of the path. Flags: o takes the bearer token and the organization, b the bearer token, i takes
 * an Idempotency-Key, l returns pages, t returns tokens, r redirects a browser, x ends the session.
 */
export const table =
  'health,/health,' +
  ' GET=live,' +
  '/ready GET;' +
  'auth,/api/auth/,' +
  'register POSTi,' +
  'verify-email POST=verifyEmail,' +
  'request-password-reset POST=requestPasswordReset,' +
  'reset-password POST=resetPassword,' +
  'verify-token GET=verifyToken,' +
  'login POSTt,' +
  'passkeys/challenge POST=passkeyChallenge,' +
  'passkeys/login POSTt=loginWithPasskey,' +
  'google GETr=startGoogle,' +
  'google/callback GETr=googleCallback,' +
  'github GETr=startGithub,' +
  'github/callback GETr=githubCallback,' +
  'oauth/exchange POSTt,' +
  'oauth/second-factor POSTt=exchangeWithSecondFactor,' +
  'user GETb,' +
  'confirm POSTb,' +
  'refresh-token POSTit=refresh,' +
  'logout POSTx;' +
  'sessions,/api/auth/sessions,' +
  ' GETbl=list DELETEb=endOthers,' +
  '/:id DELETEb=end;' +
  'apiKeys,/api/,' +
  'auth/api-keys GETbl=list POSTbi=create,' +
  'auth/api-keys/current GETb,' +
  'auth/api-keys/:id PATCHb=rename DELETEb=revoke,' +
  'auth/api-keys/:id/rotate POSTbi,' +
  'scopes GET,' +
  'leaked-keys POST=reportLeak,' +
  'organizations/:id/api-keys GETbl=listOfOrganization,' +
  'organizations/:id/api-keys/:keyId DELETEb=exclude,' +
  'organizations/:id/key-policy GETb PATCHb=updatePolicy;' +
  'profile,/api/auth/user/,' +
  'profile PATCHb=update,' +
  'avatar-upload POSTbi=startAvatarUpload,' +
  'avatar-upload/complete POSTbi=completeAvatarUpload;' +
  'plans,/api/plan,' +
  ' GETl=list;' +
  'timeline,/api/timeline,' +
  '/user GETbl=mine,' +
  ' GETol=list,' +
  '/resource/:type/:id GETol=resource,' +
  '/summary GETo;' +
  'events,/api/events,' +
  ' GETo=subscribe;' +
  'organizations,/api/organizations,' +
  ' GETbl=list POSTbi=create,' +
  '/:id GETb=get PATCHb=rename DELETEb=remove,' +
  '/:id/security-policy PATCHb=updateSecurityPolicy,' +
  '/:id/members GETbl=listMembers,' +
  '/:id/members/:memberId DELETEb=removeMember PATCHb=updateMember,' +
  '/invitations/:token GET=getInvitation,' +
  '/invitations/:token/accept POSTbi=acceptInvitation,' +
  '/:id/invitations POSTbi=invite GETbl=listInvitations,' +
  '/:id/invitations/:invitationId DELETEb=revokeInvitation;' +
  'collections,/api/collections,' +
  '/create POSToi,' +
  ' GETol=list,' +
  '/bin GETol,' +
  '/:id/restore POSTo,' +
  '/:id GETo=get DELETEo=remove PATCHo=rename,' +
  '/:id/favorite PATCHo;' +
  'assets,/,' +
  'api/assets GETol=list,' +
  'api/assets/logs GETol=myLogs,' +
  'api/assets/bin GETol DELETEo=emptyBin,' +
  'api/assets/tags GETo,' +
  'api/assets/:id/restore POSTo,' +
  'api/assets/bin/:id DELETEo=purge,' +
  'api/assets/collection/:collectionId GETol=listInCollection,' +
  'api/assets/:id GETo=get PATCHo=update DELETEo=remove,' +
  'api/assets/:id/favorite PATCHo,' +
  'api/assets/:id/review PUTo,' +
  'api/assets/:id/cover PUTo=setCover,' +
  'api/assets/:id/download GETo,' +
  'api/assets/:id/publish POSToi,' +
  'api/assets/:id/asset-logs GETol,' +
  'api/assets/:id/versions GETol,' +
  'api/assets/:id/versions/restore/:versionNumber PATCHo=restoreVersion,' +
  's/:code GETr=followShortLink;' +
  'uploads,/api/upload/,' +
  'initiate POSToi,' +
  ':uploadId/parts GETo,' +
  'complete POSToi,' +
  'abort POSToi;' +
  'projects,/api/projects,' +
  ' GETol=list POSToi=create,' +
  '/:id GETo=get DELETEo=remove PATCHo=update,' +
  '/:id/position PATCHo=move;' +
  'tasks,/api/,' +
  'tasks GETol=list,' +
  'projects/:projectId/tasks GETol=listInProject POSToi=create,' +
  'tasks/:id GETo=get DELETEo=remove PATCHo=update,' +
  'tasks/:id/position PATCHo=move,' +
  'tasks/:id/assignees PUTo=assign;' +
  'comments,/api/tasks/:taskId/comments,' +
  ' GETol=list POSToi=create,' +
  '/:commentId DELETEo=remove PATCHo=update;' +
  'dashboard,/api/dashboard/summary,' +
  ' GETo=summary;' +
  'labels,/api/,' +
  'labels GETol=list POSToi=create,' +
  'labels/:id GETo=get PATCHo=update DELETEo=remove,' +
  'tasks/:id/labels PUTo=set;' +
  'webhooks,/api/,' +
  'organizations/:id/webhooks GETbl=list POSTbi=create,' +
  'organizations/:id/webhooks/:webhookId GETb=get PATCHb=update DELETEb=remove,' +
  'organizations/:id/webhooks/:webhookId/rotate-secret POSTbi=rotateSecret,' +
  'organizations/:id/webhooks/:webhookId/test POSTbi=ping,' +
  'organizations/:id/webhooks/:webhookId/deliveries GETbl=listDeliveries,' +
  'organizations/:id/webhooks/:webhookId/deliveries/:deliveryId GETb=getDelivery,' +
  'organizations/:id/webhooks/:webhookId/deliveries/:deliveryId/resend POSTbi,' +
  'organizations/:id/webhooks/:webhookId/replay POSTbi,' +
  'webhook-events GET=listEvents;' +
  'serviceAccounts,/api/organizations/:id/service-accounts,' +
  ' GETbl=list POSTbi=create,' +
  '/:accountId PATCHb=update DELETEb=remove,' +
  '/:accountId/keys GETbl=listKeys POSTbi=createKey,' +
  '/:accountId/keys/:keyId/rotate POSTbi=rotateKey,' +
  '/:accountId/keys/:keyId DELETEb=revokeKey;' +
  'account,/api/auth/,' +
  'user/email POSTb=requestEmailChange,' +
  'email-change/confirm POST=confirmEmailChange,' +
  'email-change/undo POST=undoEmailChange,' +
  'user/export POSTbi=requestExport GETb=latestExport,' +
  'user/export/:id GETb=getExport,' +
  'user/deletion POSTb=requestDeletion,' +
  'deletion/cancel POST=cancelDeletion;' +
  'security,/api/auth/user/,' +
  'security GETb=overview,' +
  'totp POSTb=startTotp DELETEb=disableTotp,' +
  'totp/enable POSTb=enableTotp,' +
  'recovery-codes POSTb=renewRecoveryCodes,' +
  'identities/:provider DELETEb=removeIdentity,' +
  'password PUTb=changePassword,' +
  'passkeys/challenge POSTb=passkeyChallenge,' +
  'passkeys/options POSTb=startPasskey,' +
  'passkeys POSTb=addPasskey,' +
  'passkeys/:id PATCHb=renamePasskey DELETEb=removePasskey;' +
  'notifications,/api/,' +
  'notifications GETbl=list,' +
  'notifications/count GETb,' +
  'notifications/:id PATCHb=update,' +
  'notifications/read POSTb,' +
  'notifications/archive POSTb,' +
  'tasks/:id/follow GETo=following PUTo DELETEo=unfollow,' +
  'tasks/:id/followers GETol,' +
  'notification-preferences GETb PUTb=setPreferences,' +
  'notifications/unsubscribe POST;' +
  'search,/api/,' +
  'search GETol=find,' +
  'search/suggest GETo,' +
  'organizations/:id/search/rebuild POSTbi;' +
  'assetComments,/api/assets/:id/comments,' +
  ' GETol=list POSToi=create,' +
  '/markers GETo,' +
  '/:commentId PATCHo=update DELETEo=remove,' +
  '/:commentId/resolve PATCHo;' +
  'shares,/api/,' +
  'shares POSToi=create GETol=list,' +
  'shares/public-links GETol=publicLinks,' +
  'shares/:id GETo=get PATCHo=update DELETEo=remove,' +
  'shares/:id/rotate POSToi,' +
  'shares/:id/views GETol,' +
  'public/shares/open POST,' +
  'public/share GET=shared,' +
  'public/share/assets GETl=sharedAssets,' +
  'public/share/assets/:id GET=sharedAsset,' +
  'public/share/assets/:id/download GET=sharedDownload,' +
  'public/share/assets/:id/comments GETl=sharedComments POSTi=createSharedComment,' +
  'organizations/:id/share-policy GETb PATCHb=updatePolicy;' +
  'taskAssets,/api/tasks/:id/assets,' +
  ' GETol=list,' +
  '/:assetId PUTo=attach DELETEo=detach;' +
  'approvals,/api/approvals,' +
  ' GETol=list POSTo=request,' +
  '/:id GETo=get,' +
  '/:id/approve POSTo,' +
  '/:id/refuse POSTo';
