import { startS3Server } from '@atelier/devstack';
import { hasContainerEngine, startServiceContainer } from './containers.ts';

interface StorageServer {
  readonly endpoint: string;
  stop(): Promise<void>;
}

interface Keys {
  readonly region: string;
  readonly accessKey: string;
  readonly secretKey: string;
}

/**
 * Starts a storage: the embedded one, or a container if an engine is available and `TEST_S3_IMAGE` names an image, such
 * as the one of compose.yaml. The container starts like SeaweedFS. Prints which.
 */
export async function startStorageServer(dataDir: string, keys: Keys): Promise<StorageServer> {
  const reason = await whyEmbedded();
  if (reason !== null) {
    process.stdout.write(`Storage of this run: embedded (${reason})\n`);
    const server = await startS3Server({ dataDir, ...keys, fsync: 'never' });
    return { endpoint: server.endpoint, stop: () => server.stop() };
  }
  const { image, host, port, stop } = await startServiceContainer({
    service: 'storage',
    environment: { AWS_ACCESS_KEY_ID: keys.accessKey, AWS_SECRET_ACCESS_KEY: keys.secretKey },
    command: ['server', '-dir=/data', '-s3', '-s3.port=8333'],
    port: 8333,
  });
  process.stdout.write(`Storage of this run: a container of ${image}\n`);
  return { endpoint: `http://${host}:${port}`, stop };
}

async function whyEmbedded(): Promise<string | null> {
  if (!process.env['TEST_S3_IMAGE']) return 'TEST_S3_IMAGE is not set';
  return (await hasContainerEngine()) ? null : 'no container engine';
}
