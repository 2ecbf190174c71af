import { z } from 'zod/v4';
import { memberAccess, pathMemberAccess, type Permission } from './access.ts';
import { endpoint } from './endpoint.ts';
import { created, ok } from './envelope.ts';
import { cursorQuery, Pagination } from './pagination.ts';
import {
  documentedDefault,
  Id,
  presigned,
  queryInteger,
  Timestamp,
  timestampInput,
  verbatimText,
} from './primitives.ts';
import { searchTypes, type SearchTypeName } from './search-query.ts';
import { filterBy, target } from './targets.ts';
import { taskStatuses } from './task-status.ts';

/** Default number of hits on a page. */
export const defaultSearchLimit = 20;
/** Maximum number of hits on a page. */
export const maxSearchLimit = 50;
/** Maximum number of characters of a query. */
export const maxSearchLength = 200;
/** Maximum number of characters of a query for suggestions. */
export const maxSuggestLength = 80;
/** Maximum number of suggestions. */
export const maxSuggestions = 10;
/** Maximum number of characters of a highlight. */
export const maxHighlightLength = 200;

/** What reading a hit of each type needs: an API key finds only the types whose permission it has. */
export const searchPermissions = {
  task: 'task:read',
  comment: 'comment:read',
  asset: 'asset:read',
  collection: 'collection:read',
  project: 'project:read',
  person: 'member:read',
} as const satisfies Record<SearchTypeName, Permission>;

export const SearchType = z.enum(searchTypes).meta({
  id: 'SearchType',
  description: 'What a search finds.',
  examples: ['task'],
});
export type SearchType = z.infer<typeof SearchType>;

export const SearchStatus = z.enum([...taskStatuses, 'ACTIVE', 'ARCHIVED']).meta({
  id: 'SearchStatus',
  description: 'The column of a task, or the status of a project.',
  examples: ['TODO'],
});

export const SearchContext = z
  .object({
    project: z.object({ id: Id, name: z.string() }).nullable(),
    collection: z.object({ id: Id, title: z.string() }).nullable(),
    task: z
      .object({ id: Id, title: z.string() })
      .nullable()
      .describe('The task that a comment is about.'),
  })
  .meta({
    id: 'SearchContext',
    description: 'What a hit belongs to; null for what it does not.',
    examples: [
      {
        project: { id: '019aa4f5-4e6f-7071-b283-9e0f1a2b3c4d', name: 'Website' },
        collection: null,
        task: null,
      },
    ],
  });

const ranges = z
  .array(z.array(z.int().min(0)).length(2))
  .describe(
    'Start and end of each match, ascending and apart. Offsets count UTF-16 code units, and never part a character.',
  );

export const SearchHighlight = z
  .object({
    field: z.enum([
      'title',
      'key',
      'tags',
      'description',
      'body',
      'extension',
      'collection',
      'email',
    ]),
    text: z
      .string()
      .max(maxHighlightLength)
      .describe('The part of the field around its first match. It is text, not HTML.'),
    ranges,
  })
  .meta({
    id: 'SearchHighlight',
    description: 'Where a hit has the words of the query.',
    examples: [{ field: 'title', text: 'Write the imprint', ranges: [[10, 17]] }],
  });
export type SearchHighlight = z.infer<typeof SearchHighlight>;

const found = {
  type: SearchType,
  id: Id.describe('Of a person: the id of the user.'),
  organizationId: Id,
  title: z
    .string()
    .describe(
      'As it is now: the name of an asset, a project or a person; of a comment, the title of its task.',
    ),
  key: z
    .string()
    .nullable()
    .describe('`WEB-12` of a task, and of the task of a comment; `WEB` of a project; else null.'),
  context: SearchContext,
};

const hitExample = {
  type: 'task',
  id: '019aa4f6-5f70-7182-8394-af1b2c3d4e5f',
  organizationId: '019aa4f0-5c1e-7c00-8a51-0d9e2b7f6c11',
  title: 'Write the imprint',
  key: 'WEB-7',
  context: {
    project: { id: '019aa4f5-4e6f-7071-b283-9e0f1a2b3c4d', name: 'Website' },
    collection: null,
    task: null,
  },
  status: 'TODO',
  thumbnailUrl: null,
  highlights: [{ field: 'title', text: 'Write the imprint', ranges: [[10, 17]] }],
  match: 'words',
  updatedAt: '2026-11-21T09:30:00.000Z',
};

export const SearchHit = z
  .object({
    ...found,
    status: SearchStatus.nullable().describe('Of tasks and projects.'),
    thumbnailUrl: z
      .string()
      .nullable()
      .meta(presigned('Presigned URL of a small picture; null without one.')),
    highlights: z.array(SearchHighlight),
    match: z
      .enum(['exact', 'words', 'similar'])
      .describe(
        '`exact`: the key or the whole title. `words`: all words occur. `similar`: only resembling words do.',
      ),
    updatedAt: Timestamp,
  })
  .meta({
    id: 'SearchHit',
    description: 'Something that a search has found, as it is now.',
    examples: [hitExample],
  });
export type SearchHit = z.infer<typeof SearchHit>;

const count = z.int().min(0);

export const SearchTotals = z
  .object({
    all: count.describe('Of the types that the query asks for: the total of the pagination.'),
    byType: z
      .record(SearchType, count)
      .describe('Of each type, also of those left out by `types`.'),
    isTotalLowerBound: z
      .literal(true)
      .optional()
      .describe('Present if counting stopped, as it does at 10,000 at the latest: there are more.'),
  })
  .meta({
    id: 'SearchTotals',
    description: 'How many hits there are.',
    examples: [
      {
        all: 1,
        byType: { task: 1, comment: 0, asset: 0, collection: 0, project: 0, person: 0 },
      },
    ],
  });

export const SearchPage = z
  .object({
    items: z.array(SearchHit),
    pagination: Pagination,
    totals: SearchTotals,
    isComplete: z
      .boolean()
      .describe('False if words of the query were cut, or if the search was stopped for its time.'),
    correctedQuery: z
      .string()
      .nullable()
      .describe('The query in words of titles that were found; null if it needs no correction.'),
  })
  .meta({
    id: 'SearchPage',
    description: 'One page of hits, the best first.',
    examples: [
      {
        items: [hitExample],
        pagination: { page: 1, limit: 20, total: 1, totalPages: 1, hasNext: false },
        totals: {
          all: 1,
          byType: { task: 1, comment: 0, asset: 0, collection: 0, project: 0, person: 0 },
        },
        isComplete: true,
        correctedQuery: null,
      },
    ],
  });
export type SearchPage = z.infer<typeof SearchPage>;

const suggestionExample = {
  type: 'project',
  id: '019aa4f5-4e6f-7071-b283-9e0f1a2b3c4d',
  organizationId: '019aa4f0-5c1e-7c00-8a51-0d9e2b7f6c11',
  title: 'Website',
  key: 'WEB',
  context: { project: null, collection: null, task: null },
  ranges: [[0, 3]],
};

export const Suggestion = z
  .object({ ...found, ranges: ranges.describe('Matches in the title.') })
  .meta({
    id: 'Suggestion',
    description: 'Something whose title has the words of the query.',
    examples: [suggestionExample],
  });
export type Suggestion = z.infer<typeof Suggestion>;

export const SuggestionList = z.object({ items: z.array(Suggestion).max(maxSuggestions) }).meta({
  id: 'SuggestionList',
  description: 'The best suggestions, at most 10.',
  examples: [{ items: [suggestionExample] }],
});

export const SearchRebuild = z.object({ startedAt: Timestamp }).meta({
  id: 'SearchRebuild',
  description: 'Building the index of an organization anew; searches go on meanwhile.',
  examples: [{ startedAt: '2026-11-21T09:30:00.000Z' }],
});

const typeName = searchTypes.join('|');

const types = z
  .string()
  .regex(new RegExp(`^(?:${typeName})(?:,(?:${typeName})){0,5}$`), {
    error: `Invalid types: expected some of ${searchTypes.join(', ')}, separated by commas`,
  })
  .optional()
  .describe(
    `Only these, separated by commas: ${searchTypes.map((name) => `\`${name}\``).join(', ')}.`,
  );

const person = z
  .union([z.literal('me'), Id], { error: 'Invalid person: expected `me` or the id of a user' })
  .optional();

export const search = {
  find: endpoint({
    method: 'GET',
    path: '/api/search',
    summary: 'Search across everything that you may read',
    description: [
      'All words of `q` must occur; case and accents do not matter, and the last word may be a beginning unless a space follows.',
      '`"two words"` occur in this order, `-word` does not occur, and `WEB-12` is the task with this key.',
      'Filters: `type:task`, `in:WEB`, `by:ada`, `assignee:me`, `is:overdue` (or `open`, `done`), `after:2026-11-01`, `before:2026-12-01`; several of one kind are alternatives.',
      'At most 12 words count. With fewer than 5 hits, titles with similar words follow.',
      'An API key finds only what its scopes let it read.',
    ].join(' '),
    isAddition: true,
    access: memberAccess('search:use'),
    rateLimit: 'search',
    query: z.object({
      q: verbatimText({ max: maxSearchLength }).describe('The query, at most 200 characters.'),
      types,
      projectId: Id.optional().describe('Only what belongs to this project.'),
      collectionId: Id.optional().describe('Only what belongs to this collection.'),
      assigneeId: person.describe('Only tasks of this assignee: id of a user, or `me`.'),
      createdBy: person.describe('Only what this person made: id of a user, or `me`.'),
      from: timestampInput().optional().describe('Changed at or after this time.'),
      to: timestampInput().optional().describe('Changed before this time.'),
      status: SearchStatus.optional(),
      scope: z
        .enum(['organization', 'everywhere'])
        .default('organization')
        .describe(
          '`everywhere`: all organizations that you are an active member of, and the key reaches. Default `organization`.',
        ),
      limit: queryInteger({ min: 1, max: maxSearchLimit })
        .default(defaultSearchLimit)
        .meta({
          description: 'Hits per page, 1 to 50. Default 20.',
          ...documentedDefault(defaultSearchLimit),
        }),
      cursor: cursorQuery.cursor.describe(
        'Opaque `nextCursor` of the previous page; for the same query only.',
      ),
    }),
    list: 'ranked',
    targets: {
      'query.projectId': filterBy('project'),
      'query.collectionId': filterBy('collection'),
      'query.assigneeId': filterBy('user'),
      'query.createdBy': filterBy('user'),
    },
    success: ok('Search completed', SearchPage),
    errors: ['search_query_invalid'],
  }),
  suggest: endpoint({
    method: 'GET',
    path: '/api/search/suggest',
    summary: 'Suggest what a query may mean while it is typed',
    description: 'Looks at titles, names and keys only. `q` is read as by the search.',
    isAddition: true,
    access: memberAccess('search:use'),
    rateLimit: 'suggest',
    tool: false,
    query: z.object({
      q: verbatimText({ max: maxSuggestLength }).describe('The query, at most 80 characters.'),
      types,
    }),
    success: ok('Suggestions retrieved', SuggestionList),
    errors: ['search_query_invalid'],
  }),
  rebuild: endpoint({
    method: 'POST',
    path: '/api/organizations/:id/search/rebuild',
    summary: 'Build the search index of an organization anew',
    isAddition: true,
    access: pathMemberAccess('organization:rename'),
    effect: 'change',
    rateLimit: 'search-rebuild',
    tool: false,
    idempotent: true,
    pathParams: z.object({ id: Id }),
    targets: { 'params.id': target('organization', 'organization:rename') },
    success: created('Rebuild started', SearchRebuild),
  }),
};
