import { parseArgs } from 'node:util';
import { startMock } from './server.ts';

const usage = `Responds to every operation of the Atelier API with generated, stable data.

  pnpm mock [--port 4010] [--seed 1] [--latency 0] [--event-every 5000] [--no-auth]

  --seed N          seed of the data; the same seed generates the same data
  --latency MS      delay of every response
  --event-every MS  interval of the live updates
  --no-auth         accepts requests without a token

To get an error, send the header "Prefer: code=not_found", or "Prefer: code=404".`;

const { values } = parseArgs({
  options: {
    port: { type: 'string', default: '4010' },
    seed: { type: 'string', default: '1' },
    latency: { type: 'string', default: '0' },
    'event-every': { type: 'string', default: '5000' },
    'no-auth': { type: 'boolean', default: false },
    help: { type: 'boolean', short: 'h', default: false },
  },
});

if (values.help) {
  console.log(usage);
} else {
  const { url } = await startMock({
    port: wholeNumber('port', values.port),
    seed: wholeNumber('seed', values.seed),
    latencyMs: wholeNumber('latency', values.latency),
    eventEveryMs: Math.max(1, wholeNumber('event-every', values['event-every'])),
    requiresToken: !values['no-auth'],
  });
  console.log(`mock of the Atelier API: ${url}`);
}

function wholeNumber(option: string, text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new Error(`--${option} takes a whole number, not ${text}`);
  return Number(text);
}
