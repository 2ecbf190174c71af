import type { Scope } from '@atelier/client';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { accountQueries } from '../session/queries.ts';
import { Load } from '../ui/load.tsx';
import { SkeletonRows } from '../ui/skeleton.tsx';
import { Option, withOrWithout } from './choice.tsx';

interface ScopePickerProps {
  readonly chosen: readonly Scope[];
  readonly onChange: (chosen: readonly Scope[]) => void;
}

/** Lets the user choose each scope of a key, by resource. */
export function ScopePicker({ chosen, onChange }: ScopePickerProps): ReactNode {
  const scopes = useQuery(accountQueries.apiKeys.scopes.queryOptions());
  return (
    <Load query={scopes} skeleton={<SkeletonRows count={4} />}>
      {({ items }) => (
        <div className="mt-1 grid gap-x-4 gap-y-3 rounded-md border border-line p-3 sm:grid-cols-2">
          {[...Map.groupBy(items, ({ scope }) => titleOf(scope))].map(([title, members]) => (
            <div key={title} role="group" aria-label={title} className="min-w-0">
              <p aria-hidden className="px-2 text-xs font-medium text-ink-muted">
                {title}
              </p>
              {members.map(({ scope, description }) => (
                <Option
                  key={scope}
                  type="checkbox"
                  name="scopes"
                  value={scope}
                  label={description}
                  hint={scope}
                  isChosen={chosen.includes(scope)}
                  onChange={(isChosen) => onChange(withOrWithout(chosen, scope, isChosen))}
                />
              ))}
            </div>
          ))}
        </div>
      )}
    </Load>
  );
}

/** Returns the resource of a scope as a title: “Task” for `task:edit`. */
function titleOf(scope: Scope): string {
  const [resource = ''] = scope.split(':');
  return resource.charAt(0).toUpperCase() + resource.slice(1);
}
