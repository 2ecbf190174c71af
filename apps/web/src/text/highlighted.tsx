import { common, createLowlight } from 'lowlight';
import { useMemo, type ReactNode } from 'react';

const lowlight = createLowlight(common);

type Nodes = ReturnType<typeof lowlight.highlight>['children'];

/** Classes of the parts of code, by the names that highlight.js gives them. All have the contrast of text. */
const colours: Readonly<Record<string, string>> = {
  comment: 'text-ink-muted italic',
  quote: 'text-ink-muted italic',
  keyword: 'text-violet',
  'selector-tag': 'text-violet',
  doctag: 'text-violet',
  string: 'text-success',
  regexp: 'text-success',
  addition: 'text-success',
  number: 'text-info',
  literal: 'text-info',
  symbol: 'text-info',
  link: 'text-info',
  title: 'text-accent',
  section: 'text-accent font-semibold',
  name: 'text-accent',
  built_in: 'text-warning',
  type: 'text-warning',
  attr: 'text-warning',
  attribute: 'text-warning',
  variable: 'text-warning',
  meta: 'text-danger',
  deletion: 'text-danger',
  strong: 'font-semibold',
  emphasis: 'italic',
};

interface HighlightedProps {
  readonly text: string;
  readonly language: string;
}

/** Colours code by its language. */
export default function Highlighted({ text, language }: HighlightedProps): ReactNode {
  return useMemo(() => shown(lowlight.highlight(language, text).children), [text, language]);
}

function shown(nodes: Nodes): ReactNode[] {
  return nodes.map((node, index) => {
    if (node.type === 'text') return node.value;
    if (node.type !== 'element') return null;
    return (
      <span key={index} className={classOf(node.properties['className'])}>
        {shown(node.children)}
      </span>
    );
  });
}

function classOf(names: unknown): string | undefined {
  const first = Array.isArray(names) ? (names as readonly unknown[])[0] : '';
  return colours[String(first).replace('hljs-', '')];
}
