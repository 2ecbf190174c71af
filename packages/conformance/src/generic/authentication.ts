import { operations, type Operation } from '@atelier/contract';
import { operationCheck, type Check, type CheckContext } from '../check.ts';
import { validRequest } from '../valid-requests.ts';

/** Every operation that needs a bearer token rejects a missing or invalid one. */
export const authenticationChecks: readonly Check[] = operations
  .filter(({ endpoint }) => endpoint.metadata.access.kind !== 'public')
  .flatMap((operation) => [
    refusal(operation, { rule: 'authentication.none', what: 'no token' }, () => ({})),
    refusal(operation, { rule: 'authentication.tampered', what: 'a tampered token' }, (context) =>
      bearer(tampered(context.fixtures.owner.token)),
    ),
    refusal(
      operation,
      { rule: 'authentication.alg-none', what: 'a token of alg none' },
      (context) => bearer(unsigned(context.fixtures.owner.id)),
    ),
    refusal(operation, { rule: 'authentication.wrong-type', what: 'a refresh token' }, (context) =>
      bearer(context.fixtures.owner.refreshToken),
    ),
    refusal(operation, { rule: 'authentication.scheme', what: 'another scheme' }, (context) => ({
      authorization: `Basic ${context.fixtures.owner.token}`,
    })),
  ]);

function refusal(
  operation: Operation,
  { rule, what }: { rule: string; what: string },
  headersOf: (context: CheckContext) => Record<string, string>,
): Check {
  return operationCheck(rule, operation.id, {
    title: `${operation.id} rejects ${what}`,
    run: async (context) => {
      const { token: _, ...request } = validRequest(operation, context.fixtures);
      const response = await context.probe.request(operation.id, {
        ...request,
        headers: headersOf(context),
      });
      context.probe.expectRefusal(rule, response, 'unauthenticated');
    },
  });
}

function bearer(token: string): Record<string, string> {
  return { authorization: `Bearer ${token}` };
}

/** Changes one character in the middle, where no padding or ignored bit can hide it. */
function tampered(token: string): string {
  const middle = Math.floor(token.length / 2);
  return `${token.slice(0, middle)}${token[middle] === 'A' ? 'B' : 'A'}${token.slice(middle + 1)}`;
}

function unsigned(userId: string): string {
  const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const now = Math.floor(Date.now() / 1000);
  const claims = { sub: userId, sid: userId, jti: userId, typ: 'access', iat: now, exp: now + 900 };
  return `${encode({ alg: 'none', typ: 'JWT' })}.${encode(claims)}.`;
}
