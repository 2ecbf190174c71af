#!/usr/bin/env node
import { parseArgs } from 'node:util';
import { sampleAccount } from './samples.ts';
import { startMock } from './server.ts';

const usage = `Responds to every operation of the Atelier API from memory. What you create, you can read, change and delete.

  atelier-mock [--port 4010] [--seed 1] [--empty] [--strict] [--no-auth] [--latency 0] [--failures 0]
               [--event-every 0] [--app-url URL]

  --seed N          seed of the sample data; the same seed generates the same data
  --empty           starts without sample data
  --strict          accepts only the tokens of its own sign-in; default: any token is that of the sample account
  --no-auth         accepts requests without a token
  --latency MS      delay of every response
  --failures SHARE  share of the requests, from 0 to 1, that get a 503
  --event-every MS  interval of made-up live updates; 0 sends real changes only
  --app-url URL     the web app that the links of mails lead to

The sample account is ${sampleAccount.email} with the password "${sampleAccount.password}". Mails are at /email.
To get an error, send the header "Prefer: code=not_found", or "Prefer: code=404".`;

try {
  await run();
} catch (error) {
  // A wrong option, or a port that is taken.
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(2);
}

/** @throws Error for options that are wrong, and a port that can't be used */
async function run(): Promise<void> {
  const { values } = parseArgs({
    options: {
      port: { type: 'string', default: '4010' },
      seed: { type: 'string', default: '1' },
      latency: { type: 'string', default: '0' },
      failures: { type: 'string', default: '0' },
      'event-every': { type: 'string', default: '0' },
      'app-url': { type: 'string' },
      empty: { type: 'boolean', default: false },
      strict: { type: 'boolean', default: false },
      'no-auth': { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });

  if (values.help) {
    console.log(usage);
    return;
  }
  const { url } = await startMock({
    port: wholeNumber('port', values.port),
    seed: wholeNumber('seed', values.seed),
    latencyMs: wholeNumber('latency', values.latency),
    failureRate: share('failures', values.failures),
    eventEveryMs: wholeNumber('event-every', values['event-every']),
    hasSampleData: !values.empty,
    unknownTokens: values.strict ? 'none' : 'sample',
    acceptsAnonymous: values['no-auth'],
    ...(values['app-url'] !== undefined && { appUrl: values['app-url'] }),
  });
  console.log(`mock of the Atelier API: ${url}`);
}

function wholeNumber(option: string, text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new Error(`--${option} takes a whole number, not ${text}`);
  return Number(text);
}

function share(option: string, text: string): number {
  if (/^(?:0(?:\.\d+)?|1(?:\.0+)?)$/.test(text)) return Number(text);
  throw new Error(`--${option} takes a number from 0 to 1, not ${text}`);
}
