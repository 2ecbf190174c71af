export { startS3Server } from './server.ts';
export type { S3Server, S3ServerOptions } from './server.ts';
