import { Suspense, useEffect, useSyncExternalStore, type ReactNode } from 'react';
import { downloadList } from '../downloads/download-list.ts';
import { lazyPart } from '../loading/lazy.tsx';
import { interruptedUploads } from './interrupted.ts';
import { uploadList } from './upload-list.ts';

const DownloadPanel = lazyPart(() => import('../downloads/panel.tsx'));
const UploadPanel = lazyPart(() => import('./upload-panel.tsx'));

/** Shows the uploads and downloads at the edge of every page. */
export default function UploadTray(): ReactNode {
  const downloads = useSyncExternalStore(downloadList.subscribe, downloadList.get);
  const uploads = useSyncExternalStore(uploadList.subscribe, uploadList.get);
  useInterruptedUploads();
  return (
    <div className="fixed right-0 bottom-0 z-40 flex w-full flex-col gap-2 sm:right-4 sm:bottom-4 sm:w-96">
      <Suspense>
        {downloads.length > 0 ? <DownloadPanel items={downloads} /> : null}
        {uploads.length > 0 ? <UploadPanel items={uploads} /> : null}
      </Suspense>
    </div>
  );
}

/** Interrupted uploads are restored once per page load. */
let isRestored = false;

function useInterruptedUploads(): void {
  useEffect(() => {
    if (isRestored) return;
    isRestored = true;
    void interruptedUploads().then((items) => uploadList.set([...items, ...uploadList.get()]));
  }, []);
}
