// Made from @atelier/contract by scripts/generate.ts; change the contract, not this file.

import type { Activity, Id, Timestamp } from './types.ts';

/** What every message has beside its type and its data. */
export interface WebhookMessageFields {
  /** When it happened. */
  timestamp: Timestamp;
  organizationId: Id;
  /** Number of the message: each endpoint counts by one. A number stays missing if ten attempts failed, if the message waited for 30 days, or if it named an account that was deleted. */
  sequence: number;
  /** Whether a member had it sent again. */
  isReplay: boolean;
  /** Present if `data` is not whole, because it was too large or would tell the text of a comment: values of its `changes` are null, or its `changes` and `metadata` are empty. */
  isTruncated?: true | undefined;
}

/** The data of a message, by its type. */
export interface WebhookMessageData {
  /** api_key: excluded. */
  'api_key.exclude': Activity;
  /** organization: created. */
  'organization.create': Activity;
  /** organization: renamed. */
  'organization.rename': Activity;
  /** organization: settings changed. */
  'organization.update': Activity;
  /** organization: security policy changed. */
  'organization.change_security_policy': Activity;
  /** organization: share policy changed. */
  'organization.change_share_policy': Activity;
  /** organization: bin emptied. */
  'organization.empty_bin': Activity;
  /** organization: deleted. */
  'organization.delete': Activity;
  /** member: joined. */
  'member.join': Activity;
  /** member: changed. */
  'member.update': Activity;
  /** member: removed. */
  'member.remove': Activity;
  /** invitation: sent. */
  'invitation.create': Activity;
  /** invitation: revoked. */
  'invitation.revoke': Activity;
  /** collection: created. */
  'collection.create': Activity;
  /** collection: renamed. */
  'collection.rename': Activity;
  /** collection: deleted. */
  'collection.delete': Activity;
  /** collection: restored. */
  'collection.restore': Activity;
  /** asset: uploaded. */
  'asset.create': Activity;
  /** asset: new version. */
  'asset.add_version': Activity;
  /** asset: changed. */
  'asset.update': Activity;
  /** asset: version restored. */
  'asset.restore_version': Activity;
  /** asset: reviewed. */
  'asset.change_review': Activity;
  /** asset: published. */
  'asset.publish': Activity;
  /** asset: deleted. */
  'asset.delete': Activity;
  /** asset: restored. */
  'asset.restore': Activity;
  /** asset: deleted permanently. */
  'asset.purge': Activity;
  /** project: created. */
  'project.create': Activity;
  /** project: changed. */
  'project.update': Activity;
  /** project: moved. */
  'project.move': Activity;
  /** project: deleted. */
  'project.delete': Activity;
  /** task: created. */
  'task.create': Activity;
  /** task: changed. */
  'task.update': Activity;
  /** task: moved. */
  'task.move': Activity;
  /** task: assigned. */
  'task.assign': Activity;
  /** task: attached. */
  'task.attach': Activity;
  /** task: detached. */
  'task.detach': Activity;
  /** task: deleted. */
  'task.delete': Activity;
  /** comment: posted. */
  'comment.create': Activity;
  /** comment: edited. */
  'comment.update': Activity;
  /** comment: deleted. */
  'comment.delete': Activity;
  /** label: created. */
  'label.create': Activity;
  /** label: changed. */
  'label.update': Activity;
  /** label: deleted. */
  'label.delete': Activity;
  /** webhook: created. */
  'webhook.create': Activity;
  /** webhook: changed. */
  'webhook.update': Activity;
  /** webhook: secret replaced. */
  'webhook.rotate_secret': Activity;
  /** webhook: enabled. */
  'webhook.enable': Activity;
  /** webhook: disabled. */
  'webhook.disable': Activity;
  /** webhook: tested. */
  'webhook.test': Activity;
  /** webhook: replayed. */
  'webhook.replay': Activity;
  /** webhook: sent again. */
  'webhook.resend': Activity;
  /** webhook: deleted. */
  'webhook.delete': Activity;
  /** service_account: created. */
  'service_account.create': Activity;
  /** service_account: changed. */
  'service_account.update': Activity;
  /** service_account: deleted. */
  'service_account.delete': Activity;
  /** asset_comment: posted. */
  'asset_comment.create': Activity;
  /** asset_comment: edited. */
  'asset_comment.update': Activity;
  /** asset_comment: resolved. */
  'asset_comment.resolve': Activity;
  /** asset_comment: reopened. */
  'asset_comment.reopen': Activity;
  /** asset_comment: deleted. */
  'asset_comment.delete': Activity;
  /** share: shared. */
  'share.create': Activity;
  /** share: changed. */
  'share.update': Activity;
  /** share: link replaced. */
  'share.rotate': Activity;
  /** share: ended. */
  'share.revoke': Activity;
  /** approval: requested. */
  'approval.request': Activity;
  /** approval: approved. */
  'approval.approve': Activity;
  /** approval: refused. */
  'approval.refuse': Activity;
  /** A test of the endpoint. */
  'webhook.ping': {
    webhookId: Id;
  };
  /** The database has another history: events may be missing. Read again what you keep a copy of. */
  'webhook.reset': {
    webhookId: Id;
  };
}
