import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import {
  CircleAlert,
  CircleCheck,
  CircleMinus,
  File as FileIcon,
  Pause,
  Play,
  RotateCcw,
  X,
} from 'lucide-react';
import type { ReactNode } from 'react';
import { organizationsQuery } from '../session/account.ts';
import { errorText } from '../ui/error-texts.ts';
import { selectedOrganizationId } from '../session/selected-organization.ts';
import { switchOrganization } from '../session/switch-organization.ts';
import { texts } from '../texts/uploads.ts';
import { Badge } from '../ui/badge.tsx';
import { byteSize } from '../ui/byte-size.tsx';
import { Button } from '../ui/button.tsx';
import { IconButton } from '../ui/icon-button.tsx';
import { notify } from '../ui/notices.tsx';
import { isActive, removeUpload, type UploadItem } from './upload-list.ts';
import { chooseFiles } from './upload-request.ts';
import { visibilityOf } from './visibility.ts';
import { abortUpload, continueUpload, pauseUpload, resumeUpload, retryUpload } from './uploads.ts';

/** Shows an upload with its progress and actions. */
export function UploadRow({ item }: { readonly item: UploadItem }): ReactNode {
  const { name, phase, sizeBytes, progress } = item;
  return (
    <li className="px-4 py-2">
      <div className="flex items-center gap-3">
        <PhaseIcon phase={phase} />
        <div className="min-w-0 flex-1">
          <div className="flex items-center gap-2">
            <p title={name} className="truncate text-sm font-medium">
              {name}
            </p>
            {item.decision ? <Badge>{texts.decisions[item.decision]}</Badge> : null}
            {phase === 'skipped' ? null : <VisibilityBadge item={item} />}
          </div>
          <p
            className={`text-xs text-ink-muted tabular-nums ${phase === 'uploading' ? 'truncate' : 'wrap-anywhere'}`}
          >
            {statusOf(item)}
          </p>
        </div>
        <Actions item={item} />
      </div>
      {isActive(item) ? (
        <progress
          aria-label={texts.progress(name)}
          value={progress.loadedBytes}
          max={sizeBytes || 1}
          className="mt-1.5 block h-1 w-full overflow-hidden rounded-full bg-sunken [&::-moz-progress-bar]:bg-accent [&::-webkit-progress-bar]:bg-sunken [&::-webkit-progress-value]:rounded-full [&::-webkit-progress-value]:bg-accent"
        />
      ) : null}
    </li>
  );
}

/** Shows who will be able to open the file. */
function VisibilityBadge({ item }: { readonly item: UploadItem }): ReactNode {
  const visibility = visibilityOf(item, useQuery(organizationsQuery).data ?? []);
  if (visibility === null) return null;
  const isPublic = visibility === 'public';
  return (
    <Badge tone={isPublic ? 'warning' : 'neutral'}>
      <span title={texts.visibility.explanation[visibility]}>{texts.visibility[visibility]}</span>
    </Badge>
  );
}

function PhaseIcon({ phase }: Pick<UploadItem, 'phase'>): ReactNode {
  if (phase === 'done') return <CircleCheck aria-hidden className="size-4 shrink-0 text-success" />;
  if (phase === 'failed' || phase === 'interrupted') {
    return <CircleAlert aria-hidden className="size-4 shrink-0 text-danger" />;
  }
  if (phase === 'skipped') {
    return <CircleMinus aria-hidden className="size-4 shrink-0 text-ink-muted" />;
  }
  return <FileIcon aria-hidden className="size-4 shrink-0 text-ink-muted" />;
}

function Actions({ item }: { readonly item: UploadItem }): ReactNode {
  const { id, name, phase } = item;
  const abort = (
    <IconButton size="sm" icon={X} label={texts.abort(name)} onClick={() => void abortUpload(id)} />
  );
  switch (phase) {
    case 'uploading':
      return (
        <>
          <IconButton
            size="sm"
            icon={Pause}
            label={texts.pause(name)}
            onClick={() => pauseUpload(id)}
          />
          {abort}
        </>
      );
    case 'paused':
      return (
        <>
          <IconButton
            size="sm"
            icon={Play}
            label={texts.resume(name)}
            onClick={() => resumeUpload(id)}
          />
          {abort}
        </>
      );
    case 'failed':
      return (
        <>
          <IconButton
            size="sm"
            icon={RotateCcw}
            label={texts.retry(name)}
            onClick={() => retryUpload(id)}
          />
          {abort}
        </>
      );
    case 'interrupted':
      return (
        <>
          <Button size="sm" onClick={() => chooseAgain(id)}>
            {texts.chooseAgain}
          </Button>
          {abort}
        </>
      );
    case 'done':
      return item.doneAssetId ? <OpenLink item={item} assetId={item.doneAssetId} /> : null;
    case 'skipped':
      return null;
    default:
      return abort;
  }
}

interface OpenLinkProps {
  readonly item: UploadItem;
  readonly assetId: string;
}

/** Links to the uploaded asset and switches to its organization if another one is selected. */
function OpenLink({ item: { id, name, organizationId }, assetId }: OpenLinkProps): ReactNode {
  const navigate = useNavigate();
  const target = { to: '/assets/$id', params: { id: assetId } } as const;
  return (
    <Link
      {...target}
      aria-label={texts.open(name)}
      onClick={(event) => {
        if (organizationId !== selectedOrganizationId()) {
          event.preventDefault();
          void switchOrganization(organizationId, () =>
            navigate({ ...target, ignoreBlocker: true }),
          );
        }
        removeUpload(id);
      }}
      className="rounded-md px-2 py-1 text-sm font-medium text-accent hover:bg-hover"
    >
      {texts.openShort}
    </Link>
  );
}

function chooseAgain(id: string): void {
  chooseFiles({
    onFiles(files) {
      const others = continueUpload(id, files).length;
      if (others > 0) notify(texts.otherFiles(others), { tone: 'danger' });
    },
  });
}

function statusOf({ phase, error, sizeBytes, progress }: UploadItem): string {
  if (phase === 'failed') return errorText(error);
  if (phase !== 'uploading') return texts.phases[phase];
  const { loadedBytes, bytesPerSecond, secondsLeft } = progress;
  return [
    `${byteSize(loadedBytes)} / ${byteSize(sizeBytes)}`,
    bytesPerSecond > 0 ? texts.speed(byteSize(bytesPerSecond)) : '',
    secondsLeft === null ? '' : texts.secondsLeft(durationText(secondsLeft)),
  ]
    .filter(Boolean)
    .join(' · ');
}

function durationText(seconds: number): string {
  const [value, unit] =
    seconds < 90
      ? [seconds, 'second']
      : seconds < 5400
        ? [seconds / 60, 'minute']
        : [seconds / 3600, 'hour'];
  return new Intl.NumberFormat('en', { style: 'unit', unit, unitDisplay: 'short' }).format(
    Math.max(1, Math.round(value)),
  );
}
