import type { Label, Task } from '@atelier/client';
import { Plus, Settings2, Tag } from 'lucide-react';
import { Popover } from 'radix-ui';
import { Suspense, useState, type ReactNode } from 'react';
import { lazyDialog } from '../loading/lazy.tsx';
import { texts } from '../texts/labels.ts';
import { Button } from '../ui/button.tsx';
import { useLayer } from '../ui/layer.tsx';
import { SearchInput } from '../ui/search-input.tsx';
import { labelColors } from './kinds.ts';
import { LabelChips, LabelDot } from './label-chip.tsx';
import { leastUsedColor, useCreateLabel, useLabels, useSetLabels } from './labels.ts';

const LabelsDialog = lazyDialog(() => import('./labels-dialog.tsx'));

const maxLabels = 10;
const maxNameLength = 40;

/** Shows the labels of a task and a list to choose from; each change is saved immediately. */
export default function LabelPicker({ task }: { readonly task: Task }): ReactNode {
  const [isManaging, setManaging] = useState(false);
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Popover.Root open={isOpen} onOpenChange={setOpen}>
        <Popover.Trigger className="flex min-h-8 max-w-full flex-wrap items-center gap-1.5 rounded-md border border-line-strong bg-surface px-2 py-1 text-left hover:bg-hover">
          <span className="sr-only">{texts.choose}:</span>
          {task.labels.length === 0 ? (
            <span className="flex items-center gap-1.5 text-ink-muted">
              <Tag aria-hidden className="size-4" />
              {texts.none}
            </span>
          ) : (
            <LabelChips labels={task.labels} />
          )}
        </Popover.Trigger>
        <Popover.Portal container={useLayer()}>
          <Popover.Content
            align="start"
            sideOffset={4}
            collisionPadding={8}
            aria-label={texts.choose}
            className="z-50 w-80 rounded-lg border border-line bg-raised p-2 shadow-raised animate-in"
          >
            <Choice
              task={task}
              onManage={() => {
                setOpen(false);
                setManaging(true);
              }}
            />
          </Popover.Content>
        </Popover.Portal>
      </Popover.Root>
      {isManaging ? (
        <Suspense>
          <LabelsDialog onClose={() => setManaging(false)} />
        </Suspense>
      ) : null}
    </>
  );
}

interface ChoiceProps {
  readonly task: Task;
  readonly onManage: () => void;
}

function Choice({ task, onManage }: ChoiceProps): ReactNode {
  const [query, setQuery] = useState('');
  const labels = useLabels();
  const set = useSetLabels();
  const create = useCreateLabel((label) => {
    setQuery('');
    set.mutate({ id: task.id, labels: sorted([...task.labels, label]) });
  });
  const name = query.trim();
  const lowered = name.toLowerCase();
  const shown = labels.filter((label) => label.name.toLowerCase().includes(lowered));
  const isKnown = labels.some((label) => label.name.toLowerCase() === lowered);
  const isFull = task.labels.length >= maxLabels;
  const carries = (id: string) => task.labels.some((one) => one.id === id);

  function toggle({ id, name: labelName, color }: Label): void {
    const next = carries(id)
      ? task.labels.filter((one) => one.id !== id)
      : [...task.labels, { id, name: labelName, color }];
    set.mutate({ id: task.id, labels: sorted(next) });
  }

  return (
    <>
      <SearchInput label={texts.find} value={query} onChange={setQuery} />
      <ul className="mt-2 max-h-56 overflow-y-auto">
        {shown.map((label) => (
          <li key={label.id}>
            <label className="flex min-h-9 cursor-pointer items-center gap-2.5 rounded-md px-2 py-1 hover:bg-hover">
              <input
                type="checkbox"
                className="size-4 shrink-0"
                checked={carries(label.id)}
                disabled={isFull && !carries(label.id)}
                onChange={() => toggle(label)}
              />
              <LabelDot color={label.color} />
              <span className="min-w-0 flex-1 truncate">{label.name}</span>
            </label>
          </li>
        ))}
      </ul>
      {shown.length === 0 ? (
        <p className="px-2 py-3 text-sm text-ink-muted">
          {labels.length === 0 ? texts.noneYet : texts.noneFound}
        </p>
      ) : null}
      {isFull ? <p className="px-2 py-2 text-xs text-ink-muted">{texts.max}</p> : null}
      <div className="mt-1 flex flex-col items-stretch gap-1 border-t border-line pt-2">
        {name !== '' && !isKnown && !isFull && Array.from(name).length <= maxNameLength ? (
          <Button
            tone="quiet"
            size="sm"
            icon={Plus}
            isBusy={create.isPending}
            className="min-w-0"
            onClick={() => create.mutate({ name, color: leastUsedColor(labels, labelColors) })}
          >
            <span className="truncate">{texts.create(name)}</span>
          </Button>
        ) : null}
        <Button tone="quiet" size="sm" icon={Settings2} onClick={onManage}>
          {texts.manage}
        </Button>
      </div>
    </>
  );
}

/** By name, as the API returns them. */
function sorted<Named extends { readonly name: string }>(labels: readonly Named[]): Named[] {
  return labels.toSorted((a, b) => a.name.toLowerCase().localeCompare(b.name.toLowerCase()));
}
