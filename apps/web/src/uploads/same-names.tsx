import { useId, useState, type ReactNode } from 'react';
import { useMayChange } from '../library/permissions.ts';
import { texts as shared } from '../texts/shared.ts';
import { texts } from '../texts/same-names.ts';
import { Button } from '../ui/button.tsx';
import { byteSize } from '../ui/byte-size.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Select } from '../ui/field.tsx';
import { Time } from '../ui/time.tsx';
import { useUnloadWarning } from '../ui/use-unload-warning.ts';
import { decisionFor, type Deciding, type NameDecisions } from './name-decisions.ts';
import type { NameQuestion, TakenName } from './name-questions.ts';
import type { NameDecision } from './upload-list.ts';
import { addSkipped, addUploads } from './uploads.ts';

interface SameNamesProps {
  readonly question: NameQuestion;
  readonly onClose: () => void;
}

/** Asks what to do with files whose names the collection already has. */
export default function SameNames({ question, onClose }: SameNamesProps): ReactNode {
  useUnloadWarning();
  const { taken, target } = question;
  const id = useId();
  const mayChange = useMayChange();
  const canAddVersions = taken.some(({ asset }) => mayChange(asset));
  const [decisions, setDecisions] = useState<NameDecisions>({
    all: canAddVersions ? 'version' : 'both',
    each: new Map(),
  });
  const choices = [
    ...(canAddVersions ? (['version'] as const) : []),
    'both',
    'skip',
    ...(taken.length > 1 ? (['each'] as const) : []),
  ] as const;
  const foreign = taken.filter(({ asset }) => !mayChange(asset)).length;
  const [first] = taken;

  function cancel(): void {
    addSkipped(
      taken.map(({ file }) => file),
      target,
    );
    onClose();
  }

  return (
    <Dialog
      isOpen
      onClose={cancel}
      title={taken.length === 1 && first ? texts.one(first.file.name) : texts.several(taken.length)}
      description={taken.length === 1 && first ? <Comparison taken={first} /> : texts.hint}
      footer={
        <>
          <Button onClick={cancel}>{shared.cancel}</Button>
          <Button tone="primary" type="submit" form={id}>
            {texts.go}
          </Button>
        </>
      }
    >
      <form
        id={id}
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          applyDecisions(question, { decisions, mayChange });
          onClose();
        }}
      >
        <fieldset className="flex flex-col gap-2">
          <legend className="mb-2 text-sm font-medium">
            {taken.length === 1 ? texts.question : texts.questionForAll}
          </legend>
          {choices.map((choice) => (
            <label
              key={choice}
              className="flex cursor-pointer items-start gap-3 rounded-lg border border-line px-3 py-2.5 hover:bg-hover has-checked:border-accent has-checked:bg-accent-soft"
            >
              <input
                type="radio"
                name="all"
                value={choice}
                checked={decisions.all === choice}
                onChange={() => setDecisions({ ...decisions, all: choice })}
                data-autofocus={decisions.all === choice || undefined}
                className="mt-1 size-4 shrink-0"
              />
              <span className="min-w-0">
                <span className="block font-medium">{texts.choices[choice].label}</span>
                <span className="block text-sm text-ink-muted">{texts.choices[choice].hint}</span>
              </span>
            </label>
          ))}
        </fieldset>
        {decisions.all === 'version' && foreign > 0 ? (
          <p className="text-sm text-ink-muted">{texts.foreign(foreign)}</p>
        ) : null}
        {decisions.all === 'each' ? (
          <ul aria-label={texts.files} className="flex flex-col divide-y divide-line">
            {taken.map((one, index) => (
              <li key={index} className="py-3">
                <Select
                  name={`each-${index}`}
                  label={pathOf(one.file)}
                  hint={<Comparison taken={one} />}
                  value={decisionFor(one, index, { decisions, mayChange })}
                  onChange={(event) => {
                    const decision = choices.find((choice) => choice === event.target.value);
                    if (!decision || decision === 'each') return;
                    const each = new Map(decisions.each).set(index, decision);
                    setDecisions({ all: 'each', each });
                  }}
                >
                  {options
                    .filter((option) => option !== 'version' || mayChange(one.asset))
                    .map((option) => (
                      <option key={option} value={option}>
                        {texts.choices[option].label}
                      </option>
                    ))}
                </Select>
              </li>
            ))}
          </ul>
        ) : null}
      </form>
    </Dialog>
  );
}

const options: readonly NameDecision[] = ['version', 'both', 'skip'];

/** Shows what the collection has and what is about to be uploaded. */
function Comparison({ taken: { file, asset } }: { readonly taken: TakenName }): ReactNode {
  return (
    <>
      {texts.inCollection(byteSize(asset.fileSize))} <Time at={asset.updatedAt} /> ·{' '}
      {texts.yours(byteSize(file.size))} <Time at={new Date(file.lastModified).toISOString()} />
    </>
  );
}

/** Tells files of the same name in different folders apart. */
function pathOf({ name, webkitRelativePath }: File): string {
  return webkitRelativePath || name;
}

/** Uploads the files as decided, in their order. */
function applyDecisions({ target, taken }: NameQuestion, deciding: Deciding): void {
  for (const [index, one] of taken.entries()) {
    const decision = decisionFor(one, index, deciding);
    if (decision === 'skip') addSkipped([one.file], target);
    else {
      const assetId = decision === 'version' ? one.asset.id : undefined;
      addUploads([one.file], { ...target, assetId, decision });
    }
  }
}
