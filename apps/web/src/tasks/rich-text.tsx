import type { ReactNode } from 'react';
import { FormattedText } from '../markdown/formatted-text.tsx';
import { PageLink } from '../markdown/page-link.tsx';
import { mentionPieces } from './mention.ts';
import { usePeople } from './people.ts';

interface RichTextProps {
  readonly text: string;
  /** Gets the text when a box of a task list has been clicked; without it, they are only shown. */
  readonly onChange?: ((text: string) => void) | undefined;
}

/** Shows a text with its Markdown and its mentions. */
export function RichText({ text, onChange }: RichTextProps): ReactNode {
  const names = usePeople().map(({ displayName }) => displayName);
  const renderText = (piece: string) => <Mentions text={piece} names={names} />;
  return <FormattedText {...{ text, renderText, PageLink, onChange }} />;
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
