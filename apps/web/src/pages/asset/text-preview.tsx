import type { Asset } from '@atelier/client';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { texts } from '../../texts/asset.ts';
import { byteSize } from '../../ui/byte-size.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { NoPreview } from './no-preview.tsx';

/** As much of a file as is shown. */
const mostBytes = 200_000;

/** The beginning of a text. It is never run: no markup is made of it. */
export default function TextPreview({ asset }: { readonly asset: Asset }): ReactNode {
  const { data, error } = useQuery({
    // Another signature of the address is the same content.
    queryKey: ['content', asset.id, asset.currentVersion],
    queryFn: ({ signal }) => beginningOf(asset.assetLongUrl, signal),
    staleTime: Infinity,
  });
  if (error) return <NoPreview asset={asset} isBroken />;
  if (data === undefined) return <Skeleton className="h-96 w-full" />;
  return (
    <div className="w-full self-stretch bg-surface">
      <pre
        role="region"
        aria-label={texts.previewOf(asset.assetName)}
        // Whoever has no pointer scrolls it by the arrow keys.
        tabIndex={0}
        className="max-h-[75dvh] overflow-auto p-5 font-mono text-sm wrap-anywhere whitespace-pre-wrap"
      >
        {data === '' ? <span className="text-ink-muted">{texts.emptyFile}</span> : data}
      </pre>
      {asset.fileSize > mostBytes ? (
        <p className="border-t border-line px-5 py-2 text-sm text-ink-muted">
          {texts.onlyBeginning(byteSize(mostBytes))}
        </p>
      ) : null}
    </div>
  );
}

async function beginningOf(url: string, signal: AbortSignal): Promise<string> {
  const answer = await fetch(url, { signal, credentials: 'omit', referrerPolicy: 'no-referrer' });
  if (!answer.ok || !answer.body) throw new Error(`the storage answers ${answer.status}`);
  const reader = answer.body.getReader();
  const decoder = new TextDecoder();
  let text = '';
  for (let bytes = 0; bytes < mostBytes;) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    const part = value.subarray(0, mostBytes - bytes);
    bytes += part.length;
    text += decoder.decode(part, { stream: true });
  }
  await reader.cancel();
  return text;
}
