import { createElement, Fragment, type ReactNode } from 'react';

/**
 * Tags a text with names that people have written: each keeps its own direction, and the text around it, too.
 *
 * @param names - a list is joined by commas
 */
export function withNames(
  parts: TemplateStringsArray,
  ...names: readonly (string | readonly string[])[]
): ReactNode {
  const isolated = (name: string, index: number) => [
    index > 0 ? ', ' : '',
    createElement('bdi', null, name),
  ];
  const children = parts.flatMap((part, index) => [
    part,
    ...[names[index] ?? []].flat().flatMap(isolated),
  ]);
  return createElement(Fragment, null, ...children);
}
