/**
 * The hand-written statements, prepared by name, over the pool that TypeORM opened: its API can't name
 * statements.
 *
 * @see https://node-postgres.com/features/queries#prepared-statements
 */
import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { Pool, QueryResultRow } from 'pg';
import { DataSource } from 'typeorm';
import type { AccountRow, TaskRow } from '../../../src/limit/rows.ts';
import {
  openSession,
  openSessionInOrganization,
  postComment,
  taskPage,
} from '../../../src/limit/statements.ts';
import type { Claims } from '../../../src/limit/tokens.ts';
import { parametersOf, type NewComment, type Records } from '../records.ts';

@Injectable()
export class TunedRecords implements Records {
  constructor(@InjectDataSource() private readonly dataSource: DataSource) {}

  private async run<Row extends QueryResultRow>(name: string, text: string, values: unknown[]) {
    // TypeORM's driver for Postgres stores its pool there.
    const { master } = this.dataSource.driver as unknown as { master: Pool };
    const { rows } = await master.query<Row>({ name, text, values });
    return rows;
  }

  async caller({ sessionId, userId }: Claims): Promise<AccountRow | null> {
    const key = [sessionId, userId, new Date()];
    const [account] = await this.run<AccountRow>('caller', openSession, key);
    return account ?? null;
  }

  async member({ sessionId, userId }: Claims, organizationId: string): Promise<AccountRow | null> {
    const key = [sessionId, userId, new Date(), organizationId];
    const [account] = await this.run<AccountRow>('member', openSessionInOrganization, key);
    return account?.role ? account : null;
  }

  tasks(organizationId: string, atMost: number): Promise<TaskRow[]> {
    return this.run<TaskRow>('tasks', taskPage, [organizationId, atMost]);
  }

  async post(comment: NewComment): Promise<boolean> {
    const posted = await this.run('comment', postComment, parametersOf(comment));
    return posted.length === 1;
  }
}
