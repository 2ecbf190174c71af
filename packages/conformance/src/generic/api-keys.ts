import { operations, type Operation } from '@atelier/contract';
import { operationCheck, type Check } from '../check.ts';
import { validRequest } from '../valid-requests.ts';

const refused: readonly Check[] = operations
  .filter(({ endpoint }) => endpoint.metadata.keys === 'refused')
  .map((operation) =>
    operationCheck('api-key.refused', operation.id, {
      title: `${operation.id} refuses API keys`,
      run: async ({ probe, fixtures }) => {
        const request = validRequest(operation, fixtures);
        const token = fixtures.apiKey.ofLabels;
        const response = await probe.request(operation.id, { ...request, token });
        probe.expectRefusal('api-key.refused', response, 'key_refused');
      },
    }),
  );

const scoped: readonly Check[] = operations.filter(needsScope).map((operation) =>
  operationCheck('api-key.scope', operation.id, {
    title: `${operation.id} refuses an API key without its scope, and names the scope`,
    run: async ({ probe, fixtures }) => {
      const rule = 'api-key.scope';
      const scope = String(operation.endpoint.metadata.keys);
      const { ofLabels, ofAccount } = fixtures.apiKey;
      const token = scope === 'label:read' ? ofAccount : ofLabels;
      const response = await probe.request(operation.id, {
        ...validRequest(operation, fixtures),
        token,
      });
      if (!probe.expectRefusal(rule, response, 'scope_missing')) return;
      const challenge = response.headers.get('www-authenticate') ?? 'none';
      probe.expect({
        rule,
        response,
        holds: challenge === `Bearer error="insufficient_scope", scope="${scope}"`,
        expected: `a challenge with the scope ${scope}`,
        actual: `www-authenticate: ${challenge}`,
      });
    },
  }),
);

function needsScope({ endpoint }: Operation): boolean {
  const { keys } = endpoint.metadata;
  return keys !== null && keys !== 'any' && keys !== 'refused';
}

/** Every operation refuses API keys that it isn't for. */
export const apiKeyChecks: readonly Check[] = [...refused, ...scoped];
