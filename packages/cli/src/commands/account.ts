import { createClient, memoryTokens, type Tokens } from '@atelier/client';
import { beginSignIn, completeSignIn, type SignInProvider } from '@atelier/client/sign-in';
import type { Command } from 'commander';
import { Option } from 'commander';
import { UsageError } from '../failures.ts';
import { ask, askSecretly } from '../questions.ts';
import { withSecondFactor } from '../second-factor.ts';
import { openSession, type GlobalOptions, type Session } from '../session.ts';
import { print, readInput, table, variable, type Terminal } from '../terminal.ts';

interface LoginOptions extends GlobalOptions {
  readonly email?: string;
  readonly passwordStdin?: true;
  readonly provider?: SignInProvider;
  readonly secondFactor?: string;
}

/** Adds `login`, `logout` and `whoami`. */
export function addAccountCommands(program: Command, terminal: Terminal): void {
  program
    .command('login')
    .description('Sign in, with a password or in the browser')
    .option('--email <address>', 'asked for if it is missing')
    .option('--password-stdin', 'read the password from standard input')
    .addOption(
      new Option('--provider <name>', 'sign in through a provider in the browser').choices([
        'google',
        'github',
      ]),
    )
    .option('--second-factor <code>', 'of an authenticator app, or a recovery code; asked for')
    .action((_, command: Command) => logIn(terminal, command.optsWithGlobals<LoginOptions>()));
  program
    .command('logout')
    .description('End the session')
    .action(async (_, command: Command) => {
      const { api, store, url, isJson } = openSession(terminal, command.optsWithGlobals());
      await api.auth.logout();
      if (store.read().url === url) store.write({ url });
      print(terminal, { isJson, data: { isSignedIn: false }, text: 'Signed out.' });
    });
  program
    .command('whoami')
    .description('Show the account, and the organizations that it is a member of')
    .action((_, command: Command) => whoAmI(openSession(terminal, command.optsWithGlobals())));
}

async function logIn(terminal: Terminal, options: LoginOptions): Promise<void> {
  if (variable(terminal, 'ATELIER_API_KEY') !== undefined) {
    throw new UsageError(
      'Unset ATELIER_API_KEY first: commands would use the key, not the sign-in.',
    );
  }
  // The sign-in that is kept is replaced after this one has succeeded.
  const tokens = memoryTokens();
  const before = openSession(terminal, options);
  const session = { ...before, api: createClient({ baseUrl: before.url, tokens }) };
  if (options.provider === undefined) await withPassword(session, options);
  else await withProvider(session, options.provider, options);
  await keep(session, await tokens.get());
  const user = await session.api.auth.user();
  print(terminal, {
    isJson: session.isJson,
    data: user,
    text: `Signed in to ${session.url} as ${user.email}.`,
  });
}

async function keep({ api, store, url }: Session, tokens: Tokens | null): Promise<void> {
  try {
    store.write({ url, ...(tokens && { tokens }) });
  } catch (error) {
    // No later run could use or end the session.
    await api.auth.logout();
    throw error;
  }
}

async function withPassword({ api, terminal }: Session, options: LoginOptions): Promise<void> {
  const email = options.email ?? (await ask(terminal, 'Email', '--email'));
  const password = options.passwordStdin
    ? (await readInput(terminal)).replace(/\r?\n$/, '')
    : await askSecretly(terminal);
  await withSecondFactor(terminal, options.secondFactor, (secondFactor) =>
    api.auth.login({ body: { email, password, ...(secondFactor && { secondFactor }) } }),
  );
}

/** The page that the browser ends at shows a code, which only this program can use. */
async function withProvider(
  { api, terminal }: Session,
  provider: SignInProvider,
  { email, secondFactor: given }: LoginOptions,
): Promise<void> {
  const kept = new Map<string, string>();
  const storage = {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
  };
  const url = await beginSignIn(api, provider, { loginHint: email, storage });
  terminal.stderr.write(`Open this address in a browser, on any device:\n\n  ${url}\n\n`);
  const pasted = terminal.stdin.isTTY
    ? await ask(terminal, 'The code on the page that it ends at', 'standard input')
    : await readInput(terminal);
  const code = codeIn(pasted.trim());
  await withSecondFactor(terminal, given, (secondFactor) =>
    completeSignIn(api, code, { storage, ...(secondFactor && { secondFactor }) }),
  );
}

/** @throws UsageError if there is no code */
function codeIn(pasted: string): string {
  const code = URL.canParse(pasted) ? new URL(pasted).searchParams.get('code') : pasted;
  if (code === null || code === '') {
    throw new UsageError('That has no code. Paste the code, or the whole address with ?code=…');
  }
  return code;
}

async function whoAmI({ api, terminal, url, isJson }: Session): Promise<void> {
  const user = await api.auth.user();
  const organizations = [];
  for await (const organization of api.organizations.list.iterate())
    organizations.push(organization);
  const rows = organizations.map(({ id, name, myRole }) => [id, myRole, name]);
  print(terminal, {
    isJson,
    data: { url, user, organizations },
    text: `${user.displayName} <${user.email}> at ${url}\n${table(rows)}`,
  });
}
