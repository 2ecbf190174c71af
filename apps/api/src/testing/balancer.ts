import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { accepts } from './accepts.ts';

const deployed = join(import.meta.dirname, '../../../../deploy/haproxy/haproxy.cfg');

export interface Balancer {
  readonly url: string;
  stop(): Promise<void>;
}

/** Starts HAProxy in front of the instances, on the configuration in deploy. */
export async function startBalancer(
  program: string,
  options: { directory: string; port: number; instancePorts: readonly number[] },
): Promise<Balancer> {
  const { directory, port, instancePorts } = options;
  const child = spawn(program, ['-db', '-f', deployed], {
    env: {
      ATELIER_BALANCER_LOG: 'info',
      ATELIER_LISTEN: `127.0.0.1:${port}`,
      ...Object.fromEntries(
        instancePorts.map((instance, index) => [
          `ATELIER_API_${index + 1}`,
          `127.0.0.1:${instance}`,
        ]),
      ),
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const logFile = join(directory, 'haproxy.log');
  const log = createWriteStream(logFile);
  child.stdout.pipe(log, { end: false });
  child.stderr.pipe(log, { end: false });
  while (!(await accepts(port))) {
    if (child.exitCode !== null) throw new Error(`HAProxy exited at start; see ${logFile}.`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return {
    url: `http://127.0.0.1:${port}`,
    async stop() {
      const closed = once(child, 'close');
      child.kill('SIGKILL');
      await closed;
    },
  };
}
