import { expect, test } from 'vitest';
import { isPage } from '../../worker/paths.ts';
import { linkTarget } from './links.ts';

const origin = 'https://atelier.example';

test.each([
  [
    'https://atelier.example/projects/1?task=2',
    {
      kind: 'page',
      path: '/projects/1?task=2',
      href: 'https://atelier.example/projects/1?task=2',
    },
  ],
  [
    '/assets/1#top',
    { kind: 'page', path: '/assets/1#top', href: 'https://atelier.example/assets/1#top' },
  ],
  ['/share#atls_x', { kind: 'other', href: 'https://atelier.example/share#atls_x' }],
  ['https://atelier.example/docs', { kind: 'other', href: 'https://atelier.example/docs' }],
  ['https://elsewhere.example/x', { kind: 'other', href: 'https://elsewhere.example/x' }],
  ['mailto:ada@example.com', { kind: 'other', href: 'mailto:ada@example.com' }],
  ['//elsewhere.example/x', { kind: 'other', href: 'https://elsewhere.example/x' }],
])('%s leads to its page or address', (url, target) => {
  expect(linkTarget(url, origin)).toEqual(target);
});

test.each([
  'javascript:alert(1)',
  'JAVASCRIPT:alert(1)',
  ' java\nscript:alert(1)',
  'data:text/html,<script>alert(1)</script>',
  'vbscript:x',
  'file:///etc/passwd',
  'blob:https://atelier.example/1',
  'http://',
])('%j is no link', (url) => {
  expect(linkTarget(url, origin)).toBeUndefined();
});

test.each([
  '/',
  '/projects',
  '/shares',
  '/docsy',
  '/invitations/abc.def',
  '/share',
  '/API/auth/user',
  '/s/one',
  '/health/ready',
  '/docs/nothing',
  '/openapi.json',
  '/worker.js',
  '/_app/index-a1B2.js',
])('%s is a page in a link if it is one for the worker', (path) => {
  expect(linkTarget(path, origin)?.kind).toBe(isPage(path) ? 'page' : 'other');
});
