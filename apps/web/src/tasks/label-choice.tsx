import type { TaskLabel } from '@atelier/client';
import { Plus, Settings2 } from 'lucide-react';
import type { ReactNode } from 'react';
import { texts } from '../texts/labels.ts';
import { texts as shared } from '../texts/shared.ts';
import { Button } from '../ui/button.tsx';
import { errorText } from '../ui/error-texts.ts';
import { PickerList } from '../ui/picker.tsx';
import { labelColors } from './kinds.ts';
import { LabelDot } from './label-chip.tsx';
import { leastUsedColor, useCreateLabel, useLabels } from './labels.ts';

const maxLabels = 10;
const maxNameLength = 40;

interface LabelChoiceProps {
  readonly labels: readonly TaskLabel[];
  readonly onChange: (labels: readonly TaskLabel[]) => void;
  readonly onManage: () => void;
}

/** Lists the labels, with those of a task selected, and creates new ones; for a picker. */
export function LabelChoice({ labels, onChange, onManage }: LabelChoiceProps): ReactNode {
  const { data, error } = useLabels();
  const all = data ?? [];
  const carries = (id: string) => labels.some((one) => one.id === id);
  const isFull = labels.length >= maxLabels;
  const unknown = error ? errorText(error) : shared.loading;

  function toggle(id: string): void {
    const added = all.filter((label) => label.id === id && !carries(id));
    onChange(sorted([...labels.filter((one) => one.id !== id), ...added.map(carried)]));
  }

  return (
    <PickerList
      label={texts.choose}
      searchLabel={texts.find}
      emptyText={data ? (all.length === 0 ? texts.noneYet : texts.noneFound) : unknown}
      selects="many"
      selected={labels.map(({ id }) => id)}
      onChoose={toggle}
      options={all.map(({ id, name, color }) => ({
        value: id,
        label: name,
        mark: <LabelDot color={color} />,
        isDisabled: isFull && !carries(id),
      }))}
      footer={(query, clear) => (
        <>
          {isFull ? <p className="px-2 py-2 text-xs text-ink-muted">{texts.max}</p> : null}
          <div className="mt-1.5 flex flex-col items-stretch gap-1 border-t border-line pt-1.5">
            {isFull ? null : (
              <NewLabel
                name={query.trim()}
                onCreated={(label) => {
                  clear();
                  onChange(sorted([...labels, label]));
                }}
              />
            )}
            <Button tone="quiet" size="sm" icon={Settings2} onClick={onManage}>
              {texts.manage}
            </Button>
          </div>
        </>
      )}
    />
  );
}

interface NewLabelProps {
  readonly name: string;
  readonly onCreated: (label: TaskLabel) => void;
}

/** Offers to create a label of this name, unless there is one. */
function NewLabel({ name, onCreated }: NewLabelProps): ReactNode {
  const { data: all } = useLabels();
  const create = useCreateLabel((label) => onCreated(carried(label)));
  if (!all) return null;
  const isKnown = all.some((label) => label.name.toLowerCase() === name.toLowerCase());
  if (name === '' || isKnown || Array.from(name).length > maxNameLength) return null;
  return (
    <Button
      tone="quiet"
      size="sm"
      icon={Plus}
      isBusy={create.isPending}
      className="min-w-0"
      onClick={() => create.mutate({ name, color: leastUsedColor(all, labelColors) })}
    >
      <span className="truncate">{texts.create(name)}</span>
    </Button>
  );
}

function carried({ id, name, color }: TaskLabel): TaskLabel {
  return { id, name, color };
}

/** By name, as the API returns them. */
function sorted(labels: readonly TaskLabel[]): readonly TaskLabel[] {
  return labels.toSorted((a, b) => a.name.toLowerCase().localeCompare(b.name.toLowerCase()));
}
