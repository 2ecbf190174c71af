import { Suspense, type ReactNode } from 'react';
import { lazyPart } from '../loading/lazy.tsx';
import { mentionPieces } from './mention.ts';
import { usePeople } from './people.ts';

const Markdown = lazyPart(
  () => import('../markdown/markdown.tsx'),
  ({ text, renderText }) => <PlainText>{renderText(text)}</PlainText>,
);

interface RichTextProps {
  readonly text: string;
  /** Gets the text when a box of a task list has been clicked; without it, they are only shown. */
  readonly onChange?: ((text: string) => void) | undefined;
}

/** Shows a text with its Markdown and its mentions; as it was typed until the code for that is loaded. */
export function RichText({ text, onChange }: RichTextProps): ReactNode {
  const names = usePeople().map(({ displayName }) => displayName);
  const renderText = (piece: string) => <Mentions text={piece} names={names} />;
  return (
    <Suspense fallback={<PlainText>{renderText(text)}</PlainText>}>
      <Markdown text={text} renderText={renderText} onChange={onChange} />
    </Suspense>
  );
}

function PlainText({ children }: { readonly children: ReactNode }): ReactNode {
  return <p className="wrap-anywhere whitespace-pre-wrap">{children}</p>;
}

interface MentionsProps {
  readonly text: string;
  readonly names: readonly string[];
}

function Mentions({ text, names }: MentionsProps): ReactNode {
  return mentionPieces(text, names).map((piece, index) =>
    piece.isMention ? (
      <span key={index} className="rounded-sm bg-accent-soft px-1 font-medium text-accent">
        {piece.text}
      </span>
    ) : (
      piece.text
    ),
  );
}
