import type { Label, LabelColor, Task, TaskLabel } from '@atelier/client';
import { useQuery, type UseMutationResult, type UseQueryResult } from '@tanstack/react-query';
import { api } from '../session/api.ts';
import { orGone } from '../session/gone.ts';
import {
  useOrganizationMutation,
  useOrganizationQueries,
  type TopicKey,
} from '../session/queries.ts';
import { declareChange } from '../unsent/declare.ts';
import { useChange, type ChangeHandlers } from '../unsent/use-change.ts';
import { changeTask, taskTopics } from './task-cache.ts';

/** Queries the labels of the organization, by name. */
export function useLabels(): UseQueryResult<readonly Label[]> {
  // An organization has at most 100.
  const options = useOrganizationQueries().labels.list.queryOptions({ query: { limit: 100 } });
  return useQuery({ ...options, select: ({ items }) => items });
}

interface Labelling {
  readonly id: string;
  readonly labels: readonly TaskLabel[];
}

const setLabels = declareChange({
  name: 'labels.set',
  send: ({ id, labels }: Labelling, options) =>
    api.labels.set(
      { params: { id }, body: { labelIds: labels.map((label) => label.id) } },
      options,
    ),
  invalidates: [...taskTopics, ['labels']],
  show: (cache, { id, labels }) =>
    changeTask(cache, id, (task) => ({ ...task, labels: [...labels] })),
  items: ({ id }) => [id],
});

/** Sets the labels of a task. */
export function useSetLabels(handlers?: ChangeHandlers<Labelling, Task>) {
  return useChange(setLabels, handlers);
}

const invalidates: readonly TopicKey[] = [['labels'], ['tasks']];

interface NewLabel {
  readonly name: string;
  readonly color: LabelColor;
}

export function useCreateLabel(
  onDone: (label: Label) => void,
): UseMutationResult<Label, Error, NewLabel> {
  return useOrganizationMutation({
    change: (body: NewLabel, options) => api.labels.create({ body }, options),
    invalidates,
    onDone,
  });
}

interface LabelUpdate {
  readonly id: string;
  readonly patch: Partial<NewLabel>;
}

export function useUpdateLabel(): UseMutationResult<Label, Error, LabelUpdate> {
  return useOrganizationMutation({
    change: ({ id, patch }: LabelUpdate, options) =>
      api.labels.update({ params: { id }, body: patch }, options),
    invalidates,
  });
}

export function useDeleteLabel(
  onDone: () => void,
): UseMutationResult<{ id: string }, Error, string> {
  return useOrganizationMutation({
    change: (id: string, options) => orGone(api.labels.remove({ params: { id } }, options), { id }),
    invalidates,
    onDone,
  });
}

/** Returns the colour that the fewest labels have. */
export function leastUsedColor(
  labels: readonly Label[],
  colors: readonly LabelColor[],
): LabelColor {
  const uses = (color: LabelColor) => labels.filter((label) => label.color === color).length;
  const [least = 'GRAY'] = colors.toSorted((a, b) => uses(a) - uses(b));
  return least;
}
