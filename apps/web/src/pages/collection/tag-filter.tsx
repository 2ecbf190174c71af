import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { TagChip } from '../../library/tag-chip.tsx';
import { useOrganizationQueries } from '../../session/queries.ts';
import { texts } from '../../texts/tags.ts';
import { FilterSelect } from '../../ui/filter-select.tsx';

interface TagFilterProps {
  /** Separated by `,`. */
  readonly value: string | undefined;
  readonly onChange: (value: string | undefined) => void;
}

/** Narrows a list to the assets that have all chosen tags. Shows nothing where there are no tags. */
export default function TagFilter({ value, onChange }: TagFilterProps): ReactNode {
  const queries = useOrganizationQueries();
  const { data } = useQuery(queries.assets.tags.queryOptions());
  const chosen = value?.split(',') ?? [];
  const others = (data?.items ?? [])
    .map(({ tag }) => tag)
    .filter((tag) => !chosen.some((one) => one.toLowerCase() === tag.toLowerCase()));
  const choose = (tags: readonly string[]) => onChange(tags.join(',') || undefined);
  return (
    <>
      {others.length > 0 ? (
        <FilterSelect
          label={texts.filter}
          value={undefined}
          anyLabel={chosen.length === 0 ? texts.any : texts.another}
          options={others.map((tag) => ({ value: tag, label: tag }))}
          onChange={(tag) => tag !== undefined && choose([...chosen, tag])}
        />
      ) : null}
      {chosen.length > 0 ? (
        <ul aria-label={texts.chosen} className="flex min-w-0 flex-wrap gap-1">
          {chosen.map((tag) => (
            <li key={tag} className="flex min-w-0">
              <TagChip tag={tag} onRemove={() => choose(chosen.filter((one) => one !== tag))} />
            </li>
          ))}
        </ul>
      ) : null}
    </>
  );
}
