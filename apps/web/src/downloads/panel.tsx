import { CircleAlert, CircleCheck, FileArchive, RotateCcw, X } from 'lucide-react';
import type { ReactNode } from 'react';
import { texts } from '../texts/downloads.ts';
import { byteSize } from '../ui/byte-size.tsx';
import { errorText } from '../ui/error-texts.ts';
import { IconButton } from '../ui/icon-button.tsx';
import { removeDownload, type ZipDownload } from './download-list.ts';
import { startZip } from './request.ts';
import { cancelDownload, downloadZip, ZipError } from './zip.ts';

/** Shows the downloads at the edge of every page. */
export default function DownloadPanel({
  items,
}: {
  readonly items: readonly ZipDownload[];
}): ReactNode {
  const active = items.filter(({ phase }) => phase === 'running').length;
  const failed = items.filter(({ phase }) => phase === 'failed').length;
  const incomplete = items.filter(isIncomplete).length;
  return (
    <section
      aria-label={texts.panel}
      className="w-full overflow-hidden rounded-t-xl border border-line bg-raised shadow-raised sm:rounded-xl"
    >
      <h2 className="border-b border-line px-4 py-2.5 text-base" aria-live="polite">
        {texts.summary({ active, failed, incomplete, done: items.length - active - failed })}
      </h2>
      <ul className="max-h-60 overflow-y-auto py-1">
        {items.toReversed().map((item) => (
          <DownloadRow key={item.id} item={item} />
        ))}
      </ul>
    </section>
  );
}

function DownloadRow({ item }: { readonly item: ZipDownload }): ReactNode {
  const { id, fileName, phase, missing } = item;
  return (
    <li className="px-4 py-2">
      <div className="flex items-center gap-3">
        <PhaseIcon item={item} />
        <div className="min-w-0 flex-1">
          <p className="truncate text-sm font-medium">{fileName}</p>
          <p
            className={`text-xs text-ink-muted tabular-nums ${phase === 'failed' ? '' : 'truncate'}`}
          >
            {statusOf(item)}
          </p>
        </div>
        {phase === 'failed' ? (
          <IconButton
            size="sm"
            icon={RotateCcw}
            label={texts.retryLabel(fileName)}
            onClick={() => void startZip(() => downloadZip(item.source, item))}
          />
        ) : null}
        <IconButton
          size="sm"
          icon={X}
          label={phase === 'running' ? texts.cancel(fileName) : texts.dismiss(fileName)}
          onClick={() => (phase === 'running' ? cancelDownload(id) : removeDownload(id))}
        />
      </div>
      {phase === 'running' ? (
        <progress
          aria-label={texts.progress(fileName)}
          {...progressOf(item)}
          className="mt-1.5 block h-1 w-full overflow-hidden rounded-full bg-sunken [&::-moz-progress-bar]:bg-accent [&::-webkit-progress-bar]:bg-sunken [&::-webkit-progress-value]:rounded-full [&::-webkit-progress-value]:bg-accent"
        />
      ) : null}
      {missing.length > 0 ? (
        <details className="mt-1 text-xs" open={phase === 'done'}>
          <summary className="text-danger">{texts.missing(missing.length)}</summary>
          <ul className="mt-1 list-disc pl-5 text-ink-muted">
            {missing.map((name, index) => (
              <li key={index} className="wrap-anywhere">
                {name}
              </li>
            ))}
          </ul>
        </details>
      ) : null}
    </li>
  );
}

function isIncomplete({ phase, missing }: ZipDownload): boolean {
  return phase === 'done' && missing.length > 0;
}

function PhaseIcon({ item }: { readonly item: ZipDownload }): ReactNode {
  const { phase } = item;
  if (phase === 'failed' || isIncomplete(item)) {
    return <CircleAlert aria-hidden className="size-4 shrink-0 text-danger" />;
  }
  const Icon = phase === 'done' ? CircleCheck : FileArchive;
  return (
    <Icon
      aria-hidden
      className={`size-4 shrink-0 ${phase === 'done' ? 'text-success' : 'text-ink-muted'}`}
    />
  );
}

function progressOf({ loadedBytes, totalBytes }: ZipDownload) {
  return totalBytes === null ? {} : { value: loadedBytes, max: totalBytes || 1 };
}

function statusOf({ phase, doneFiles, totalFiles, loadedBytes, error }: ZipDownload): string {
  if (phase === 'failed') {
    return error instanceof ZipError ? error.message : `${texts.failed} ${errorText(error)}`;
  }
  const files =
    phase === 'done' || totalFiles === null
      ? texts.files(doneFiles)
      : texts.filesOf(doneFiles, totalFiles);
  return `${files} · ${byteSize(loadedBytes)}`;
}
