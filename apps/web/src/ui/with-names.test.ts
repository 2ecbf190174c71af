import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { withNames } from './with-names.ts';

const shown = renderToStaticMarkup;

test('names keep their own direction within a sentence', () => {
  expect(shown(withNames`Moved “${'שלום (2)'}” to ${'Desk'}.`)).toBe(
    'Moved “<bdi>שלום (2)</bdi>” to <bdi>Desk</bdi>.',
  );
  expect(shown(withNames`${'Ada'} has access again.`)).toBe('<bdi>Ada</bdi> has access again.');
});

test('so do the names of a list', () => {
  expect(shown(withNames`Missing: ${['א', 'ב', 'c']}.`)).toBe(
    'Missing: <bdi>א</bdi>, <bdi>ב</bdi>, <bdi>c</bdi>.',
  );
  expect(shown(withNames`Missing: ${[]}.`)).toBe('Missing: .');
});

test('a name is text, never markup', () => {
  expect(shown(withNames`Delete ${'<b>'}?`)).toBe('Delete <bdi>&lt;b&gt;</bdi>?');
});
