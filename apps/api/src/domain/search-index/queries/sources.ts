import type { SearchType } from '@atelier/contract';
import { and, asc, eq, gt, inArray, isNull, sql, type SQL } from 'drizzle-orm';
import type { AnyPgColumn } from 'drizzle-orm/pg-core';
import type { Executor } from '../../../db/executor.ts';
import {
  assets,
  collections,
  comments,
  memberships,
  organizations,
  projects,
  tasks,
  users,
} from '../../../db/generated/schema.ts';
import { displayNameOf } from '../../person-view/present-user.ts';
import { maxBodyLength, type Source } from '../documents.ts';

/** Which resources of a type are read. */
export type Which = { readonly ids: readonly string[] } | { readonly page: Page };

/** The next ones in the order of their ids. */
export interface Page {
  /** Null: from the beginning. */
  readonly afterId: string | null;
  readonly limit: number;
  /** Of this collection only. */
  readonly collectionId?: string | undefined;
}

type Read = (db: Executor, organizationId: string, which: Which) => Promise<Source[]>;

const bodyOf = (column: AnyPgColumn) =>
  sql<string>`left(coalesce(${column}, ''), ${sql.raw(String(maxBodyLength))})`;

const limitOf = (which: Which) => ('page' in which ? which.page.limit : which.ids.length);

function within(id: AnyPgColumn, which: Which): SQL | undefined {
  if ('ids' in which) return inArray(id, [...which.ids]);
  return which.page.afterId === null ? undefined : gt(id, which.page.afterId);
}

const readTasks: Read = async (db, organizationId, which) => {
  const rows = await db
    .select({
      id: tasks.id,
      projectId: tasks.projectId,
      title: tasks.title,
      body: bodyOf(tasks.description),
      number: tasks.number,
      key: projects.key,
    })
    .from(tasks)
    .innerJoin(
      projects,
      and(eq(projects.organizationId, organizationId), eq(projects.id, tasks.projectId)),
    )
    .where(and(eq(tasks.organizationId, organizationId), within(tasks.id, which)))
    .orderBy(asc(tasks.id))
    .limit(limitOf(which));
  return rows.map(({ body, key, number, ...row }) => ({
    ...row,
    type: 'task',
    fields: [[['A', row.title]], [['A', `${key} ${number}`]], [['C', body]]],
  }));
};

const readComments: Read = async (db, organizationId, which) => {
  const rows = await db
    .select({
      id: comments.id,
      taskId: comments.taskId,
      projectId: tasks.projectId,
      body: bodyOf(comments.body),
    })
    .from(comments)
    .innerJoin(tasks, and(eq(tasks.organizationId, organizationId), eq(tasks.id, comments.taskId)))
    .where(and(eq(comments.organizationId, organizationId), within(comments.id, which)))
    .orderBy(asc(comments.id))
    .limit(limitOf(which));
  return rows.map(({ body, ...row }) => ({
    ...row,
    type: 'comment',
    title: '',
    fields: [[['C', body]]],
  }));
};

const readAssets: Read = async (db, organizationId, which) => {
  const collectionId = 'page' in which ? which.page.collectionId : undefined;
  const rows = await db
    .select({
      id: assets.id,
      collectionId: assets.collectionId,
      title: assets.name,
      contentType: assets.contentType,
      tags: assets.tags,
      body: bodyOf(assets.description),
      collectionTitle: collections.title,
    })
    .from(assets)
    .innerJoin(
      collections,
      and(
        eq(collections.organizationId, organizationId),
        eq(collections.id, assets.collectionId),
        isNull(collections.deletedAt),
      ),
    )
    .where(
      and(
        eq(assets.organizationId, organizationId),
        isNull(assets.deletedAt),
        collectionId === undefined ? undefined : eq(assets.collectionId, collectionId),
        within(assets.id, which),
      ),
    )
    .orderBy(asc(assets.id))
    .limit(limitOf(which));
  return rows.map(({ contentType, tags, body, collectionTitle, ...row }) => {
    const { stem, extension } = partsOf(row.title);
    return {
      ...row,
      type: 'asset',
      title: stem,
      fields: [
        [
          ['A', stem],
          ['B', extension],
        ],
        [['B', contentType]],
        ...(tags ?? []).map((tag): [['B', string]] => [['B', tag]]),
        [['C', collectionTitle]],
        // Not C: who may not read collections finds nothing by their titles.
        [['D', body]],
      ],
    };
  });
};

/** A name with nothing before its last dot has no extension. */
function partsOf(name: string): { stem: string; extension: string } {
  const dot = name.lastIndexOf('.');
  if (dot <= 0) return { stem: name, extension: '' };
  return { stem: name.slice(0, dot), extension: name.slice(dot + 1) };
}

const readCollections: Read = async (db, organizationId, which) => {
  const rows = await db
    .select({ id: collections.id, title: collections.title })
    .from(collections)
    .where(
      and(
        eq(collections.organizationId, organizationId),
        isNull(collections.deletedAt),
        within(collections.id, which),
      ),
    )
    .orderBy(asc(collections.id))
    .limit(limitOf(which));
  return rows.map((row) => ({ ...row, type: 'collection', fields: [[['A', row.title]]] }));
};

const readProjects: Read = async (db, organizationId, which) => {
  const rows = await db
    .select({
      id: projects.id,
      title: projects.name,
      key: projects.key,
      body: bodyOf(projects.description),
    })
    .from(projects)
    .where(and(eq(projects.organizationId, organizationId), within(projects.id, which)))
    .orderBy(asc(projects.id))
    .limit(limitOf(which));
  return rows.map(({ key, body, ...row }) => ({
    ...row,
    type: 'project',
    fields: [[['A', row.title]], [['A', key]], [['C', body]]],
  }));
};

/** Of teams: a personal organization has one member. */
const readPersons: Read = async (db, organizationId, which) => {
  const rows = await db
    .select({
      id: users.id,
      email: users.email,
      firstName: users.firstName,
      lastName: users.lastName,
    })
    .from(memberships)
    .innerJoin(users, and(eq(users.id, memberships.userId), eq(users.kind, 'PERSON')))
    .innerJoin(
      organizations,
      and(
        eq(organizations.id, organizationId),
        eq(organizations.type, 'TEAM'),
        isNull(organizations.deletedAt),
      ),
    )
    .where(and(eq(memberships.organizationId, organizationId), within(memberships.userId, which)))
    .orderBy(asc(memberships.userId))
    .limit(limitOf(which));
  return rows.map((person) => {
    const title = displayNameOf(person);
    return {
      type: 'person',
      id: person.id,
      personId: person.id,
      title,
      fields: [[['A', title]], [['D', person.email]]],
    };
  });
};

const readers: Readonly<Record<SearchType, Read>> = {
  task: readTasks,
  comment: readComments,
  asset: readAssets,
  collection: readCollections,
  project: readProjects,
  person: readPersons,
};

/** Reads resources as they are now, without deleted ones, in the order of their ids. */
export async function readSources(
  db: Executor,
  { organizationId, type }: { organizationId: string; type: SearchType },
  which: Which,
): Promise<Source[]> {
  if ('ids' in which && which.ids.length === 0) return [];
  return readers[type](db, organizationId, which);
}

/** @returns the accounts of memberships */
export async function findPersons(
  db: Executor,
  organizationId: string,
  membershipIds: readonly string[],
): Promise<string[]> {
  if (membershipIds.length === 0) return [];
  const rows = await db
    .select({ userId: memberships.userId })
    .from(memberships)
    .where(
      and(
        eq(memberships.organizationId, organizationId),
        inArray(memberships.id, [...membershipIds]),
      ),
    );
  return rows.map(({ userId }) => userId);
}

/** @returns the collections of assets, sorted */
export async function findCollectionsOf(
  db: Executor,
  organizationId: string,
  assetIds: readonly string[],
): Promise<string[]> {
  if (assetIds.length === 0) return [];
  const rows = await db
    .select({ id: assets.collectionId })
    .from(assets)
    .where(and(eq(assets.organizationId, organizationId), inArray(assets.id, [...assetIds])))
    .groupBy(assets.collectionId)
    .orderBy(asc(assets.collectionId));
  return rows.map(({ id }) => id);
}

/** @returns the teams that an account is a member of */
export async function findTeamsOf(db: Executor, userId: string): Promise<string[]> {
  const rows = await db
    .select({ id: organizations.id })
    .from(memberships)
    .innerJoin(
      organizations,
      and(eq(organizations.id, memberships.organizationId), eq(organizations.type, 'TEAM')),
    )
    .where(eq(memberships.userId, userId));
  return rows.map(({ id }) => id);
}
