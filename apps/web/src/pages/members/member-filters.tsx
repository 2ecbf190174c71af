import { useState, type ReactNode } from 'react';
import { texts } from '../../texts/members.ts';
import { Select } from '../../ui/field.tsx';
import { SearchInput } from '../../ui/search-input.tsx';
import { roles, statuses, type MembersSearch } from './search.ts';

interface MemberFiltersProps {
  readonly search: MembersSearch;
  readonly onNarrow: (change: MembersSearch) => void;
}

export function MemberFilters({ search, onNarrow }: MemberFiltersProps): ReactNode {
  const [typed, setTyped] = useState(search.q ?? '');
  const [seen, setSeen] = useState(search.q);
  // Changed from elsewhere, such as by the button of the empty state.
  if (seen !== search.q) {
    setSeen(search.q);
    if (search.q === undefined) setTyped('');
  }
  return (
    <div role="search" className="grid grid-cols-2 gap-2 sm:flex">
      <div className="col-span-2 flex">
        <SearchInput
          label={texts.search}
          value={typed}
          onChange={(text) => {
            setTyped(text);
            onNarrow({ q: text || undefined });
          }}
        />
      </div>
      <div className="sm:w-36">
        <Select
          name="role"
          label={texts.filters.role}
          isLabelHidden
          value={search.role ?? ''}
          onChange={({ target }) => onNarrow({ role: roles.find((one) => one === target.value) })}
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
          onChange={({ target }) =>
            onNarrow({ status: statuses.find((one) => one === target.value) })
          }
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
