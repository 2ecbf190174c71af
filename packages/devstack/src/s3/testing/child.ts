import { startS3Server } from '../index.ts';
import type { S3ServerOptions } from '../index.ts';

// A server in its own process, which a test can kill or measure.
const options: S3ServerOptions = JSON.parse(process.argv[2] ?? '{}');
const { port } = await startS3Server(options);
process.send?.({ port });
process.on('message', () => {
  process.send?.({ maxRssKibibytes: process.resourceUsage().maxRSS });
});
process.on('disconnect', () => process.exit());
