export { startPostgres } from './postgres/index.ts';
export type { PostgresOptions, RunningPostgres } from './postgres/index.ts';
export { DamagedCluster } from './postgres/cluster.ts';
export { DirectoryInUse } from './lock.ts';
export { startMailInbox } from './mail/index.ts';
export type { MailInboxOptions, Mailbox, ReceivedMail, RunningMailInbox } from './mail/index.ts';
export { startS3Server } from './s3/index.ts';
export type { S3Server, S3ServerOptions } from './s3/index.ts';
export { startIdentityProvider } from './identity/index.ts';
export type {
  ApplicationRegistration,
  DemoPerson,
  IdentityProviderOptions,
  RunningIdentityProvider,
} from './identity/index.ts';
export { defaultPorts, startDevstack } from './devstack.ts';
export type { Devstack, DevstackAddresses, DevstackOptions, DevstackPorts } from './devstack.ts';
export { freePorts } from './ports.ts';
export { loadSecrets } from './secrets.ts';
export type { Secrets } from './secrets.ts';
export type { StackFile } from './start/stack-file.ts';
