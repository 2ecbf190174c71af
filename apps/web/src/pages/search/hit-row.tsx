import type { SearchHit, SearchStatus, TaskStatus } from '@atelier/client';
import { useState, type MouseEvent, type ReactNode } from 'react';
import { Marked } from '../../search/marked.tsx';
import { typeIcon } from '../../search/places.ts';
import { StatusMark } from '../../tasks/marks.tsx';
import { texts } from '../../texts/search.ts';
import { Badge } from '../../ui/badge.tsx';
import { Time } from '../../ui/time.tsx';
import type { HitPlace } from './use-places.ts';

interface HitRowProps {
  readonly hit: SearchHit;
  readonly place: HitPlace;
}

/** Shows a hit: its title, where its text has the words, and what it belongs to. All of it leads to its page. */
export function HitRow({ hit, place }: HitRowProps): ReactNode {
  const { type, id, title, key, match, highlights } = hit;
  const ofTitle = highlights.find(({ field, text }) => field === 'title' && text === title);
  const others = highlights.filter(({ field }) => field !== 'title' && field !== 'key');

  function onClick(event: MouseEvent): void {
    // The browser opens another tab or window itself.
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return;
    event.preventDefault();
    place.open();
  }

  return (
    <li
      data-row={id}
      className="relative flex gap-3 px-4 py-3 transition-colors focus-within:bg-hover hover:bg-hover"
    >
      <Picture type={type} url={hit.thumbnailUrl} />
      <div className="min-w-0 flex-1">
        <p className="flex flex-wrap items-baseline gap-x-2">
          <a
            href={place.href}
            data-row-focus
            onClick={onClick}
            className="min-w-0 font-medium wrap-anywhere after:absolute after:inset-0"
          >
            {type === 'comment' ? <span className="sr-only">{texts.type.comment}: </span> : null}
            <Marked text={title} ranges={ofTitle?.ranges ?? []} />
          </a>
          {key === null ? null : <span className="text-sm text-ink-muted">{key}</span>}
          {match === 'similar' ? <Badge>{texts.similar}</Badge> : null}
        </p>
        {others.map(({ field, text, ranges }) => (
          <p key={field} className="mt-0.5 line-clamp-2 wrap-anywhere text-ink-muted">
            <Marked text={text} ranges={ranges} />
          </p>
        ))}
        <Facts hit={hit} organizationName={place.organizationName} />
      </div>
    </li>
  );
}

function Picture({ type, url }: { type: SearchHit['type']; url: string | null }): ReactNode {
  const [isBroken, setBroken] = useState(false);
  const Icon = typeIcon(type);
  if (url !== null && !isBroken) {
    return (
      <img
        src={url}
        alt=""
        loading="lazy"
        decoding="async"
        onError={() => setBroken(true)}
        className="size-9 shrink-0 rounded-md bg-sunken object-cover"
      />
    );
  }
  return (
    <span
      aria-hidden
      className="flex size-9 shrink-0 items-center justify-center rounded-md bg-sunken text-ink-muted"
    >
      <Icon className="size-4" />
    </span>
  );
}

interface FactsProps {
  readonly hit: SearchHit;
  readonly organizationName: string | null;
}

function Facts({ hit, organizationName }: FactsProps): ReactNode {
  const { type, context, status, updatedAt } = hit;
  const parent = context.project?.name ?? context.collection?.title;
  const places = [texts.type[type], parent, organizationName].filter(Boolean).join(' · ');
  return (
    <p className="mt-1 flex flex-wrap items-center gap-x-3 gap-y-0.5 text-sm text-ink-muted">
      <span className="wrap-anywhere">{places}</span>
      {status === null ? null : <Status status={status} />}
      <Time at={updatedAt} className="relative" />
    </p>
  );
}

function Status({ status }: { readonly status: SearchStatus }): ReactNode {
  if (status === 'ACTIVE') return null;
  if (status === 'ARCHIVED') return <Badge>{texts.projectStatuses.ARCHIVED}</Badge>;
  return <StatusMark status={status satisfies TaskStatus} />;
}
