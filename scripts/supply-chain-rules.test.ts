import { describe, expect, test } from 'vitest';
import { supplyChainProblems, type SupplyChain } from './supply-chain-rules.ts';

const sound: SupplyChain = {
  workspace: 'minimumReleaseAge: 1440\nallowBuilds:\n  node: true\n',
  lockfile: `packages:

  a@1.0.0:
    resolution: {integrity: sha512-AAAA==}

snapshots:
`,
  ci: 'npx pnpm install --frozen-lockfile',
  manifests: {
    'published/package.json': { dependencies: { a: '^1.0.0' } },
    'package.json': {
      private: true,
      packageManager: 'pnpm@12.21.0',
      dependencies: { a: '1.0.0', b: 'catalog:', c: 'workspace:*', d: 'npm:e@1.0.0-beta.1' },
    },
  },
};

test('a sound supply chain has no problems', () => {
  expect(supplyChainProblems(sound)).toEqual([]);
});

describe('a violated rule is named', () => {
  const violations: [string, Partial<SupplyChain>, RegExp][] = [
    ['a young release', { workspace: 'allowBuilds:\n' }, /minimumReleaseAge is 0/],
    [
      'a release that may be younger',
      { workspace: `${sound.workspace}minimumReleaseAgeExclude: [a]\n` },
      /exceptions/,
    ],
    ['any build script', { workspace: 'minimumReleaseAge: 1440\n' }, /no list of allowed build/],
    [
      'every build script',
      { workspace: `${sound.workspace}dangerouslyAllowAllBuilds: true\n` },
      /beyond the list/,
    ],
    [
      'no digest',
      { lockfile: sound.lockfile.replace('sha512-AAAA==', 'sha1-x') },
      /a@1\.0\.0 has no SHA-512/,
    ],
    [
      'a tarball from elsewhere',
      { lockfile: sound.lockfile.replace('{', '{tarball: https://evil.example/a.tgz, ') },
      /a@1\.0\.0 comes from outside/,
    ],
    ['no lockfile', { lockfile: '' }, /lists no packages/],
    ['a lockfile that moves in CI', { ci: 'pnpm install' }, /frozen/],
    [
      'a range',
      { manifests: { ...sound.manifests, 'x/package.json': { devDependencies: { b: '^1.0.0' } } } },
      /x\/package\.json: b is \^1\.0\.0/,
    ],
    [
      'a repository',
      {
        manifests: {
          ...sound.manifests,
          'x/package.json': { private: true, dependencies: { b: 'github:b/b' } },
        },
      },
      /b is github:b\/b/,
    ],
    ['any package manager', { manifests: { 'package.json': {} } }, /does not pin the package/],
  ];

  test.each(violations)('%s', (_, change, problem) => {
    expect(supplyChainProblems({ ...sound, ...change })).toEqual([expect.stringMatching(problem)]);
  });
});
