import { setTimeout as delay } from 'node:timers/promises';
import type { Api } from '../services/api.ts';
import type { DatabaseNode } from './node.ts';
import type { FailoverStack } from './stack.ts';

export interface FailoverFault {
  readonly name: string;
  /** How long a write may take, with the client's retries. */
  readonly writeLimitSeconds: number;
  /** Makes the database fail, and repairs it. @returns what happened */
  inject(stack: FailoverStack): Promise<string>;
}

const writeLimitSeconds = 35;

/** Kills the primary and starts it again. */
async function killPrimary({ database }: FailoverStack, primary: DatabaseNode): Promise<string> {
  const started = performance.now();
  await primary.kill();
  const next = await database.replaced(primary);
  const effect = `${next.name} is the primary after ${secondsSince(started)} s`;
  primary.start();
  await database.becomeWhole();
  return effect;
}

export const failoverFaults: readonly FailoverFault[] = [
  {
    name: 'kill',
    writeLimitSeconds,
    async inject(stack) {
      const { primary } = await stack.database.roles();
      return killPrimary(stack, primary);
    },
  },
  {
    name: 'kill-with-instance',
    writeLimitSeconds,
    async inject(stack) {
      const [, instance] = stack.instances;
      const { primary } = await stack.database.roles();
      instance.kill();
      const failover = killPrimary(stack, primary);
      await instance.ended();
      await Promise.all([failover, restart(instance)]);
      return failover;
    },
  },
  {
    name: 'freeze',
    writeLimitSeconds,
    async inject({ database }) {
      const { primary } = await database.roles();
      const started = performance.now();
      primary.freeze();
      const next = await database.replaced(primary);
      const effect = `${next.name} is the primary after ${secondsSince(started)} s`;
      await delay(3_000);
      // It still believes that it is the primary.
      primary.thaw();
      await database.becomeWhole();
      const now = await database.roles();
      if (now.primary === next) return effect;
      throw new Error(`${now.primary.name} took its lock back from ${next.name}`);
    },
  },
  {
    name: 'switchover',
    writeLimitSeconds,
    async inject({ database }) {
      const roles = await database.roles();
      const started = performance.now();
      await database.switchOver(roles);
      const next = await database.replaced(roles.primary);
      const effect = `${next.name} is the primary after ${secondsSince(started)} s`;
      await database.becomeWhole();
      return effect;
    },
  },
  {
    name: 'silent-path',
    writeLimitSeconds,
    async inject({ paths }) {
      for (const path of paths) path.silence();
      await delay(30_000);
      return 'the open connections to the primary are silent, new ones work';
    },
  },
  {
    name: 'standby-behind',
    writeLimitSeconds,
    async inject(stack) {
      const { primary, synchronous, other } = await stack.database.roles();
      for (const standby of [synchronous, other]) standby.freezeReplay();
      await delay(5_000);
      const failover = killPrimary(stack, primary);
      for (const standby of [synchronous, other]) standby.thaw();
      return failover;
    },
  },
  {
    name: 'standby-stopped',
    writeLimitSeconds,
    async inject({ database }) {
      const { primary, synchronous, other } = await database.roles();
      const started = performance.now();
      await synchronous.kill();
      await database.hasSynchronous(other);
      const effect = `${other.name} is the synchronous standby after ${secondsSince(started)} s`;
      synchronous.start();
      await database.becomeWhole();
      const now = await database.roles();
      if (now.primary !== primary) throw new Error(`${now.primary.name} is the primary`);
      return effect;
    },
  },
  {
    // Patroni replaces no primary that had no standby: it could lose what the primary wrote last. Writes wait while the
    // standbys are frozen, so the limit starts later.
    name: 'no-standby',
    writeLimitSeconds: 45,
    async inject({ database }) {
      const { primary, synchronous, other } = await database.roles();
      for (const standby of [synchronous, other]) standby.freeze();
      await delay(20_000);
      await primary.kill();
      for (const standby of [synchronous, other]) standby.thaw();
      await delay(3_000);
      primary.start();
      await database.becomeWhole();
      const now = await database.roles();
      return `${now.primary.name} is the primary, which was ${primary.name}`;
    },
  },
];

/** Starts an instance, and starts it again while it finds no primary, as a supervisor does. */
async function restart(instance: Api): Promise<void> {
  const deadline = performance.now() + 60_000;
  for (;;) {
    try {
      await instance.start();
      return;
    } catch (error) {
      if (performance.now() > deadline) throw error;
    }
  }
}

function secondsSince(started: number): string {
  return ((performance.now() - started) / 1_000).toFixed(1);
}
