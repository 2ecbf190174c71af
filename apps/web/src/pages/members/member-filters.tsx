import { useCallback, type ReactNode } from 'react';
import { texts } from '../../texts/members.ts';
import { Select } from '../../ui/field.tsx';
import { keysOf, oneOf } from '../../ui/options.ts';
import { SearchInput } from '../../ui/search-input.tsx';
import { useTypedText } from '../../ui/use-typed-text.ts';
import { roles, type MembersSearch } from './search.ts';

const statuses = keysOf(texts.statuses);

interface MemberFiltersProps {
  readonly search: MembersSearch;
  readonly onFilterChange: (change: MembersSearch) => void;
}

export function MemberFilters({ search, onFilterChange }: MemberFiltersProps): ReactNode {
  const find = useCallback(
    (text: string) => onFilterChange({ q: text || undefined }),
    [onFilterChange],
  );
  const [typed, setTyped] = useTypedText(search.q ?? '', find);
  return (
    <div role="search" className="grid grid-cols-2 gap-2 sm:flex">
      <div className="col-span-2 flex">
        <SearchInput label={texts.search} value={typed} onChange={setTyped} />
      </div>
      <div className="sm:w-36">
        <Select
          name="role"
          label={texts.filters.role}
          isLabelHidden
          value={search.role ?? ''}
          onChange={({ target }) => onFilterChange({ role: oneOf(roles, target.value) })}
        >
          <option value="">{texts.filters.allRoles}</option>
          {roles.map((role) => (
            <option key={role} value={role}>
              {texts.roles[role]}
            </option>
          ))}
        </Select>
      </div>
      <div className="sm:w-36">
        <Select
          name="status"
          label={texts.filters.status}
          isLabelHidden
          value={search.status ?? ''}
          onChange={({ target }) => onFilterChange({ status: oneOf(statuses, target.value) })}
        >
          <option value="">{texts.filters.allStatuses}</option>
          {statuses.map((status) => (
            <option key={status} value={status}>
              {texts.statuses[status]}
            </option>
          ))}
        </Select>
      </div>
    </div>
  );
}
