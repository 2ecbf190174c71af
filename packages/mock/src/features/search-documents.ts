import type { SearchHit, SearchTypeName } from '@atelier/contract';
import type { State } from '../state/model.ts';
import { idsOf, textOf, type Stored } from '../state/store.ts';
import { allIn, isService } from './teams.ts';

export type HighlightField = SearchHit['highlights'][number]['field'];

/** Something that can be found, as it is now. */
export interface SearchDocument extends Pick<
  SearchHit,
  'type' | 'id' | 'title' | 'key' | 'context' | 'status' | 'updatedAt'
> {
  readonly organizationId: string;
  readonly record: Stored;
  /** What is searched, with its weight. The first is the title, or what stands for it. */
  readonly fields: readonly SearchedField[];
  readonly createdBy: string | null;
  readonly assigneeIds: readonly string[];
  readonly dueDate: string | null;
}

export interface SearchedField {
  readonly field: HighlightField;
  readonly text: string;
  readonly weight: number;
}

type Common = 'organizationId' | 'record' | 'id' | 'createdBy';
type Own = Omit<SearchDocument, Common | 'assigneeIds' | 'dueDate'> &
  Partial<Pick<SearchDocument, 'id' | 'createdBy' | 'assigneeIds' | 'dueDate'>>;

const nowhere = { project: null, collection: null, task: null };

const kinds = {
  task: 'task',
  comment: 'comment',
  asset: 'asset',
  collection: 'collection',
  project: 'project',
  person: 'member',
} as const satisfies Record<SearchTypeName, string>;

/** Returns everything of a type that the members of an organization may read. */
export function documentsOf(
  state: State,
  organizationId: string,
  type: SearchTypeName,
): SearchDocument[] {
  return allIn(state, kinds[type], organizationId).flatMap((record) => {
    const own = describe[type](record, state);
    if (!own) return [];
    const { id, ownerId: createdBy } = record;
    return [{ id, createdBy, assigneeIds: [], dueDate: null, organizationId, record, ...own }];
  });
}

const describe: Record<SearchTypeName, (record: Stored, state: State) => Own | null> = {
  task: (record, state) => {
    const { fields } = record;
    const title = textOf(fields, 'title');
    const key = keyOf(state, record);
    return {
      type: 'task',
      title,
      key,
      context: { ...nowhere, project: projectOf(state, record) },
      status: fields['status'] as SearchHit['status'],
      updatedAt: textOf(fields, 'updatedAt'),
      assigneeIds: idsOf(fields, 'assigneeIds'),
      dueDate: textOf(fields, 'dueDate') || null,
      fields: [
        { field: 'title', text: title, weight: 1 },
        { field: 'key', text: key, weight: 1 },
        { field: 'description', text: textOf(fields, 'description'), weight: 0.3 },
      ],
    };
  },
  comment: ({ fields }, state) => {
    const task = state.store.find('task', fields['taskId']);
    if (!task) return null;
    const title = textOf(task.fields, 'title');
    return {
      type: 'comment',
      title,
      key: keyOf(state, task),
      context: { ...nowhere, project: projectOf(state, task), task: { id: task.id, title } },
      status: null,
      updatedAt: textOf(fields, 'editedAt') || textOf(fields, 'createdAt'),
      fields: [{ field: 'body', text: textOf(fields, 'body'), weight: 0.3 }],
    };
  },
  asset: ({ fields }, state) => {
    const title = textOf(fields, 'assetName');
    const collection = state.store.find('collection', fields['collectionId']);
    const collectionTitle = textOf(collection?.fields, 'title');
    return {
      type: 'asset',
      title,
      key: null,
      context: {
        ...nowhere,
        collection: collection ? { id: collection.id, title: collectionTitle } : null,
      },
      status: null,
      updatedAt: textOf(fields, 'updatedAt') || textOf(fields, 'createdAt'),
      fields: [
        { field: 'title', text: title, weight: 1 },
        { field: 'tags', text: idsOf(fields, 'tags').join(', '), weight: 0.6 },
        { field: 'description', text: textOf(fields, 'description'), weight: 0.15 },
        { field: 'collection', text: collectionTitle, weight: 0.3 },
      ],
    };
  },
  collection: ({ fields }) => ({
    type: 'collection',
    title: textOf(fields, 'title'),
    key: null,
    context: nowhere,
    status: null,
    updatedAt: textOf(fields, 'updatedAt'),
    fields: [{ field: 'title', text: textOf(fields, 'title'), weight: 1 }],
  }),
  project: ({ fields }) => ({
    type: 'project',
    title: textOf(fields, 'name'),
    key: textOf(fields, 'key'),
    context: nowhere,
    status: fields['status'] as SearchHit['status'],
    updatedAt: textOf(fields, 'updatedAt'),
    fields: [
      { field: 'title', text: textOf(fields, 'name'), weight: 1 },
      { field: 'key', text: textOf(fields, 'key'), weight: 1 },
      { field: 'description', text: textOf(fields, 'description'), weight: 0.3 },
    ],
  }),
  person: (member, { store }) => {
    const user = store.find('user', member.fields['userId']);
    if (!user || isService(member) || member.fields['status'] !== 'ACTIVE') return null;
    const title = textOf(user.fields, 'displayName');
    return {
      type: 'person',
      id: user.id,
      title,
      key: null,
      context: nowhere,
      status: null,
      updatedAt: textOf(member.fields, 'joinedAt'),
      createdBy: null,
      fields: [
        { field: 'title', text: title, weight: 1 },
        { field: 'email', text: textOf(user.fields, 'email'), weight: 0.3 },
      ],
    };
  },
};

function projectOf({ store }: State, { fields }: Stored): SearchHit['context']['project'] {
  const project = store.find('project', fields['projectId']);
  return project ? { id: project.id, name: textOf(project.fields, 'name') } : null;
}

function keyOf({ store }: State, { fields }: Stored): string {
  const project = store.find('project', fields['projectId']);
  return `${textOf(project?.fields, 'key')}-${Number(fields['number'])}`;
}
