import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const read = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8');
const readme = read('../README.md');

test.each([
  ['createClient(', ['types.ts', 'ClientOptions']],
  ['Every call', ['call-options.ts', 'CallOptions']],
  ['Every call', ['call-options.ts', 'IdempotentOptions']],
  ['Every call', ['call-options.ts', 'ConditionalOptions']],
  ['upload(', ['upload-options.ts', 'UploadOptions']],
  ['downloadAll(', ['download-options.ts', 'DownloadOptions']],
  ['subscribe(', ['events.ts', 'SubscribeOptions']],
  ['beginSignIn(', ['sign-in.ts', 'SignInOptions']],
])('the table of %s has every option of %j', (title, [file = '', name = '']) => {
  const [, body = ''] =
    new RegExp(`interface ${name}\\b[^{]*\\{([^]*?)\n\\}`).exec(read(file)) ?? [];
  const options = [...body.matchAll(/^  (\w+)\??[:(]/gm)].map(([, option]) => option);
  expect(options.length).toBeGreaterThan(0);
  const sections = readme.slice(readme.indexOf('## Every option')).split(/\n(?=\S[^|]*:\n)/);
  const section = sections.find((text) => text.replaceAll('`', '').startsWith(title)) ?? '';
  for (const option of options) expect(section).toContain(`\n| \`${option}\` `);
});
