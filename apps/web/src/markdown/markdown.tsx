import type { AlignType, ListItem, Nodes, Parents, Table } from 'mdast';
import {
  createContext,
  Fragment,
  useContext,
  useMemo,
  type ComponentType,
  type ReactNode,
} from 'react';
import { texts } from '../texts/markdown.ts';
import { classNames } from '../ui/class-names.ts';
import { MarkdownLink, type PageLinkProps } from './markdown-link.tsx';
import { parseMarkdown } from './parse.ts';
import { withTask } from './tasks.ts';

export interface MarkdownProps {
  readonly text: string;
  /** Renders a piece of text that is no code, such as with mentions. */
  readonly renderText: (text: string) => ReactNode;
  /** Links to pages of the app; without it, they open in a new tab like others. */
  readonly PageLink?: ComponentType<PageLinkProps> | undefined;
  /** Gets the text with a box of a task list checked or not; without it, boxes are only shown. */
  readonly onChange?: ((text: string) => void) | undefined;
}

const Source = createContext<MarkdownProps>({ text: '', renderText: (text) => text });

/** Renders Markdown as elements; there is no HTML at any step. */
export default function Markdown(props: MarkdownProps): ReactNode {
  const { text } = props;
  const root = useMemo(() => parseMarkdown(text), [text]);
  return (
    <Source value={props}>
      <div className="flex flex-col gap-2 wrap-anywhere">
        <Children of={root} />
      </div>
    </Source>
  );
}

function Children({ of: { children } }: { readonly of: Parents }): ReactNode {
  return children.map((node, index) => <Node key={index} node={node} />);
}

const headingClasses = ['text-lg', 'text-base', 'text-base'];
const listClass = 'flex flex-col gap-1 ps-5';
/** Each paragraph runs in the direction of its first letter. */
const paragraphClass = '[unicode-bidi:plaintext]';

function Node({ node }: { readonly node: Nodes }): ReactNode {
  const { renderText, PageLink } = useContext(Source);
  switch (node.type) {
    case 'text':
      return renderText(node.value);
    case 'paragraph':
      // Lines stay lines, as in the field.
      return (
        <p className={classNames('whitespace-pre-line', paragraphClass)}>
          <Children of={node} />
        </p>
      );
    case 'heading':
      // Not a heading of the page, whose levels it can't know.
      return (
        <p
          className={classNames(
            'font-semibold',
            paragraphClass,
            headingClasses[node.depth - 1] ?? 'text-sm',
          )}
        >
          <Children of={node} />
        </p>
      );
    case 'strong':
      return (
        <strong>
          <Children of={node} />
        </strong>
      );
    case 'emphasis':
      return (
        <em>
          <Children of={node} />
        </em>
      );
    case 'delete':
      return (
        <del>
          <Children of={node} />
        </del>
      );
    case 'inlineCode':
      return (
        <code className="rounded-sm bg-sunken px-1 py-0.5 font-mono text-sm">{node.value}</code>
      );
    case 'code':
      return (
        <pre
          tabIndex={0}
          className="overflow-x-auto rounded-md bg-sunken px-3 py-2 font-mono text-sm wrap-normal"
        >
          <code>{node.value}</code>
        </pre>
      );
    case 'blockquote':
      return (
        <blockquote
          dir="auto"
          className="flex flex-col gap-2 border-s-2 border-line-strong ps-3 text-ink-muted"
        >
          <Children of={node} />
        </blockquote>
      );
    case 'list':
      return node.ordered ? (
        <ol dir="auto" start={node.start ?? 1} className={classNames(listClass, 'list-decimal')}>
          <Children of={node} />
        </ol>
      ) : (
        <ul dir="auto" className={classNames(listClass, 'list-disc')}>
          <Children of={node} />
        </ul>
      );
    case 'table':
      return <TableBox table={node} />;
    case 'listItem':
      return <Item item={node} />;
    case 'link':
      return (
        <MarkdownLink url={node.url} PageLink={PageLink}>
          <Children of={node} />
        </MarkdownLink>
      );
    case 'image':
      // Pictures of other hosts would tell them who reads this.
      return (
        <MarkdownLink url={node.url} PageLink={PageLink}>
          {node.alt || node.url}
        </MarkdownLink>
      );
    case 'break':
      return <br />;
    case 'thematicBreak':
      return <hr className="border-line" />;
    default:
      return null;
  }
}

const alignments: Record<NonNullable<AlignType>, string> = {
  left: 'text-left',
  center: 'text-center',
  right: 'text-right',
};

function alignment(align: AlignType | undefined): string {
  return align ? alignments[align] : 'text-start';
}

/** Shows a table in a box of its own, which scrolls where it is wider than the text. */
function TableBox({ table: { align, children } }: { readonly table: Table }): ReactNode {
  const [head, ...rows] = children;
  const cells = (row: typeof head, Cell: 'th' | 'td') => (
    <tr>
      {row?.children.map((cell, index) => (
        <Cell
          key={index}
          {...(Cell === 'th' && { scope: 'col' })}
          className={classNames(
            'max-w-80 min-w-16 border border-line px-2.5 py-1 align-top',
            Cell === 'th' && 'bg-sunken font-semibold',
            paragraphClass,
            alignment(align?.[index]),
          )}
        >
          <Children of={cell} />
        </Cell>
      ))}
    </tr>
  );
  return (
    <div role="group" aria-label={texts.table} tabIndex={0} className="max-w-full overflow-x-auto">
      <table dir="auto" className="w-max border-collapse text-sm wrap-break-word">
        <thead>{cells(head, 'th')}</thead>
        <tbody>
          {rows.map((row, index) => (
            <Fragment key={index}>{cells(row, 'td')}</Fragment>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Item({ item }: { readonly item: ListItem }): ReactNode {
  const { text, onChange } = useContext(Source);
  const { checked, position, children } = item;
  const content = (
    <div className="flex min-w-0 flex-col gap-1">
      <Children of={item} />
    </div>
  );
  if (typeof checked !== 'boolean') return <li>{content}</li>;
  const offset = position?.start.offset ?? 0;
  const [first] = children;
  const end = first?.position?.end.offset;
  const name = text.slice(first?.position?.start.offset, end).trim();
  return (
    <li className="-ms-5 flex list-none items-start gap-2">
      <input
        type="checkbox"
        aria-label={name || texts.task}
        checked={checked}
        disabled={!onChange}
        onChange={() => onChange?.(withTask(text, { offset, isChecked: !checked }))}
        className="mt-1 size-3.5 shrink-0"
      />
      {content}
    </li>
  );
}
