import type { Task } from '@atelier/client';
import { TaskStatus } from '@atelier/contract/schemas';
import { Option, type Command } from 'commander';
import { UsageError } from '../failures.ts';
import { openSession, type GlobalOptions } from '../session.ts';
import { print, table, type Terminal } from '../terminal.ts';

const status = () =>
  new Option('--status <status>', 'column of the board').choices(TaskStatus.options);

interface ListOptions extends GlobalOptions {
  readonly project?: string;
  readonly status?: Task['status'];
  readonly mine?: true;
  readonly parent?: string;
  readonly limit: string;
}

interface AddOptions extends GlobalOptions {
  readonly project: string;
  readonly status?: Task['status'];
  readonly parent?: string;
}

interface MoveOptions extends GlobalOptions {
  readonly status?: Task['status'];
  readonly position?: string;
  readonly before?: string;
  readonly after?: string;
}

/** Adds `ls`, `add` and `move`. */
export function addTaskCommands(tasks: Command, terminal: Terminal): void {
  tasks
    .command('ls')
    .description('List tasks, the newest first')
    .option('--project <id>', 'only of this project')
    .addOption(status())
    .option('--mine', 'only those assigned to you')
    .option('--parent <id>', 'only the subtasks of this task')
    .option('--limit <n>', 'how many at most', '50')
    .action((_, command: Command) => list(terminal, command.optsWithGlobals<ListOptions>()));
  tasks
    .command('add')
    .description('Add a task to a project')
    .argument('<title>')
    .requiredOption('--project <id>')
    .option('--parent <id>', 'as a subtask of this task')
    .addOption(status())
    .action(async (title: string, _, command: Command) => {
      const options = command.optsWithGlobals<AddOptions>();
      const { api, isJson } = openSession(terminal, options);
      const task = await api.tasks.create({
        params: { projectId: options.project },
        body: {
          title,
          ...(options.status && { status: options.status }),
          ...(options.parent !== undefined && { parentId: options.parent }),
        },
      });
      print(terminal, { isJson, data: task, text: lineOf(task).join('  ') });
    });
  tasks
    .command('move')
    .description('Move a task to a column or to another place in its column')
    .argument('<id>')
    .addOption(status())
    .option('--position <n>', 'place in the column, from 0')
    .option('--before <id>', 'before this task')
    .option('--after <id>', 'after this task')
    .action((id: string, _, command: Command) =>
      move(terminal, id, command.optsWithGlobals<MoveOptions>()),
    );
}

async function list(terminal: Terminal, options: ListOptions): Promise<void> {
  const { api, isJson } = openSession(terminal, options);
  const most = wholeNumber('--limit', options.limit);
  const found: Task[] = [];
  const query = {
    limit: Math.min(100, Math.max(1, most)),
    projectId: options.project,
    status: options.status,
    parentId: options.parent,
    ...(options.mine && { assigneeId: 'me' as const }),
  };
  for await (const task of api.tasks.list.iterate({ query })) {
    if (found.length >= most) break;
    found.push(task);
  }
  print(terminal, {
    isJson,
    data: found,
    text: found.length === 0 ? 'No tasks.' : table(found.map(lineOf)),
  });
}

async function move(terminal: Terminal, id: string, options: MoveOptions): Promise<void> {
  const { api, isJson } = openSession(terminal, options);
  const body = { ...(options.status && { status: options.status }), ...anchorOf(options) };
  const task = await api.tasks.move({ params: { id }, body });
  print(terminal, { isJson, data: task, text: lineOf(task).join('  ') });
}

/** @throws UsageError for two places */
function anchorOf({ position, before, after }: MoveOptions) {
  if ([position, before, after].filter((given) => given !== undefined).length > 1) {
    throw new UsageError('Give one of --position, --before and --after.');
  }
  if (before !== undefined) return { beforeId: before };
  if (after !== undefined) return { afterId: after };
  return { position: wholeNumber('--position', position ?? '0') };
}

function wholeNumber(option: string, text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new UsageError(`${option} takes a whole number, not ${text}.`);
  return Number(text);
}

function lineOf({ id, number, status: column, priority, title }: Task): string[] {
  return [id, `#${number}`, column, priority, title];
}
