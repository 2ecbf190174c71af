import { pino } from 'pino';
import { systemClock } from '../../../adapters/system-clock.ts';
import { connectDatabase } from '../../../db/client.ts';
import { startFollower } from '../../follow/follow.ts';
import { keepSearchIndex } from '../consumer.ts';

/** A process that does nothing but keep the index of search, until it is killed. */
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
  consumers: [keepSearchIndex()],
});
process.stdout.write('following\n');
