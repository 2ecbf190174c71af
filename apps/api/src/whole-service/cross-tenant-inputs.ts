import type { Operation } from '@atelier/contract';
import type { FilledTeam } from '../testing/filled-team.ts';
import type { Input } from '../testing/feature-fixtures.ts';
import { inputsOf } from './fixtures.ts';
import { idPlacesOf } from '../testing/query-variations.ts';

/** Returns the inputs of an operation with one id replaced by the other team's, for each id in an input. */
export function crossTenantInputs(
  { id, endpoint }: Operation,
  { ours, theirs }: { ours: FilledTeam; theirs: FilledTeam },
) {
  const own = inputsOf(id, ours);
  return (Object.keys(ours) as (keyof FilledTeam)[]).flatMap((field) => {
    const mixed = inputsOf(id, { ...ours, [field]: theirs[field] });
    return mixed.flatMap((input, index) => {
      const places = placesThatDiffer(own[index] ?? {}, input).filter((place) =>
        idPlacesOf(endpoint).includes(place),
      );
      return places.length > 0 ? [{ field, input, places }] : [];
    });
  });
}

function placesThatDiffer(one: Input, other: Input): string[] {
  return (['params', 'query', 'body'] as const).flatMap((where) => {
    const [before, after] = [one[where] ?? {}, other[where] ?? {}].map(
      // All of them are objects of strings and lists.
      (part) => part as Record<string, unknown>,
    );
    return Object.keys({ ...before, ...after })
      .filter((name) => JSON.stringify(before?.[name]) !== JSON.stringify(after?.[name]))
      .map((name) => `${where}.${name}`);
  });
}
