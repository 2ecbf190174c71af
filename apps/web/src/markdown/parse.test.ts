import type { Nodes } from 'mdast';
import { expect, test } from 'vitest';
import { parseMarkdown } from './parse.ts';
import { withTask } from './tasks.ts';

function typesOf(node: Nodes): readonly string[] {
  return [node.type, ...('children' in node ? node.children.flatMap(typesOf) : [])];
}

test.each([
  '<script>alert(1)</script>',
  'a <img src=x onerror=alert(1)> b',
  '<div>\n\n**x**\n\n</div>',
  '    <b>indented</b>',
])('%j has no HTML, and its text is complete', (text) => {
  const root = parseMarkdown(text);
  expect(typesOf(root)).not.toContain('html');
  const texts: string[] = [];
  const collect = (node: Nodes) => {
    if ('value' in node) texts.push(node.value);
    if ('children' in node) node.children.forEach(collect);
  };
  collect(root);
  const plain = (one: string) => one.replaceAll(/[\s*]/g, '');
  expect(plain(texts.join(''))).toBe(plain(text));
});

test('a line like the address of a reference is shown', () => {
  expect(typesOf(parseMarkdown('[note]: https://example.com\n\nsee [note]'))).toEqual([
    'root',
    'paragraph',
    'text',
    'link',
    'text',
    'paragraph',
    'text',
  ]);
});

test('bare links, strikethrough and task lists are known', () => {
  const types = typesOf(parseMarkdown('- [ ] see https://example.com\n- [x] ~~old~~'));
  expect(types).toContain('link');
  expect(types).toContain('delete');
});

test('tables are known, with the alignment of their columns', () => {
  const [table] = parseMarkdown('| a | b |\n| :- | -: |\n| <b>1</b> | `2` |').children;
  expect(table).toMatchObject({ type: 'table', align: ['left', 'right'] });
  expect(table && typesOf(table)).not.toContain('html');
  expect(typesOf(parseMarkdown('a | b\nno table'))).not.toContain('table');
});

test('the box of an item is checked where it is', () => {
  const text = 'List\n\n- [ ] one\n  1. [x] two\n- [X] three\n- four';
  const items: { offset: number; checked: boolean | null | undefined }[] = [];
  const collect = (node: Nodes) => {
    if (node.type === 'listItem') {
      items.push({ offset: node.position?.start.offset ?? -1, checked: node.checked });
    }
    if ('children' in node) node.children.forEach(collect);
  };
  collect(parseMarkdown(text));
  expect(items.map(({ checked }) => checked)).toEqual([false, true, true, null]);
  const [one, two, three, four] = items.map(({ offset }) => offset);
  expect(withTask(text, { offset: one ?? 0, isChecked: true })).toContain('- [x] one');
  expect(withTask(text, { offset: two ?? 0, isChecked: false })).toContain('1. [ ] two');
  expect(withTask(text, { offset: three ?? 0, isChecked: false })).toContain('- [ ] three');
  expect(withTask(text, { offset: four ?? 0, isChecked: true })).toBe(text);
});
