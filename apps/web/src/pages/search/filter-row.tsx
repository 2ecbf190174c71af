import { useQuery } from '@tanstack/react-query';
import { SlidersHorizontal } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { organizationsQuery, useUser } from '../../session/account.ts';
import { useOrganizationQueries } from '../../session/queries.ts';
import { usePeople } from '../../tasks/people.ts';
import { useProjects } from '../../tasks/projects.ts';
import { texts } from '../../texts/search.ts';
import { texts as taskTexts } from '../../texts/tasks.ts';
import { Button } from '../../ui/button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { FilterSelect } from '../../ui/filter-select.tsx';
import { isFiltered, searchStatuses, type SearchFilters } from './filters.ts';
import type { SearchSearch } from './search.ts';

const { filters: words } = texts;
const statusNames = { ...taskTexts.statuses, ...texts.projectStatuses };

interface FiltersProps {
  readonly filters: SearchFilters;
  readonly onChange: (changes: SearchSearch) => void;
}

/** Narrows the search; the filters are kept in the URL. On a phone they open with a button. */
export function Filters({ filters, onChange }: FiltersProps): ReactNode {
  const [isOpen, setOpen] = useState(isFiltered(filters));
  return (
    <div className="mb-4 flex flex-wrap items-center gap-2">
      <div className="sm:hidden">
        <Button icon={SlidersHorizontal} aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {words.label}
        </Button>
      </div>
      <div
        role="group"
        aria-label={words.label}
        className={classNames('flex-wrap items-center gap-2 sm:flex', isOpen ? 'flex' : 'hidden')}
      >
        <Places filters={filters} onChange={onChange} />
        <People filters={filters} onChange={onChange} />
        <FilterSelect
          label={words.status}
          anyLabel={words.anyStatus}
          value={filters.status}
          onChange={(status) => onChange({ status })}
          options={searchStatuses.map((value) => ({ value, label: statusNames[value] }))}
        />
        <Day
          label={words.from}
          value={filters.from}
          max={filters.to}
          onChange={(from) => onChange({ from })}
        />
        <Day
          label={words.until}
          value={filters.to}
          min={filters.from}
          onChange={(to) => onChange({ to })}
        />
      </div>
    </div>
  );
}

function Places({ filters, onChange }: FiltersProps): ReactNode {
  const { isEverywhere, project, collection, by, assignee } = filters;
  const { data: organizations = [] } = useQuery(organizationsQuery);
  const queries = useOrganizationQueries();
  const projects = useProjects({ enabled: !isEverywhere });
  // Chosen where the collection is shown: there may be thousands.
  const chosen = useQuery({
    ...queries.collections.get.queryOptions({ params: { id: collection ?? '' } }),
    enabled: collection !== undefined,
  });
  return (
    <>
      {organizations.length > 1 || isEverywhere ? (
        <FilterSelect
          label={words.scope}
          value={isEverywhere ? 'everywhere' : 'here'}
          onChange={(scope) =>
            // The projects and people of the filters belong to one organization.
            onChange(
              scope === 'everywhere'
                ? {
                    scope,
                    project: undefined,
                    collection: undefined,
                    by: mine(by),
                    assignee: mine(assignee),
                  }
                : { scope: undefined },
            )
          }
          options={[
            { value: 'here', label: words.here },
            { value: 'everywhere', label: words.everywhere },
          ]}
        />
      ) : null}
      {isEverywhere ? null : (
        <FilterSelect
          label={words.project}
          anyLabel={words.anyProject}
          value={project}
          onChange={(next) => onChange({ project: next })}
          options={projects.map(({ id, name }) => ({ value: id, label: name }))}
        />
      )}
      {collection === undefined ? null : (
        <FilterSelect
          label={words.collection}
          anyLabel={words.anyCollection}
          value={collection}
          onChange={(next) => onChange({ collection: next })}
          options={[{ value: collection, label: chosen.data?.title ?? words.collection }]}
        />
      )}
    </>
  );
}

function mine(person: string | undefined): string | undefined {
  return person === 'me' ? person : undefined;
}

function People({ filters, onChange }: FiltersProps): ReactNode {
  const me = useUser()?.id;
  const people = usePeople().filter(({ id }) => id !== me);
  const shown = filters.isEverywhere ? [] : people;
  return (
    <>
      <FilterSelect
        label={words.creator}
        anyLabel={words.anyone}
        value={filters.by}
        onChange={(by) => onChange({ by })}
        options={[
          { value: 'me', label: words.byMe },
          ...shown.map(({ id, displayName }) => ({ value: id, label: words.by(displayName) })),
        ]}
      />
      <FilterSelect
        label={words.assignee}
        anyLabel={words.anyAssignee}
        value={filters.assignee}
        onChange={(assignee) => onChange({ assignee })}
        options={[
          { value: 'me', label: words.toMe },
          ...shown.map(({ id, displayName }) => ({ value: id, label: words.to(displayName) })),
        ]}
      />
    </>
  );
}

interface DayProps {
  readonly label: string;
  readonly value: string | undefined;
  readonly min?: string | undefined;
  readonly max?: string | undefined;
  readonly onChange: (value: string | undefined) => void;
}

function Day({ label, value = '', onChange, ...bounds }: DayProps): ReactNode {
  return (
    <label className="flex h-9 items-center gap-2 rounded-md border border-line-strong bg-surface px-2.5 text-base">
      <span className="text-ink-muted">{label}</span>
      <input
        type="date"
        value={value}
        {...bounds}
        onChange={({ target }) => onChange(target.value || undefined)}
        className="min-w-0 bg-transparent"
      />
    </label>
  );
}
