import type { Asset } from '@atelier/client';
import { useIsFetching, useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useState } from 'react';
import { useOrganizationQueries } from '../../session/queries.ts';
import { useRenewal } from '../../ui/addresses.ts';

interface ContentUrl {
  /** Undefined while it is loading. */
  readonly url: string | undefined;
  readonly hasFailed: boolean;
  readonly onError: () => void;
}

interface RenewableUrl extends ContentUrl {
  /** Loads another URL, and until then has none. */
  readonly retry: () => void;
}

/**
 * Keeps the first content URL, so that a refetch of the asset, which signs a new URL, neither reloads an image
 * nor restarts a video. When the URL fails, for example after it has expired, a newer one replaces it.
 */
export function useContentUrl({ id, assetLongUrl }: Asset): RenewableUrl {
  const queries = useOrganizationQueries();
  const client = useQueryClient();
  const { queryKey } = queries.assets.get.queryOptions({ params: { id } });
  const isRenewing = useIsFetching({ queryKey, exact: true }) > 0;
  // An asset that was kept for times without a network has none.
  const newest = assetLongUrl || undefined;
  const [url, setUrl] = useState(newest);
  const [failedUrl, setFailedUrl] = useState<string>();
  const hasNone = url === undefined || url === failedUrl;
  if (hasNone && newest !== undefined && newest !== failedUrl) setUrl(newest);
  // A request that is under way brings a new one, too.
  const load = () =>
    void client.invalidateQueries({ queryKey, exact: true }, { cancelRefetch: false });
  const renew = useRenewal(load);
  return {
    url,
    hasFailed: hasNone && failedUrl !== undefined && !isRenewing,
    onError() {
      setFailedUrl(url);
      if (newest === url) renew();
    },
    retry() {
      setUrl(undefined);
      load();
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
  const fail = useEffectEvent(content.onError);
  const isTooLarge = asset.fileSize > maxSvgBytes;
  useEffect(() => {
    if (!isSvg || isTooLarge || url === undefined) return undefined;
    const controller = new AbortController();
    let made: string | undefined;
    void localUrlOf(url, controller.signal).then((next) => {
      if (controller.signal.aborted) return;
      made = next;
      if (next === undefined) fail();
      else setLocal(next);
    });
    return () => {
      controller.abort();
      if (made) URL.revokeObjectURL(made);
    };
  }, [isSvg, isTooLarge, url]);
  if (!isSvg) return content;
  return {
    url: local ?? undefined,
    hasFailed: isTooLarge || local === null || content.hasFailed,
    onError: () => setLocal(null),
  };
}

async function localUrlOf(url: string, signal: AbortSignal): Promise<string | undefined> {
  try {
    const response = await fetch(url, {
      signal,
      credentials: 'omit',
      referrerPolicy: 'no-referrer',
    });
    if (!response.ok) return undefined;
    return URL.createObjectURL(new Blob([await response.arrayBuffer()], { type: svg }));
  } catch {
    return undefined;
  }
}
