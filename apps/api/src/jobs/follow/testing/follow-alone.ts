import { pino } from 'pino';
import { systemClock } from '../../../adapters/system-clock.ts';
import { connectDatabase } from '../../../db/client.ts';
import { startFollower, type Consumer } from '../follow.ts';

/** Does nothing but feed a consumer, until the process is killed. Prints a line when it follows. */
export function followAlone(consumer: Consumer): void {
  const connection = connectDatabase({
    url: process.env['DATABASE_URL'] ?? '',
    maxConnections: 4,
    statementTimeoutMs: 15_000,
  });
  startFollower({
    db: connection.db,
    scopes: null,
    clock: systemClock,
    log: pino({ level: 'warn' }),
    listenToChanges: (listener) => connection.listen(listener),
    consumers: [consumer],
  });
  process.stdout.write('following\n');
}
