import type { Readable, Writable } from 'node:stream';
import type { Client } from '@modelcontextprotocol/client';
import { serveStdio, StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import { Command, CommanderError } from 'commander';
import manifest from '../package.json' with { type: 'json' };
import { bridgeTo } from './bridge.ts';
import { exitCodes, failureOf, withoutKeys } from './failures.ts';
import { connectToService } from './service.ts';
import { settingsOf, UsageError, type Options, type Settings } from './settings.ts';

/** What the program reads and writes. */
export interface Terminal {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly stdin: Readable;
  /** Messages of the protocol only, as soon as a client is served. */
  readonly stdout: Writable;
  readonly stderr: Writable;
}

/**
 * Serves a client over stdio until it closes the input.
 *
 * @param args - without the names of the runtime and the program
 * @returns the exit code
 */
export async function runProgram(args: readonly string[], terminal: Terminal): Promise<number> {
  try {
    return await serve(settingsOf(optionsIn(args, terminal), terminal.environment), terminal);
  } catch (error) {
    // Its message has been printed.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : exitCodes.usage;
    if (!(error instanceof UsageError)) throw error;
    terminal.stderr.write(`${error.message}\n`);
    return exitCodes.usage;
  }
}

function optionsIn(args: readonly string[], { stdout, stderr }: Terminal): Options {
  return new Command('atelier-mcp')
    .description(manifest.description)
    .option('--toolsets <names>', 'the sets of tools to offer, such as work,library')
    .option('--read-only', 'offer only tools that change nothing')
    .version(manifest.version)
    .exitOverride()
    .configureOutput({
      writeOut: (text) => void stdout.write(text),
      writeErr: (text) => void stderr.write(withoutKeys(text)),
    })
    .addHelpText(
      'after',
      '\nVariables: ATELIER_URL, the address of the service; ATELIER_KEY, an API key' +
        '\nExit codes: 0 the client closed the input, 1 failed, 2 wrong variable or command line, 3 key refused, 4 no connection',
    )
    .parse([...args], { from: 'user' })
    .opts<Options>();
}

async function serve(settings: Settings, { stdin, stdout, stderr }: Terminal): Promise<number> {
  let service: Client;
  try {
    service = await connectToService(settings);
  } catch (error) {
    const { exitCode, text } = failureOf(error, settings.address);
    stderr.write(`${text}\n`);
    return exitCode;
  }
  const describe = (error: unknown) => failureOf(error, settings.address).text;
  const transport = new StdioServerTransport(stdin, stdout);
  serveStdio(() => bridgeTo({ service, describe }), { transport });
  await closingOf(transport);
  await service.close();
  return 0;
}

/** Waits until the client closes the connection, or no longer reads it. */
function closingOf(transport: StdioServerTransport): Promise<void> {
  const { onclose } = transport;
  return new Promise((resolve) => {
    transport.onclose = () => {
      onclose?.();
      resolve();
    };
  });
}
