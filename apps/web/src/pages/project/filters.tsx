import { X } from 'lucide-react';
import { useCallback, type ReactNode } from 'react';
import { useUser } from '../../session/account.ts';
import { priorities, statuses } from '../../tasks/kinds.ts';
import { useLabels } from '../../tasks/labels.ts';
import { usePeople } from '../../tasks/people.ts';
import { texts } from '../../texts/project.ts';
import { texts as taskTexts } from '../../texts/tasks.ts';
import { Button } from '../../ui/button.tsx';
import { FilterSelect } from '../../ui/filter-select.tsx';
import { SearchInput } from '../../ui/search-input.tsx';
import { useTypedText } from '../../ui/use-typed-text.ts';
import { groupings, taskOrders, type ProjectSearch } from './search.ts';

const { filters: words } = texts;

interface FiltersProps {
  readonly search: ProjectSearch;
  readonly onChange: (change: Partial<ProjectSearch>) => void;
}

/** Filters the tasks; the filters are kept in the URL. */
export function Filters({ search, onChange }: FiltersProps): ReactNode {
  const me = useUser()?.id;
  const people = usePeople();
  const { data: labels = [] } = useLabels();
  const isList = search.view === 'list';
  const find = useCallback((text: string) => onChange({ q: text || undefined }), [onChange]);
  const [typed, setTyped] = useTypedText(search.q ?? '', find);
  return (
    <div role="search" aria-label={words.label} className="flex flex-wrap items-center gap-2">
      <SearchInput label={words.search} value={typed} onChange={setTyped} />
      <FilterSelect
        label={words.assignee}
        anyLabel={words.anyone}
        value={search.assignee}
        onChange={(assignee) => onChange({ assignee })}
        options={[
          { value: 'me', label: words.me },
          ...people
            .filter(({ id }) => id !== me)
            .map(({ id, displayName }) => ({ value: id, label: displayName })),
        ]}
      />
      {labels.length > 0 || search.label ? (
        <FilterSelect
          label={words.taskLabel}
          anyLabel={words.anyLabel}
          value={search.label}
          onChange={(label) => onChange({ label })}
          options={labels.map(({ id, name }) => ({ value: id, label: name }))}
        />
      ) : null}
      <FilterSelect
        label={words.priority}
        anyLabel={words.anyPriority}
        value={search.priority}
        onChange={(priority) => onChange({ priority })}
        options={priorities.map((value) => ({ value, label: taskTexts.priorities[value] }))}
      />
      {search.view === 'calendar' ? null : (
        <FilterSelect
          label={texts.grouping.label}
          anyLabel={isList ? texts.grouping.none : undefined}
          value={search.group ?? (isList ? undefined : groupings[0])}
          onChange={(group) => onChange({ group })}
          options={groupings.map((value) => ({ value, label: texts.grouping.by[value] }))}
        />
      )}
      {isList ? (
        <>
          <FilterSelect
            label={words.status}
            anyLabel={words.anyStatus}
            value={search.status}
            onChange={(status) => onChange({ status })}
            options={statuses.map((value) => ({ value, label: taskTexts.statuses[value] }))}
          />
          <FilterSelect
            label={words.sort}
            value={search.sort ?? taskOrders[0]}
            onChange={(sort) => onChange({ sort })}
            options={taskOrders.map((value) => ({ value, label: texts.orders[value] }))}
          />
        </>
      ) : null}
      {isFiltered(search) ? (
        <Button tone="quiet" icon={X} onClick={() => onChange(noFilters)}>
          {words.clear}
        </Button>
      ) : null}
    </div>
  );
}

export const noFilters = {
  q: undefined,
  assignee: undefined,
  label: undefined,
  priority: undefined,
  status: undefined,
} satisfies Partial<ProjectSearch>;

/** Tells whether any filter is set. */
export function isFiltered(search: ProjectSearch): boolean {
  const { q, assignee, label, priority, status, view } = search;
  return Boolean(q ?? assignee ?? label ?? priority ?? (view === 'list' ? status : undefined));
}
