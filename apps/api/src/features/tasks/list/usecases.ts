import type { Pagination, Task } from '@atelier/contract';
import type { Deps } from '../../../deps.ts';
import { searchedText } from '../../../domain/folding.ts';
import { knownPages, type ReadPage } from '../../../domain/known-pages/known-pages.ts';
import type { ReaderContext } from '../../../kernel/context.ts';
import { Failure } from '../../../kernel/errors.ts';
import { pictureAddressesOf } from '../../../domain/person-view/present.ts';
import { orderIn, pageOf, rowWindowOf, type PageRequest } from '../../../kernel/pagination.ts';
import { shownTask } from '../../../domain/task-view/present.ts';
import { taskPositions } from '../positions/positions.ts';
import type { TaskFilter } from './queries/filter.ts';
import { taskListQueries } from './queries/lists.ts';
import { sortValueOf, type TaskSort } from './queries/order.ts';

interface TaskPage {
  readonly items: Task[];
  readonly pagination: Pagination;
}

type Filters = Omit<TaskFilter, 'organizationId' | 'titleContains'>;

interface TaskListRequest extends PageRequest, Filters {
  readonly q?: string | undefined;
  readonly sort: TaskSort | `-${Exclude<TaskSort, 'position'>}`;
}

/** Lists the tasks of the selected organization. */
export function taskListUseCases(deps: Deps) {
  const { db, cursors, store } = deps;
  const tasks = taskListQueries(deps, taskPositions(db));
  const pages = knownPages<TaskPage>(deps);

  async function list(request: TaskListRequest, ctx: ReaderContext): Promise<TaskPage> {
    const filter = await filterOf(request, ctx);
    const { q, sort, page, limit, cursor } = request;
    // What one person types, others rarely do.
    if (q !== undefined) return (await read(request, filter)).shown;
    return pages.find({
      organizationId: ctx.organization.id,
      key: JSON.stringify([filter, sort, page, limit, cursor]),
      read: () => read(request, filter),
    });
  }

  async function read(request: TaskListRequest, filter: TaskFilter): Promise<ReadPage<TaskPage>> {
    const continued = { list: cursorNameOf(request), cursors, countedFor: filter };
    const order = orderIn(request.sort);
    const found = await tasks.list(filter, order, rowWindowOf(request, continued));
    const people = found.rows.flatMap(({ assignees }) => assignees);
    const pictures = await pictureAddressesOf(store, people);
    const shown = pageOf(found, request, {
      ...continued,
      present: (row) => shownTask(row, pictures),
      positionOf: (row) => ({ sortValue: sortValueOf(row, filter, order), id: row.id }),
    });
    return { shown, people };
  }

  return {
    list,

    /** @throws Failure `not_found` (404) without such a project */
    async listInProject(projectId: string, request: TaskListRequest, ctx: ReaderContext) {
      const [page, isThere] = await Promise.all([
        list({ ...request, projectId }, ctx),
        tasks.hasProject({ organizationId: ctx.organization.id, id: projectId }),
      ]);
      if (!isThere) throw new Failure('not_found');
      return page;
    },
  };
}

async function filterOf(request: TaskListRequest, ctx: ReaderContext): Promise<TaskFilter> {
  const { assigneeId, q, projectId, status, labelId, priority, parentId, dueBefore } = request;
  return {
    organizationId: ctx.organization.id,
    projectId,
    status,
    labelId,
    priority,
    parentId,
    dueBefore,
    assigneeId: assigneeId === 'me' ? ctx.user.id : assigneeId,
    titleContains: q === undefined ? undefined : await searchedText(q),
  };
}

/** Sorted by position, the content of a cursor depends on how much of the place the filters fix. */
function cursorNameOf({ sort, projectId, status }: TaskListRequest): string {
  return ['tasks', sort, projectId ? 'project' : 'all', status ? 'column' : 'all'].join(':');
}
