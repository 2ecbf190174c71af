import { spawn } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { accepts } from './accepts.ts';
import { kill } from './kill.ts';

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
  const balancer = await runHaproxy(program, {
    configuration: deployed,
    port,
    logFile: join(directory, 'haproxy.log'),
    environment: Object.fromEntries(
      instancePorts.map((instance, index) => [`ATELIER_API_${index + 1}`, `127.0.0.1:${instance}`]),
    ),
  });
  return { ...balancer, url: `http://127.0.0.1:${port}` };
}

export interface HaproxyOptions {
  /** A file that takes its address from `ATELIER_LISTEN`. */
  readonly configuration: string;
  readonly port: number;
  readonly logFile: string;
  readonly environment: Readonly<Record<string, string>>;
}

/** Starts HAProxy on a configuration. Resolves when it listens. */
export async function runHaproxy(
  program: string,
  { configuration, port, logFile, environment }: HaproxyOptions,
): Promise<Pick<Balancer, 'stop'>> {
  const child = spawn(program, ['-db', '-f', configuration], {
    env: {
      ...environment,
      ATELIER_BALANCER_LOG: 'info',
      ATELIER_LISTEN: `127.0.0.1:${port}`,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const log = createWriteStream(logFile);
  child.stdout.pipe(log, { end: false });
  child.stderr.pipe(log, { end: false });
  while (!(await accepts(port))) {
    if (child.exitCode !== null) throw new Error(`HAProxy exited at start; see ${logFile}.`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return { stop: () => kill(child) };
}
