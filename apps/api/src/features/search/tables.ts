import { searchTypes } from '@atelier/contract';
import { sql } from 'drizzle-orm';
import {
  check,
  customType,
  index,
  integer,
  pgTable,
  primaryKey,
  text,
  uuid,
} from 'drizzle-orm/pg-core';
import { users } from '../auth/tables.ts';
import { organizations } from '../organizations/tables.ts';
import { isOneOf } from '../../db/columns.ts';
import { tenantTable } from '../../db/tenancy.ts';

const words = customType<{ data: string }>({ dataType: () => 'tsvector' });

/**
 * What a search finds: a row for each resource, written by the follower of the activity log. It decides what matches; what is
 * shown and counted is read from the resource itself. So it refers to resources without foreign keys.
 */
export const searchDocuments = tenantTable(
  pgTable(
    'search_documents',
    {
      organizationId: uuid()
        .notNull()
        .references(() => organizations.id),
      type: text({ enum: searchTypes }).notNull(),
      resourceId: uuid().notNull(),
      /** The task of a comment. */
      taskId: uuid(),
      /** The project of a task or comment. */
      projectId: uuid(),
      /** The collection of an asset. */
      collectionId: uuid(),
      /** The account of a person. */
      personId: uuid().references(() => users.id),
      /** Empty for a comment. */
      titleFolded: text().notNull(),
      words: words().notNull(),
      /** Version of the rules by which the row was made. */
      indexedRevision: integer().notNull(),
    },
    (table) => [
      primaryKey({ columns: [table.organizationId, table.type, table.resourceId] }),
      check('search_documents_type', isOneOf(table.type)),
      index('search_documents_words').using('gin', table.organizationId, table.words),
      // Suggestions: the words of titles alone are a fifth of all, which is what a beginning of two letters has to go through.
      index('search_documents_title_words').using(
        'gin',
        table.organizationId,
        sql`ts_filter(${table.words}, '{a,b}')`,
      ),
      index('search_documents_titles').on(
        table.organizationId,
        table.titleFolded.op('text_pattern_ops'),
      ),
      index('search_documents_title_trigrams').using(
        'gin',
        table.organizationId,
        table.titleFolded.op('gin_trgm_ops'),
      ),
      index('search_documents_of_task')
        .on(table.organizationId, table.taskId)
        .where(sql`${table.taskId} is not null`),
      index('search_documents_of_project')
        .on(table.organizationId, table.projectId)
        .where(sql`${table.projectId} is not null`),
      index('search_documents_of_person')
        .on(table.personId)
        .where(sql`${table.personId} is not null`),
      index('search_documents_of_collection')
        .on(table.organizationId, table.collectionId)
        .where(sql`${table.collectionId} is not null`),
    ],
  ),
  {
    onOrganizationDeleted: 'delete',
    onAccountErased: { personId: 'delete' },
    onAccountExported: { nothing: 'it is made from rows that the export has' },
    distribution: 'organization',
    lookups: { search_documents_of_person: 'an account is erased from all organizations' },
  },
);
