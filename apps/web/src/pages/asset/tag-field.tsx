import { useQuery } from '@tanstack/react-query';
import { useDeferredValue, useId, useRef, useState, type ReactNode } from 'react';
import { TagChip } from '../../library/tag-chip.tsx';
import { useOrganizationQueries } from '../../session/queries.ts';
import { texts } from '../../texts/tags.ts';
import { controlClass, Field } from '../../ui/field.tsx';
import { withTags } from './tags.ts';

const maxTags = 20;
const maxLength = 40;

interface TagFieldProps {
  readonly tags: readonly string[];
  readonly onChange: (tags: readonly string[]) => void;
}

/** Edits tags: chips, and a field for the next one that suggests those of the organization. */
export function TagField({ tags, onChange }: TagFieldProps): ReactNode {
  const queries = useOrganizationQueries();
  const listId = useId();
  const [typed, setTyped] = useState('');
  const input = useRef<HTMLInputElement>(null);
  const beginning = useDeferredValue(typed.trim().slice(0, maxLength));
  const { data } = useQuery(
    queries.assets.tags.queryOptions({ query: beginning ? { q: beginning } : {} }),
  );
  const isFull = tags.length >= maxTags;
  const isTooLong = typed.split(',').some((tag) => tag.trim().length > maxLength);
  const error = isTooLong ? texts.tagTooLong : isFull && typed ? texts.tooMany : undefined;

  function add(): void {
    if (isTooLong || isFull) return;
    onChange(withTags(tags, typed).slice(0, maxTags));
    setTyped('');
  }

  return (
    <div className="flex flex-col gap-2">
      <Field name="tags" label={texts.tags} hint={texts.hint} error={error}>
        {(control) => (
          <input
            {...control}
            ref={input}
            value={typed}
            list={listId}
            autoComplete="off"
            enterKeyHint="done"
            className={`${controlClass} h-9`}
            onChange={({ target }) => setTyped(target.value)}
            onKeyDown={(event) => {
              if (event.nativeEvent.isComposing) return;
              const isEnd = event.key === ',' || (event.key === 'Enter' && typed.trim() !== '');
              if (isEnd) {
                event.preventDefault();
                add();
              }
              const last = tags.at(-1);
              if (event.key === 'Backspace' && typed === '' && last !== undefined) {
                onChange(tags.slice(0, -1));
              }
            }}
          />
        )}
      </Field>
      <datalist id={listId}>
        {(data?.items ?? []).map(({ tag }) => (
          <option key={tag} value={tag} />
        ))}
      </datalist>
      {tags.length > 0 ? (
        <ul aria-label={texts.tags} className="flex flex-wrap gap-1.5">
          {tags.map((tag) => (
            <li key={tag} className="flex min-w-0">
              <TagChip
                tag={tag}
                onRemove={() => {
                  onChange(tags.filter((one) => one !== tag));
                  input.current?.focus();
                }}
              />
            </li>
          ))}
        </ul>
      ) : null}
    </div>
  );
}
