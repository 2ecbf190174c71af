import type { Person } from '@atelier/client';
import { resourceTypes } from '@atelier/client/resources';
import { X } from 'lucide-react';
import type { ReactNode } from 'react';
import { texts } from '../texts/activity.ts';
import { Button } from '../ui/button.tsx';
import { Input, Select } from '../ui/field.tsx';
import { actionsOf } from './filters.ts';
import { resourceTypeOf, type ActivitySearch } from './search.ts';

const { filters: words } = texts;

interface ActivityFiltersProps {
  readonly search: ActivitySearch;
  readonly onFilterChange: (search: ActivitySearch) => void;
  /** Hides the type and action filters, as on the timeline of one resource. */
  readonly areTypesFixed?: boolean | undefined;
  /** People to filter by; one alone needs no filter. */
  readonly people?: readonly Person[] | undefined;
}

export function ActivityFilters({
  search,
  onFilterChange,
  areTypesFixed = false,
  people = [],
}: ActivityFiltersProps): ReactNode {
  const isFiltered = Object.values(search).some((value) => value !== undefined);
  return (
    <div role="search" aria-label={words.label} className="mb-5 flex flex-wrap items-end gap-3">
      {areTypesFixed ? null : <TypeFilters search={search} onFilterChange={onFilterChange} />}
      {people.length < 2 ? null : (
        <div className="w-full sm:w-44">
          <Select
            name="person"
            label={words.person}
            value={search.person ?? ''}
            onChange={({ target }) =>
              onFilterChange({ ...search, person: target.value || undefined })
            }
          >
            <option value="">{words.allPeople}</option>
            {people.map(({ id, displayName }) => (
              <option key={id} value={id}>
                {displayName}
              </option>
            ))}
          </Select>
        </div>
      )}
      <div className="w-[calc(50%-0.375rem)] sm:w-40">
        <Input
          name="from"
          type="date"
          label={words.from}
          value={search.from ?? ''}
          max={search.to}
          onChange={({ target }) => onFilterChange({ ...search, from: target.value || undefined })}
        />
      </div>
      <div className="w-[calc(50%-0.375rem)] sm:w-40">
        <Input
          name="to"
          type="date"
          label={words.to}
          value={search.to ?? ''}
          min={search.from}
          onChange={({ target }) => onFilterChange({ ...search, to: target.value || undefined })}
        />
      </div>
      {isFiltered ? (
        <Button tone="quiet" icon={X} onClick={() => onFilterChange({})}>
          {texts.clear}
        </Button>
      ) : null}
    </div>
  );
}

function TypeFilters({
  search,
  onFilterChange,
}: Pick<ActivityFiltersProps, 'search' | 'onFilterChange'>): ReactNode {
  const { type } = search;
  return (
    <>
      <div className="w-[calc(50%-0.375rem)] sm:w-40">
        <Select
          name="type"
          label={words.type}
          value={type ?? ''}
          onChange={({ target }) =>
            onFilterChange({ ...search, type: resourceTypeOf(target.value), action: undefined })
          }
        >
          <option value="">{words.allTypes}</option>
          {resourceTypes.map((one) => (
            <option key={one} value={one}>
              {texts.resources[one].title}
            </option>
          ))}
        </Select>
      </div>
      <div className="w-[calc(50%-0.375rem)] sm:w-44">
        <Select
          name="action"
          label={words.action}
          value={search.action ?? ''}
          disabled={!type}
          onChange={({ target }) =>
            onFilterChange({ ...search, action: target.value || undefined })
          }
        >
          <option value="">{words.allActions}</option>
          {type
            ? actionsOf(type).map((one) => (
                <option key={one} value={one}>
                  {texts.actions[one].label}
                </option>
              ))
            : null}
        </Select>
      </div>
    </>
  );
}
