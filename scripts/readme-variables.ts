import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { variables } from '../apps/api/src/config.ts';

const readme = join(import.meta.dirname, '..', 'README.md');
const section = /(<!-- variables -->\n)[\s\S]*?(<!-- \/variables -->)/;

const text = existsSync(readme) ? readFileSync(readme, 'utf8') : '';
const updated = text.replace(section, (_, start: string, end: string) => start + table() + end);

if (!section.test(text)) {
  fail('README.md has no lines <!-- variables --> and <!-- /variables --> for the table.');
} else if (!process.argv.includes('--check')) {
  writeFileSync(readme, updated);
} else if (updated !== text) {
  fail('The table of variables in README.md is old: node scripts/readme-variables.ts');
}

function table(): string {
  const rows = Object.entries(variables.shape).map(([name, schema]) => {
    const absent = schema.safeParse(undefined);
    const value = absent.success ? shown(absent.data) : '**required**';
    return `| \`${name}\` | ${value} | ${escapeCell(schema.description ?? '')} |`;
  });
  return ['| Variable | Default | Meaning |', '| --- | --- | --- |', ...rows, ''].join('\n');
}

function shown(value: string | number | boolean | readonly string[] | undefined): string {
  if (value === undefined || (Array.isArray(value) && value.length === 0)) return '';
  return `\`${escapeCell(String(value))}\``;
}

function escapeCell(text: string): string {
  return text.replaceAll('|', '\\|');
}

function fail(message: string): void {
  console.error(message);
  process.exitCode = 1;
}
