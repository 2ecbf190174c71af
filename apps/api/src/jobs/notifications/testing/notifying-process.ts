import { pino } from 'pino';
import { systemClock } from '../../../adapters/system-clock.ts';
import { connectDatabase } from '../../../db/client.ts';
import { startFollower } from '../../follow/follow.ts';
import { notifyMembers } from '../consumer.ts';

/** A process that does nothing but notify members, until it is killed. */
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
  consumers: [notifyMembers({ clock: systemClock })],
});
process.stdout.write('following\n');
