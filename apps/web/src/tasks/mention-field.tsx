import {
  useId,
  useLayoutEffect,
  useRef,
  useState,
  type KeyboardEvent,
  type ReactNode,
} from 'react';
import { texts } from '../texts/tasks.ts';
import { Avatar } from '../ui/avatar.tsx';
import { classNames } from '../ui/class-names.ts';
import { Textarea } from '../ui/field.tsx';
import { mentionChoices, mentionDraft, withMention } from './mention.ts';
import { usePeople } from './people.ts';

interface MentionFieldProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (text: string) => void;
  /** Called on Ctrl+Enter or ⌘+Enter. */
  readonly onSubmit: () => void;
  readonly onEscape?: (() => void) | undefined;
  readonly error?: string | undefined;
  readonly hint?: string | undefined;
  readonly placeholder?: string | undefined;
  readonly autoFocus?: boolean | undefined;
}

/** Edits a comment and suggests people to mention after an `@`. */
export function MentionField({
  label,
  value,
  onChange,
  onSubmit,
  onEscape,
  error,
  hint,
  placeholder,
  autoFocus,
}: MentionFieldProps): ReactNode {
  const id = useId();
  const people = usePeople();
  const field = useRef<HTMLDivElement>(null);
  const [caret, setCaret] = useState(0);
  const [active, setActive] = useState(0);
  const [dismissedAt, setDismissedAt] = useState<number>();
  const nextCaret = useRef<number>(null);
  const draft = mentionDraft(value, caret);
  const choices = draft && draft.start !== dismissedAt ? mentionChoices(people, draft.query) : [];
  const isOpen = choices.length > 0;
  const optionId = (index: number) => `${id}-${index}`;

  useLayoutEffect(() => {
    if (nextCaret.current === null) return;
    const area = field.current?.querySelector('textarea');
    area?.focus();
    area?.setSelectionRange(nextCaret.current, nextCaret.current);
    nextCaret.current = null;
  }, [value]);

  function choose(index: number): void {
    const person = choices[index];
    if (!draft || !person) return;
    const next = withMention(value, { draft, caret, name: person.displayName });
    nextCaret.current = next.caret;
    setCaret(next.caret);
    onChange(next.text);
  }

  function onKeyDown(event: KeyboardEvent): void {
    if (event.nativeEvent.isComposing) return;
    const keys: Record<string, (() => void) | undefined> = isOpen
      ? {
          ArrowDown: () => setActive((active + 1) % choices.length),
          ArrowUp: () => setActive((active - 1 + choices.length) % choices.length),
          Enter: () => choose(active),
          Tab: event.shiftKey ? undefined : () => choose(active),
          Escape: () => setDismissedAt(draft?.start),
        }
      : {
          Escape: onEscape,
          Enter: event.ctrlKey || event.metaKey ? onSubmit : undefined,
        };
    const run = keys[event.key];
    if (!run) return;
    event.preventDefault();
    run();
  }

  return (
    <div ref={field} className="relative">
      <Textarea
        name="body"
        label={label}
        isLabelHidden
        aria-autocomplete="list"
        aria-controls={isOpen ? `${id}-list` : undefined}
        aria-activedescendant={isOpen ? optionId(Math.min(active, choices.length - 1)) : undefined}
        maxLength={10_000}
        autoFocus={autoFocus}
        placeholder={placeholder}
        hint={hint}
        error={error}
        value={value}
        onChange={(event) => {
          onChange(event.target.value);
          setCaret(event.target.selectionStart);
          setActive(0);
          if (mentionDraft(event.target.value, event.target.selectionStart) === undefined) {
            setDismissedAt(undefined);
          }
        }}
        onSelect={(event) => setCaret(event.currentTarget.selectionStart)}
        onBlur={() => setDismissedAt(draft?.start)}
        onKeyDown={onKeyDown}
        className="max-h-72"
      />
      <p role="status" className="sr-only">
        {isOpen
          ? texts.comment.peopleFound(choices.map(({ displayName }) => displayName).join(', '))
          : null}
      </p>
      {isOpen ? (
        <div
          id={`${id}-list`}
          role="listbox"
          aria-label={texts.comment.people}
          className="absolute right-0 bottom-full left-0 z-10 mb-1 max-w-xs rounded-lg border border-line bg-raised p-1 shadow-raised"
        >
          {choices.map((person, index) => (
            <div
              key={person.id}
              id={optionId(index)}
              role="option"
              aria-selected={index === active}
              onMouseMove={() => setActive(index)}
              // Not on click: the field would lose the focus before it.
              onMouseDown={(event) => {
                event.preventDefault();
                choose(index);
              }}
              className={classNames(
                'flex min-h-8 cursor-pointer items-center gap-2 rounded-md px-2 py-1',
                index === active && 'bg-hover',
              )}
            >
              <Avatar name={person.displayName} url={person.avatarUrl} size="xs" />
              <span className="min-w-0 truncate">{person.displayName}</span>
            </div>
          ))}
        </div>
      ) : null}
    </div>
  );
}
