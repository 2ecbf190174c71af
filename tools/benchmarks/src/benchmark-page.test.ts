import { expect, test } from 'vitest';
import { withResults } from './benchmark-page.ts';
import type { Report } from './report.ts';

function report(commit: string): Report {
  return {
    conditions: {
      startedAt: '2026-11-21T12:00:00.000Z',
      commit,
      processor: 'Some processor',
      coreCount: 2,
      memoryGiB: 8,
      load: { before: 0.5, after: 2 },
      node: '26.10.0',
      postgres: '18.4',
      rounds: 3,
      secondsPerRound: 4,
      isPinned: true,
    },
    lines: [],
    verdicts: [],
    facts: [],
  };
}

const page = '# Title\n\n<!-- measured -->\nold\n<!-- /measured -->\n\nBy hand.\n';

test('results replace the part between the marks, and nothing else', () => {
  const text = withResults(page, { bench: report('abc1234'), tooling: null, products: null });
  expect(text).toMatch(/^# Title\n\n<!-- measured -->\n\n## Targets\n/);
  expect(text).toMatch(/commit abc1234[^]*<!-- \/measured -->\n\nBy hand\.\n$/);
  expect(text).not.toContain('old');
  expect(text).not.toContain('Whole products');
});

test('whole products get a part of their own', () => {
  const results = { bench: report('abc1234'), tooling: null, products: report('def5678') };
  expect(withResults(page, results)).toMatch(/## Whole products\n[^]*commit def5678/);
});

test('writing the same results again changes nothing', () => {
  const results = { bench: report('abc1234'), tooling: null, products: null };
  const once = withResults(page, results);
  expect(withResults(once, results)).toBe(once);
});

test('a page without marks is refused', () => {
  const results = { bench: report('abc1234'), tooling: null, products: null };
  expect(() => withResults('# Title\n', results)).toThrow('<!-- measured -->');
});
