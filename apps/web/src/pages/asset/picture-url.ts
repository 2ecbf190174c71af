import type { Asset } from '@atelier/client';
import { useEffect, useState } from 'react';

interface ContentUrl {
  /** Undefined while it is loading. */
  readonly url: string | undefined;
  readonly hasFailed: boolean;
  readonly onError: () => void;
}

/**
 * Keeps the first content URL, so that a refetch of the asset, which signs a new URL, neither reloads an image
 * nor restarts a video. When the URL fails, for example after it has expired, the newest one is tried once.
 */
export function useContentUrl({ assetLongUrl }: Pick<Asset, 'assetLongUrl'>): ContentUrl {
  const [url, setUrl] = useState(assetLongUrl);
  const [failedUrl, setFailedUrl] = useState<string>();
  return {
    url,
    hasFailed: failedUrl !== undefined && failedUrl === url,
    onError() {
      setFailedUrl(url);
      if (assetLongUrl !== url) setUrl(assetLongUrl);
    },
  };
}

const svg = 'image/svg+xml';
/** A larger one would stop the page. */
const maxSvgBytes = 10_000_000;

/**
 * Returns the URL of a picture. The storage sends an SVG as a download, since a browser would run its scripts. As the
 * source of an image it runs none, so it becomes one here.
 */
export function usePictureUrl(asset: Asset): ContentUrl {
  const content = useContentUrl(asset);
  const isSvg = asset.assetType === svg;
  const [local, setLocal] = useState<string | null>();
  const { url } = content;
  const isTooLarge = asset.fileSize > maxSvgBytes;
  useEffect(() => {
    if (!isSvg || isTooLarge || url === undefined) return undefined;
    const controller = new AbortController();
    let made: string | undefined;
    void localUrlOf(url, controller.signal).then((next) => {
      if (controller.signal.aborted) return;
      made = next ?? undefined;
      setLocal(next);
    });
    return () => {
      controller.abort();
      if (made) URL.revokeObjectURL(made);
    };
  }, [isSvg, isTooLarge, url]);
  if (!isSvg) return content;
  return {
    url: local ?? undefined,
    hasFailed: isTooLarge || local === null,
    onError: () => setLocal(null),
  };
}

async function localUrlOf(url: string, signal: AbortSignal): Promise<string | null> {
  try {
    const response = await fetch(url, {
      signal,
      credentials: 'omit',
      referrerPolicy: 'no-referrer',
    });
    if (!response.ok) return null;
    return URL.createObjectURL(new Blob([await response.arrayBuffer()], { type: svg }));
  } catch {
    return null;
  }
}
