import type { Asset } from '@atelier/client';
import { Clock, MapPin, Spline, SquareDashed, X } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { kindOf } from '../../../library/asset-kind.ts';
import { api } from '../../../session/api.ts';
import { useOrganizationMutation } from '../../../session/queries.ts';
import { MentionField } from '../../../tasks/mention-field.tsx';
import { texts } from '../../../texts/asset-comments.ts';
import { Button } from '../../../ui/button.tsx';
import { errorText, fieldErrors } from '../../../ui/error-texts.ts';
import { IconButton } from '../../../ui/icon-button.tsx';
import { durationText, recordingOnPage, timeOf } from './recording.ts';
import { setPlace, usePlace, type Anchor, type PlaceTool } from './place.ts';

const tools = [
  { tool: 'point', icon: MapPin },
  { tool: 'area', icon: SquareDashed },
  { tool: 'path', icon: Spline },
] as const;

interface ComposerProps {
  readonly asset: Asset;
  /** The comment to reply to, and the name of its author. */
  readonly parent?: { readonly id: string; readonly name: string } | undefined;
  readonly onDone?: (() => void) | undefined;
}

/** Posts a comment on the current version, or a reply. */
export function Composer({ asset, parent, onDone }: ComposerProps): ReactNode {
  const { id, currentVersion } = asset;
  const [body, setBody] = useState('');
  const [error, setError] = useState<string>();
  const { anchor } = usePlace(id);
  const post = useOrganizationMutation({
    change: (text: string, request) =>
      api.assetComments.create(
        {
          params: { id },
          body: parent
            ? { body: text, parentId: parent.id }
            : { body: text, versionNumber: currentVersion, ...(anchor && { anchor }) },
        },
        request,
      ),
    invalidates: [['assetComments'], ['assets', 'get']],
    onDone() {
      setBody('');
      if (!parent) setPlace(id, { anchor: null });
      onDone?.();
    },
    onFailed: (failure) => setError(fieldErrors(failure)['body'] ?? errorText(failure)),
  });

  function submit(): void {
    if (body.trim() === '' || post.isPending) return;
    setError(undefined);
    post.mutate(body);
  }

  return (
    <form
      className="flex flex-col gap-2"
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <MentionField
        label={parent ? texts.replyTo(parent.name) : texts.comment}
        placeholder={texts.placeholder}
        hint={parent ? undefined : texts.hint}
        value={body}
        error={error}
        autoFocus={parent !== undefined}
        onChange={setBody}
        onSubmit={submit}
        onEscape={onDone}
      />
      <div className="flex flex-wrap items-center gap-1">
        <Button
          tone="primary"
          size={parent ? 'sm' : undefined}
          type="submit"
          isBusy={post.isPending}
          disabled={body.trim() === ''}
        >
          {parent ? texts.reply : texts.post}
        </Button>
        {parent ? null : <PlaceTools asset={asset} />}
      </div>
    </form>
  );
}

function PlaceTools({ asset }: Pick<ComposerProps, 'asset'>): ReactNode {
  const { id } = asset;
  const { tool, anchor } = usePlace(id);
  const kind = kindOf(asset);
  if (anchor) {
    return (
      <span className="inline-flex items-center gap-1 rounded-full bg-accent-soft pl-3 text-sm text-accent">
        {nameOf(anchor)}
        <IconButton
          icon={X}
          size="sm"
          label={texts.removePlace}
          onClick={() => setPlace(id, { anchor: null })}
        />
      </span>
    );
  }
  if (kind === 'video' || kind === 'audio') {
    return (
      <Button
        tone="quiet"
        icon={Clock}
        onClick={() => setPlace(id, { anchor: timeOf(recordingOnPage()) })}
      >
        {texts.atTime}
      </Button>
    );
  }
  if (kind !== 'image' && kind !== 'pdf') return null;
  const choose = (next: PlaceTool) => setPlace(id, { tool: next === tool ? null : next });
  return (
    <>
      <span role="toolbar" aria-label={texts.place} className="inline-flex">
        {tools.map(({ tool: name, icon }) => (
          <IconButton
            key={name}
            icon={icon}
            label={texts.tools[name]}
            aria-pressed={tool === name}
            onClick={() => choose(name)}
          />
        ))}
      </span>
      <span role="status" className="text-sm text-ink-muted">
        {tool ? texts.draw[tool] : ''}
      </span>
    </>
  );
}

function nameOf(anchor: Anchor): string {
  return anchor.kind === 'time' ? durationText(anchor.startMs) : texts.placed[anchor.kind];
}
