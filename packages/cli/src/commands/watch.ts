import { subscribe, type LiveUpdate } from '@atelier/client/events';
import type { Command } from 'commander';
import { PartialFailure, SignInEnded } from '../failures.ts';
import { openSession, type GlobalOptions } from '../session.ts';
import { print, printable, type Terminal } from '../terminal.ts';

/** Adds `watch`. */
export function addWatchCommand(program: Command, terminal: Terminal): void {
  program
    .command('watch')
    .description('Print changes of the organization as they happen, until interrupted')
    .option('--since <id>', 'continue after the message with this id')
    .action(async (_, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions & { since?: string }>();
      const { api, isJson } = openSession(terminal, options);
      for await (const update of subscribe(api, { lastEventId: options.since })) {
        print(terminal, { isJson, data: update, text: textOf(update) });
        if (update.event !== 'closed') continue;
        throw update.data.reason === 'session_ended' ? new SignInEnded() : new PartialFailure();
      }
    });
}

function textOf(update: LiveUpdate): string {
  switch (update.event) {
    case 'ready':
      return `watching organization ${update.data.organizationId}`;
    case 'activity': {
      const { createdAt, action, actor, resourceName } = update.data;
      return printable(`${createdAt}  ${action}  ${actor?.name ?? 'the service'}  ${resourceName}`);
    }
    case 'notification':
      return `unread notifications: ${update.data.unread}`;
    case 'reset':
      return `some changes are missing: ${update.data.reason}`;
    case 'closed':
      return `the service ended the stream: ${update.data.reason}`;
  }
}
