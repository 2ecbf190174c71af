import type { Label, LabelColor } from '@atelier/client';
import { Trash2 } from 'lucide-react';
import { useState, type FormEvent, type ReactNode } from 'react';
import { useMayChange } from '../library/permissions.ts';
import { texts } from '../texts/labels.ts';
import { Button } from '../ui/button.tsx';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { IconButton } from '../ui/icon-button.tsx';
import { Load } from '../ui/load.tsx';
import { labelColors } from './kinds.ts';
import { oneOf } from '../ui/options.ts';
import { LabelDot } from './label-chip.tsx';
import {
  leastUsedColor,
  useCreateLabel,
  useDeleteLabel,
  useLabels,
  useUpdateLabel,
} from './labels.ts';

const controlClass =
  'h-9 min-w-0 rounded-md border border-line-strong bg-surface px-2.5 text-base text-ink';
const maxNameLength = 40;

/** Manages the labels of the organization; each change is saved immediately. */
export default function LabelsDialog({ onClose }: { readonly onClose: () => void }): ReactNode {
  const labels = useLabels();
  const [deleting, setDeleting] = useState<Label>();
  return (
    <Dialog isOpen onClose={onClose} title={texts.title} description={texts.description} size="md">
      <NewLabel labels={labels.data ?? []} />
      <Load query={labels}>
        {(all) =>
          all.length === 0 ? (
            <p className="py-4 text-ink-muted">{texts.noneYet}</p>
          ) : (
            <ul className="mt-4 flex flex-col gap-2 pb-2">
              {all.map((label) => (
                <LabelRow key={label.id} label={label} onDelete={() => setDeleting(label)} />
              ))}
            </ul>
          )
        }
      </Load>
      {deleting ? <DeleteLabel label={deleting} onClose={() => setDeleting(undefined)} /> : null}
    </Dialog>
  );
}

function NewLabel({ labels }: { readonly labels: readonly Label[] }): ReactNode {
  const [name, setName] = useState('');
  const [chosen, setChosen] = useState<LabelColor>();
  const color = chosen ?? leastUsedColor(labels, labelColors);
  const create = useCreateLabel(() => {
    setName('');
    setChosen(undefined);
  });

  function submit(event: FormEvent): void {
    event.preventDefault();
    if (name.trim() !== '' && !create.isPending) create.mutate({ name: name.trim(), color });
  }

  return (
    <form onSubmit={submit} className="flex flex-wrap items-center gap-2">
      <LabelDot color={color} />
      <input
        aria-label={texts.newName}
        placeholder={texts.newName}
        value={name}
        maxLength={maxNameLength}
        autoComplete="off"
        data-autofocus
        onChange={(event) => setName(event.target.value)}
        className={`${controlClass} w-40 flex-1`}
      />
      <ColorSelect label={texts.color} value={color} onChange={setChosen} />
      <Button tone="primary" type="submit" isBusy={create.isPending} disabled={name.trim() === ''}>
        {texts.add}
      </Button>
    </form>
  );
}

interface LabelRowProps {
  readonly label: Label;
  readonly onDelete: () => void;
}

function LabelRow({ label, onDelete }: LabelRowProps): ReactNode {
  const { id, name, color, taskCount } = label;
  const [typed, setTyped] = useState(name);
  const [previous, setPrevious] = useState(name);
  // Shows a name that was changed elsewhere, unless the user is editing it.
  if (previous !== name) {
    setPrevious(name);
    if (typed.trim() === previous) setTyped(name);
  }
  const [refused, setRefused] = useState<string>();
  const rename = useUpdateLabel();
  const recolor = useUpdateLabel();
  const mayDelete = useMayChange()(label);

  function save(): void {
    // Enter has saved it already.
    if (rename.isPending) return;
    const next = typed.trim();
    if (next === '' || next === name) return setTyped(name);
    setRefused(undefined);
    rename.mutate({ id, patch: { name: next } }, { onError: () => setRefused(next) });
  }

  return (
    <li className="flex flex-wrap items-center gap-2">
      <LabelDot color={color} />
      <input
        aria-label={texts.nameOf(name)}
        value={typed}
        maxLength={maxNameLength}
        autoComplete="off"
        onChange={(event) => setTyped(event.target.value)}
        onBlur={() => {
          // It stays to be corrected, and Enter tries it again.
          if (typed.trim() !== refused) save();
        }}
        onKeyDown={(event) => {
          if (event.key === 'Enter') save();
        }}
        className={`${controlClass} w-40 flex-1`}
      />
      <ColorSelect
        label={texts.colorOf(name)}
        value={color}
        onChange={(next) => recolor.mutate({ id, patch: { color: next } })}
      />
      <span className="w-16 text-right text-sm text-ink-muted tabular-nums">
        {texts.tasks(taskCount)}
      </span>
      <IconButton
        icon={Trash2}
        label={texts.delete(name)}
        disabled={!mayDelete}
        onClick={onDelete}
      />
    </li>
  );
}

interface ColorSelectProps {
  readonly label: string;
  readonly value: LabelColor;
  readonly onChange: (color: LabelColor) => void;
}

function ColorSelect({ label, value, onChange }: ColorSelectProps): ReactNode {
  return (
    <select
      aria-label={label}
      value={value}
      onChange={(event) => {
        const color = oneOf(labelColors, event.target.value);
        if (color) onChange(color);
      }}
      className={`${controlClass} w-28 pr-7`}
    >
      {labelColors.map((color) => (
        <option key={color} value={color}>
          {texts.colors[color]}
        </option>
      ))}
    </select>
  );
}

function DeleteLabel({
  label,
  onClose,
}: {
  readonly label: Label;
  readonly onClose: () => void;
}): ReactNode {
  const remove = useDeleteLabel(onClose);
  return (
    <ConfirmDialog
      isOpen
      onClose={onClose}
      title={texts.deleteTitle(label.name)}
      action={texts.deleteAction}
      isBusy={remove.isPending}
      onConfirm={() => remove.mutate(label.id)}
    >
      <p>{texts.deleteHint(label.taskCount)}</p>
    </ConfirmDialog>
  );
}
