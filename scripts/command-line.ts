import { unpackProgram } from './packed-program.ts';
import type { Step } from './run-step.ts';

/**
 * Steps that start the packed command line.
 *
 * @param tarballs - paths by package: the command line and those of the workspace that it depends on
 * @param options.directory - an empty one outside of the repository
 * @param options.serviceUrl - where the mock is
 * @returns undefined if npm can't install the dependencies here
 */
export function commandLineSteps(
  tarballs: Readonly<Record<string, string>>,
  { directory, serviceUrl }: { readonly directory: string; readonly serviceUrl: string },
): Step[] | undefined {
  const program = unpackProgram('cli', tarballs, directory);
  if (program === undefined) return undefined;
  const step = (name: string, args: readonly string[]): Step => ({
    name: `command line: ${name}`,
    command: [process.execPath, program, ...args],
  });
  return [
    step('its version', ['--version']),
    // Loads every command.
    step('its completion', ['completion', 'zsh']),
    step('a request to the mock', ['api', 'plans.list', '--url', serviceUrl]),
  ];
}
