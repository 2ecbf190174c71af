import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePorts, startPostgres, type RunningPostgres } from '@atelier/devstack';
import postgres from 'postgres';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findProgram } from '../../../../apps/api/src/testing/programs.ts';
import { standIns } from './node.ts';

const python = findProgram('python3');
if (python === null)
  process.stdout.write('Stand-ins of this run: none (python3 is not installed)\n');

const directory = mkdtempSync(join(tmpdir(), 'atelier-stand-ins-'));
let server: RunningPostgres;
beforeAll(async () => {
  server = await startPostgres({
    dataDir: directory,
    settings: { fsync: 'off', max_connections: '37' },
  });
});
afterAll(async () => {
  await server.stop();
  rmSync(directory, { recursive: true, force: true });
});

/** Runs a stand-in. @returns its exit code and output */
function runStandIn(name: string, args: readonly string[]): { code: number; stdout: string } {
  try {
    const stdout = execFileSync(python ?? '', [standIns[name] ?? '', ...args], {
      encoding: 'utf8',
    });
    return { code: 0, stdout };
  } catch (error) {
    const code: unknown = Reflect.get(Object(error), 'status');
    return { code: Number(code), stdout: '' };
  }
}

test.skipIf(python === null)(
  'pg_controldata says of a control file what the server says of it',
  async () => {
    const sql = postgres(server.url, { max: 1, onnotice: () => {} });
    try {
      await sql`checkpoint`;
      const [said] = await sql`
      select system_identifier::text as system, pg_control_version::text as version,
        checkpoint_lsn::text as checkpoint, redo_lsn::text as redo, timeline_id::text as timeline,
        min_recovery_end_lsn::text as recovery, min_recovery_end_timeline::text as "recoveryTimeline",
        current_setting('max_connections') as connections,
        current_setting('max_worker_processes') as workers,
        current_setting('max_wal_senders') as senders,
        current_setting('max_locks_per_transaction') as locks
      from pg_control_system(), pg_control_checkpoint(), pg_control_recovery()`;
      const { stdout } = runStandIn('pg_controldata', ['-D', join(directory, 'cluster')]);
      const lines = stdout
        .trim()
        .split('\n')
        .map((line) => line.split(/: +/));
      expect(Object.fromEntries(lines)).toMatchObject({
        'pg_control version number': said?.['version'],
        'Database system identifier': said?.['system'],
        'Database cluster state': 'in production',
        'Latest checkpoint location': said?.['checkpoint'],
        "Latest checkpoint's REDO location": said?.['redo'],
        "Latest checkpoint's TimeLineID": said?.['timeline'],
        'Minimum recovery ending location': said?.['recovery'],
        "Min recovery ending loc's timeline": said?.['recoveryTimeline'],
        'max_connections setting': said?.['connections'],
        'max_worker_processes setting': said?.['workers'],
        'max_wal_senders setting': said?.['senders'],
        'max_locks_per_xact setting': said?.['locks'],
      });
    } finally {
      await sql.end();
    }
  },
);

test.skipIf(python === null)(
  'pg_isready tells a server that accepts connections from none',
  async () => {
    const [unused = 0] = await freePorts(1);
    const codeOf = (port: number) =>
      runStandIn('pg_isready', [
        '-p',
        String(port),
        '-d',
        'postgres',
        '-h',
        '127.0.0.1',
        '-U',
        'atelier',
      ]).code;
    expect([codeOf(server.port), codeOf(unused)]).toEqual([0, 2]);
  },
);
