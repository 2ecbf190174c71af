import { join } from 'node:path';
import {
  addWorker,
  createCitusDatabase,
  startNode,
} from '../../../../apps/api/src/testing/citus/cluster.ts';
import { childrenOf, signal } from '../processes.ts';

/** A server of the cluster that can be killed and frozen. */
export interface CitusNode {
  readonly port: number;
  /** With the right to create databases. */
  readonly adminUrl: string;
  /** Kills the server with SIGKILL. */
  kill(): Promise<void>;
  /** Starts it again at the same address. */
  start(): Promise<void>;
  /** Stops the server and its processes with SIGSTOP. */
  freeze(): void;
  thaw(): void;
  stop(): Promise<void>;
}

/** A coordinator and its workers, as of now. */
export interface CitusCluster {
  /** Of the owner of the tables, on the coordinator. */
  readonly url: string;
  readonly coordinator: CitusNode;
  readonly workers: readonly CitusNode[];
  /** Starts one more server and makes it known. It has no rows of organizations yet. */
  addWorker(): Promise<CitusNode>;
}

const databaseName = 'atelier_faults';
/** The first one is the coordinator. */
const startedNodes = 3;

/**
 * Starts a coordinator and two workers. What is committed survives a kill.
 *
 * @param extensionsDir - with the files of Citus
 */
export async function startCluster(
  extensionsDir: string,
  { directory, endBy }: { directory: string; endBy: (end: () => Promise<unknown>) => void },
): Promise<CitusCluster> {
  let count = 0;
  const startOne = async () => {
    count += 1;
    const node = await startOneOf({ extensionsDir, dataDir: join(directory, `node-${count}`) });
    endBy(() => node.stop());
    return node;
  };
  const nodes = await Promise.all(Array.from({ length: startedNodes }, startOne));
  const [coordinator, ...workers] = nodes;
  if (!coordinator) throw new Error('no server was started');
  const servers = nodes.map(({ adminUrl }) => adminUrl);
  const url = await createCitusDatabase(servers, databaseName);
  return {
    url,
    coordinator,
    workers,
    async addWorker() {
      const node = await startOne();
      await addWorker(url, node.adminUrl);
      workers.push(node);
      return node;
    },
  };
}

async function startOneOf(place: { extensionsDir: string; dataDir: string }): Promise<CitusNode> {
  const options = { ...place, settings: { max_connections: '300' } };
  let server = await startNode(options);
  const { port, adminUrl } = server;
  let frozen: number[] = [];
  return {
    port,
    adminUrl,
    async kill() {
      process.kill(server.pid, 'SIGKILL');
      await server.exited;
      await server.stop();
    },
    async start() {
      server = await startNode({ ...options, port });
    },
    freeze() {
      // The server first, because it would start more processes.
      process.kill(server.pid, 'SIGSTOP');
      frozen = [server.pid, ...childrenOf(server.pid)];
      for (const pid of frozen.slice(1)) signal(pid, 'SIGSTOP');
    },
    thaw() {
      for (const pid of frozen) signal(pid, 'SIGCONT');
      frozen = [];
    },
    stop: () => server.stop(),
  };
}
