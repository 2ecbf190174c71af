/**
 * The columns of the tables that S1 to S3 need. Computed values of a task are virtual columns.
 *
 * @see https://typeorm.io/docs/entity/entities
 * @see https://typeorm.io/docs/help/decorator-reference#virtualcolumn
 */
import {
  Column,
  Entity,
  JoinColumn,
  ManyToOne,
  OneToMany,
  PrimaryColumn,
  VirtualColumn,
  type Relation,
} from 'typeorm';
import {
  assigneesOf,
  attachmentCountOf,
  commentCountOf,
  labelsOf,
  parentOf,
  positionOf,
} from '../../../src/limit/statements.ts';
import type { TaskRow } from '../../../src/limit/rows.ts';

const moment = { type: 'timestamptz', precision: 3 } as const;

@Entity('users')
export class User {
  @PrimaryColumn('uuid') id!: string;
  @Column('text') email!: string;
  @Column('text', { name: 'first_name', nullable: true }) firstName!: string | null;
  @Column('text', { name: 'last_name', nullable: true }) lastName!: string | null;
  @Column('text', { name: 'platform_role' }) platformRole!: string;
  @Column('boolean', { name: 'mail_notices' }) mailNotices!: boolean;
  @Column('boolean', { name: 'mail_sign_ins' }) mailSignIns!: boolean;
  @Column('text', { name: 'account_status' }) accountStatus!: string;
  @Column({ ...moment, name: 'created_at' }) createdAt!: Date;
  @Column({ ...moment, name: 'updated_at' }) updatedAt!: Date;
  @OneToMany(() => Organization, (organization) => organization.owner)
  organizations!: Relation<Organization[]>;
}

@Entity('sessions')
export class Session {
  @PrimaryColumn('uuid') id!: string;
  @Column('uuid', { name: 'user_id' }) userId!: string;
  @Column({ ...moment, name: 'expires_at' }) expiresAt!: Date;
  @Column({ ...moment, name: 'ended_at', nullable: true }) endedAt!: Date | null;
  @ManyToOne(() => User)
  @JoinColumn({ name: 'user_id' })
  user!: Relation<User>;
}

@Entity('organizations')
export class Organization {
  @PrimaryColumn('uuid') id!: string;
  @Column('text') type!: string;
  @Column({ ...moment, name: 'deleted_at', nullable: true }) deletedAt!: Date | null;
  @ManyToOne(() => User, (user) => user.organizations)
  @JoinColumn({ name: 'owner_id' })
  owner!: Relation<User>;
}

@Entity('memberships')
export class Membership {
  @PrimaryColumn('uuid') id!: string;
  @Column('uuid', { name: 'organization_id' }) organizationId!: string;
  @Column('uuid', { name: 'user_id' }) userId!: string;
  @Column('text') role!: string;
  @Column('text') status!: string;
  @ManyToOne(() => Organization)
  @JoinColumn({ name: 'organization_id' })
  organization!: Relation<Organization>;
}

@Entity('tasks')
export class Task {
  @PrimaryColumn('uuid', { name: 'organization_id' }) organizationId!: string;
  @PrimaryColumn('uuid') id!: string;
  @Column('uuid', { name: 'project_id' }) projectId!: string;
  @Column('int') number!: number;
  @Column('text') title!: string;
  @Column('text', { nullable: true }) description!: string | null;
  @Column('text') status!: string;
  @Column('text') priority!: string;
  @Column({ ...moment, name: 'due_date', nullable: true }) dueDate!: Date | null;
  @Column({ ...moment, name: 'completed_at', nullable: true }) completedAt!: Date | null;
  @Column('uuid', { name: 'created_by' }) createdBy!: string;
  @Column({ ...moment, name: 'created_at' }) createdAt!: Date;
  @Column({ ...moment, name: 'updated_at' }) updatedAt!: Date;
  @VirtualColumn('int', { query: positionOf }) position!: number;
  @VirtualColumn('int', { query: commentCountOf }) commentCount!: number;
  @Column('int', { name: 'subtask_count' }) subtaskCount!: number;
  @Column('int', { name: 'completed_subtask_count' }) completedSubtaskCount!: number;
  @VirtualColumn('json', { query: parentOf }) parent!: TaskRow['parent'];
  @VirtualColumn('int', { query: attachmentCountOf }) attachmentCount!: number;
  @VirtualColumn('json', { query: assigneesOf }) assignees!: TaskRow['assignees'];
  @VirtualColumn('json', { query: labelsOf }) labels!: TaskRow['labels'];
}

@Entity('comments')
export class Comment {
  @PrimaryColumn('uuid', { name: 'organization_id' }) organizationId!: string;
  @PrimaryColumn('uuid') id!: string;
  @Column('uuid', { name: 'task_id' }) taskId!: string;
  @Column('uuid', { name: 'author_id' }) authorId!: string;
  @Column('text') body!: string;
  @Column({ ...moment, name: 'created_at' }) createdAt!: Date;
}

@Entity('activities')
export class Activity {
  @PrimaryColumn('uuid') id!: string;
  @Column('text') action!: string;
  @Column('uuid', { name: 'actor_id', nullable: true }) actorId!: string | null;
  @Column('uuid', { name: 'organization_id', nullable: true }) organizationId!: string | null;
  @Column('text', { name: 'resource_type' }) resourceType!: string;
  @Column('uuid', { name: 'resource_id' }) resourceId!: string;
  @Column('text', { name: 'resource_name' }) resourceName!: string;
  @Column('jsonb') changes!: object[];
  @Column('jsonb') metadata!: object;
  @Column('text', { name: 'request_id', nullable: true }) requestId!: string | null;
  @Column({ ...moment, name: 'created_at' }) createdAt!: Date;
}

export const entities = [User, Session, Organization, Membership, Task, Comment, Activity];
