import { contract } from '@atelier/contract';
import { initTsrReactQuery } from '@ts-rest/react-query/v5';

export const tsr = initTsrReactQuery(contract, {
  baseUrl: 'https://api.example.com',
  baseHeaders: {},
});
export function useTitle(id: string): string | undefined {
  const { data } = tsr.tasks.get.useQuery({
    queryKey: ['task', id],
    queryData: { params: { id } },
  });
  return data?.body.data.title;
}
