import { common } from 'lowlight';
import { expect, test } from 'vitest';
import { languageOf } from './code-language.ts';

test.each([
  ['index.TS', 'video/mp2t', 'typescript'],
  ['archive.tar.py', 'text/plain', 'python'],
  ['Makefile', 'text/plain', 'makefile'],
  ['data', 'application/vnd.api+json', 'json'],
  ['feed', 'application/atom+xml', 'xml'],
  ['notes.txt', 'text/plain', null],
  ['constructor', 'text/plain', null],
  ['', '', null],
])('%s of type %s is %s', (name, type, language) => {
  expect(languageOf(name, type)).toBe(language);
});

test('every language is one that can be highlighted', () => {
  const names =
    'sh c cpp cs css diff go graphql ini java js json kt less lua mk md m pl php py r rb rs scss sql swift ts vb xml yaml';
  const found = names.split(' ').map((name) => languageOf(`x.${name}`, ''));
  expect(found.filter((language) => language === null || !(language in common))).toEqual([]);
});
