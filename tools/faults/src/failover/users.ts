import { setTimeout as delay } from 'node:timers/promises';
import { createAccount, type Harness } from '../account.ts';
import { forEachConcurrently, registerAccounts } from '../accounts.ts';
import { noRecords, type Worker } from '../load.ts';
import type { Random } from '../random.ts';
import {
  createClientConnection,
  type ClientConnection,
  type Durations,
} from './client-connection.ts';
import type { FailoverStack } from './stack.ts';
import { watchStream, type WatchedStream } from './streams.ts';

export interface FailoverHarness extends Harness {
  readonly stack: FailoverStack;
}

/** The users of a run, on all their devices. */
export interface Users {
  readonly workers: readonly Worker[];
  readonly streams: readonly WatchedStream[];
  /** Rotates the sessions of both devices until told to stop. @returns how often */
  rotate(isOver: () => boolean): Promise<number>;
  /** Checks that every session still works. */
  checkSessions(): Promise<void>;
  stop(): Promise<void>;
}

const writerCount = 20;
const rotatingCount = 10;
const streamCount = 6;
const rotationPauseMs = { least: 300, most: 1_500 };

/** Registers the users, signs them in and subscribes some of them. */
export async function createUsers(
  harness: FailoverHarness,
  { random, durations }: { random: Random; durations: Durations },
): Promise<Users> {
  const { stack, findings } = harness;
  const emails = Array.from({ length: writerCount }, (_, number) => `writer-${number}@example.com`);
  await registerAccounts(stack, emails);
  const connect = (email: string) =>
    createClientConnection({ url: stack.url, email }, { findings, durations });
  const devices: { email: string; connection: ClientConnection }[] = [];
  const workers: Worker[] = [];
  await forEachConcurrently(emails.entries(), async ([number, email]) => {
    const connection = connect(email);
    devices.push({ email, connection });
    const about = { number, email, random: random.fork(number) };
    const account = createAccount(about, harness, connection);
    workers.push({ account, records: noRecords(), findings, largeUploadShare: 0 });
    if (number < rotatingCount) devices.push({ email, connection: connect(email) });
    for (const device of devices.filter((one) => one.email === email)) {
      if (!(await device.connection.logIn())) throw new Error(`${email} can't sign in`);
    }
  });
  const rotating = devices.filter(({ email }) => emails.indexOf(email) < rotatingCount);
  const streams = await Promise.all(
    rotating
      .slice(0, streamCount)
      .map(({ email, connection: { client } }) =>
        watchStream({ client, email }, { sql: stack.sql, findings }),
      ),
  );

  return {
    workers,
    streams,
    async rotate(isOver) {
      let times = 0;
      await Promise.all(
        rotating.map(async ({ connection }, index) => {
          const own = random.fork(10_000 + index);
          while (!isOver()) {
            const outcome = await connection.refresh();
            if (outcome?.state === 'acknowledged') times += 1;
            await delay(own.between(rotationPauseMs.least, rotationPauseMs.most));
          }
        }),
      );
      return times;
    },
    async checkSessions() {
      for (const { email, connection } of devices) {
        const outcome = await connection.request({ method: 'GET', path: '/api/auth/user' });
        if (outcome.state !== 'acknowledged') {
          findings.add(`${email} is signed out: ${JSON.stringify(outcome)}`);
        }
      }
    },
    async stop() {
      await Promise.all(streams.map((stream) => stream.stop()));
    },
  };
}
