import { createClient, memoryTokens } from '@atelier/client';
import { createQueries, editCached, optimistic, staleKeys } from '@atelier/client/react-query';
import { QueryClient, useInfiniteQuery, useMutation, useQuery } from '@tanstack/react-query';

const api = createClient({ baseUrl: 'https://api.example.com', tokens: memoryTokens() });
const queryClient = new QueryClient();
const queries = createQueries(api);

export function useTask(id: string): string | undefined {
  const { data, error } = useQuery(queries.tasks.get.queryOptions({ params: { id } }));
  if (error?.code === 'not_found') return undefined;
  const cached = queryClient.getQueryData(queries.tasks.get.queryKey({ params: { id } }));
  return data?.title ?? cached?.title;
}

export function useTitles(): string[] {
  const { data } = useInfiniteQuery(queries.tasks.list.infiniteQueryOptions());
  return data?.pages.flatMap(({ items }) => items.map(({ title }) => title)) ?? [];
}

export function useRename() {
  const keys = staleKeys('task');
  return useMutation({
    ...queries.tasks.update.mutationOptions(),
    ...optimistic<Parameters<typeof api.tasks.update>[0]>(queryClient, {
      keys,
      update: ({ params, body }) =>
        editCached(queryClient, { keys, ids: [params.id], edit: (task) => ({ ...task, ...body }) }),
    }),
  });
}
