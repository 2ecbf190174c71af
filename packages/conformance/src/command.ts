import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import packageJson from '../package.json' with { type: 'json' };
import { parseCommand, usage, UsageError, type ReporterName } from './arguments.ts';
import { Unreachable } from './deployment.ts';
import { githubReport } from './reporters/github.ts';
import { junitReport } from './reporters/junit.ts';
import { prettyReport } from './reporters/pretty.ts';
import { checkConformance, type ConformanceReport } from './run.ts';

const reporters: Readonly<Record<ReporterName, (report: ConformanceReport) => string>> = {
  pretty: prettyReport,
  junit: junitReport,
  json: (report) => JSON.stringify(report, null, 2),
  github: githubReport,
};

/** The output streams of a command. */
export interface Output {
  readonly out: (text: string) => void;
  readonly error: (text: string) => void;
}

/**
 * Runs a command line.
 *
 * @returns the exit code: 0 it conforms, 1 it does not, 2 wrong usage or no response
 */
export async function runCommand(
  args: readonly string[],
  variables: Readonly<Record<string, string | undefined>>,
  output: Output,
): Promise<0 | 1 | 2> {
  try {
    return await run(args, variables, output);
  } catch (error) {
    if (error instanceof UsageError) {
      output.error(`${error.message}\nRun conformance --help for the options.`);
    } else if (error instanceof Unreachable || isSystemError(error)) {
      output.error(error.message);
    } else {
      throw error;
    }
    return 2;
  }
}

async function run(
  args: readonly string[],
  variables: Readonly<Record<string, string | undefined>>,
  { out }: Output,
): Promise<0 | 1> {
  const command = parseCommand(args, variables);
  switch (command.kind) {
    case 'help':
      out(usage);
      return 0;
    case 'version':
      out(packageJson.version);
      return 0;
    case 'list':
      out(command.checks.map(({ id, title }) => `${id}\n  ${title}`).join('\n'));
      return 0;
    case 'run': {
      const report = await checkConformance(command.options);
      for (const { name, file } of command.reporters) {
        const text = reporters[name](report);
        if (file === null) out(text);
        else write(file, text);
      }
      return report.hasPassed ? 0 : 1;
    }
  }
}

function write(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text.endsWith('\n') ? text : `${text}\n`);
}

/** Whether it is an error of the operating system, such as a report that can't be written. */
function isSystemError(error: unknown): error is Error {
  return error instanceof Error && 'syscall' in error;
}
