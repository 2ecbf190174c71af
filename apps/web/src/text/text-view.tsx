import { useQuery } from '@tanstack/react-query';
import { Suspense, useEffect, useEffectEvent, type ReactNode } from 'react';
import { lazyComponent } from '../loading/component.tsx';
import { script } from '../loading/script.ts';
import { texts } from '../texts/text-view.ts';
import { byteSize } from '../ui/byte-size.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import { languageOf } from './code-language.ts';

const maxPreviewBytes = 200_000;
/** Colouring more would make the page wait. */
const maxHighlighted = 100_000;

// Not loaded ahead: it is large, and few assets are code.
const Highlighted = lazyComponent(
  script(() => import('./highlighted.tsx')),
  ({ text }) => text,
);

interface TextViewProps {
  /** Identifies the content in the cache: a new signature of its URL is the same content. */
  readonly content: readonly unknown[];
  readonly url: string;
  readonly name: string;
  /** Media type. */
  readonly type: string;
  /** Bytes. */
  readonly size: number;
  /** Accessible name. */
  readonly label: string;
  /** Shown if it can't be read. */
  readonly substitute: ReactNode;
  /** Called when it can't be read; with another address it's read again. */
  readonly onError?: () => void;
}

/** Shows the beginning of a text file, coloured if it is code; never as markup. */
export default function TextView(props: TextViewProps): ReactNode {
  const { content, url, name, type, size, label, substitute } = props;
  const { data, error, refetch } = useQuery({
    queryKey: ['content', ...content],
    queryFn: ({ signal }) => beginningOf(url, signal),
    staleTime: Infinity,
  });
  const onFailure = useEffectEvent(() => props.onError?.());
  const onAddress = useEffectEvent(() => {
    if (error) void refetch();
  });
  useEffect(() => {
    if (error) onFailure();
  }, [error]);
  useEffect(() => onAddress(), [url]);
  if (error) return substitute;
  if (data === undefined) return <Skeleton className="h-96 w-full" />;
  return (
    <div className="w-full self-stretch bg-surface">
      <pre
        role="region"
        aria-label={label}
        // Focusable, so that the arrow keys scroll it.
        tabIndex={0}
        className="max-h-[75dvh] overflow-auto p-5 pr-14 font-mono text-sm wrap-anywhere whitespace-pre-wrap"
      >
        {data === '' ? (
          <span className="text-ink-muted">{texts.emptyFile}</span>
        ) : (
          <Code text={data} {...{ name, type }} />
        )}
      </pre>
      {size > maxPreviewBytes ? (
        <p className="border-t border-line px-5 py-2 text-sm text-ink-muted">
          {texts.truncated(byteSize(maxPreviewBytes))}
        </p>
      ) : null}
    </div>
  );
}

interface CodeProps extends Pick<TextViewProps, 'name' | 'type'> {
  readonly text: string;
}

function Code({ text, name, type }: CodeProps): ReactNode {
  const language = languageOf(name, type);
  if (language === null || text.length > maxHighlighted) return text;
  return (
    <Suspense fallback={text}>
      <Highlighted text={text} language={language} />
    </Suspense>
  );
}

async function beginningOf(url: string, signal: AbortSignal): Promise<string> {
  const response = await fetch(url, { signal, credentials: 'omit', referrerPolicy: 'no-referrer' });
  if (!response.ok || !response.body) throw new Error(`the storage responds ${response.status}`);
  const reader = response.body.getReader();
  const decoder = new TextDecoder();
  let text = '';
  for (let bytes = 0; bytes < maxPreviewBytes;) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    const part = value.subarray(0, maxPreviewBytes - bytes);
    bytes += part.length;
    text += decoder.decode(part, { stream: true });
  }
  await reader.cancel();
  return text;
}
