export { startPostgres } from './postgres/index.ts';
export type { PostgresOptions, RunningPostgres } from './postgres/index.ts';
export { DamagedCluster } from './postgres/cluster.ts';
export { DirectoryInUse } from './lock.ts';
export { startMailInbox } from './mail/index.ts';
export type { MailInboxOptions, Mailbox, ReceivedMail, RunningMailInbox } from './mail/index.ts';
