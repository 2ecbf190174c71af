import tab from '@bomb.sh/tab/commander';
import { Command, CommanderError } from 'commander';
import manifest from '../package.json' with { type: 'json' };
import { addAccountCommands } from './commands/account.ts';
import { addDownloadCommand } from './commands/download.ts';
import { addExportCommand } from './commands/export.ts';
import { addUploadCommand } from './commands/upload.ts';
import { addWatchCommand } from './commands/watch.ts';
import { exitCodes, failureOf } from './failures.ts';
import type { Terminal } from './terminal.ts';

const completionCommandName = 'completion';
/** The commands that the contract describes. They are loaded when they are named: loading it takes most of the start. */
const described = [
  {
    name: 'tasks',
    description: 'List, add and move tasks',
    load: async () => (await import('./commands/tasks.ts')).addTaskCommands,
  },
  {
    name: 'share',
    description: 'Share collections and assets by links',
    load: async () => (await import('./commands/share.ts')).addShareCommands,
  },
  {
    name: 'api',
    description: 'Call an operation of the API and print the data of its response as JSON',
    load: async () => (await import('./commands/api.ts')).addOperations,
  },
] as const;

/**
 * Runs the command line.
 *
 * @param args - without the names of the runtime and the program
 * @returns the exit code
 */
export async function runProgram(args: readonly string[], terminal: Terminal): Promise<number> {
  const program = createProgram(terminal);
  // The program takes its own options anywhere, and some operations have a parameter of this name.
  if (!args.includes('api')) program.version(manifest.version);
  try {
    const isCompletion = args.includes(completionCommandName) || args.includes('complete');
    for (const { name, description, load } of described) {
      const command = program.command(name).description(description);
      if (isCompletion || args.includes(name)) (await load())(command, terminal);
    }
    tab(program, { completionCommandName });
    await program.parseAsync([...args], { from: 'user' });
    return 0;
  } catch (error) {
    // Its message has been printed.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : exitCodes.usage;
    const { exitCode, text } = failureOf(error);
    if (text !== null) terminal.stderr.write(`${text}\n`);
    return exitCode;
  }
}

function createProgram(terminal: Terminal): Command {
  const program = new Command('atelier')
    .description(manifest.description)
    .option('--url <address>', 'the service; default: $ATELIER_URL, or that of the last sign-in')
    .option('--organization <id>', 'default: $ATELIER_ORGANIZATION, or the personal one')
    .option('--json', 'print JSON, a line for each result')
    .exitOverride()
    .configureOutput({
      writeOut: (text) => void terminal.stdout.write(text),
      writeErr: (text) => void terminal.stderr.write(text),
    })
    .addHelpText(
      'after',
      '\nExit codes: 0 done, 1 failed, 2 wrong command line, 3 not signed in or key ended, 4 no connection, 141 results no longer read',
    );
  addAccountCommands(program, terminal);
  addUploadCommand(program, terminal);
  addDownloadCommand(program, terminal);
  addExportCommand(program, terminal);
  addWatchCommand(program, terminal);
  return program;
}
