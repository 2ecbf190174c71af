import { Suspense, type ComponentType, type ReactNode } from 'react';
import { lazyPart } from '../loading/lazy.tsx';
import type { PageLinkProps } from './markdown-link.tsx';

const Markdown = lazyPart(
  () => import('./markdown.tsx'),
  ({ text, renderText }) => <PlainText>{renderText(text)}</PlainText>,
);

interface FormattedTextProps {
  readonly text: string;
  /** Renders a piece of text that is no code, such as with mentions. */
  readonly renderText?: ((text: string) => ReactNode) | undefined;
  /** Links to pages of the app; without it, as where there is no router, they open in a new tab. */
  readonly PageLink?: ComponentType<PageLinkProps> | undefined;
  /** Gets the text when a box of a task list has been clicked; without it, they are only shown. */
  readonly onChange?: ((text: string) => void) | undefined;
}

/** Shows a text with its Markdown; as it was typed until the code for that is loaded. */
export function FormattedText({
  text,
  renderText = (piece) => piece,
  PageLink,
  onChange,
}: FormattedTextProps): ReactNode {
  return (
    <Suspense fallback={<PlainText>{renderText(text)}</PlainText>}>
      <Markdown text={text} renderText={renderText} PageLink={PageLink} onChange={onChange} />
    </Suspense>
  );
}

function PlainText({ children }: { readonly children: ReactNode }): ReactNode {
  return <p className="wrap-anywhere whitespace-pre-wrap [unicode-bidi:plaintext]">{children}</p>;
}
