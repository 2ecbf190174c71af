import { operations, type Operation } from '@atelier/contract';
import { operationCheck, type Check, type Scene } from '../check.ts';
import { validRequest } from '../valid-requests.ts';

/** Every operation that needs a bearer token refuses whatever is none. */
export const authenticationChecks: readonly Check[] = operations
  .filter(({ endpoint }) => endpoint.metadata.access.kind !== 'public')
  .flatMap((operation) => [
    refusal(operation, { rule: 'authentication.none', what: 'no token' }, () => ({})),
    refusal(operation, { rule: 'authentication.tampered', what: 'a tampered token' }, (scene) =>
      bearer(tampered(scene.world.owner.token)),
    ),
    refusal(operation, { rule: 'authentication.alg-none', what: 'a token of alg none' }, (scene) =>
      bearer(unsigned(scene.world.owner.id)),
    ),
    refusal(operation, { rule: 'authentication.wrong-type', what: 'a refresh token' }, (scene) =>
      bearer(scene.world.owner.refreshToken),
    ),
    refusal(operation, { rule: 'authentication.scheme', what: 'another scheme' }, (scene) => ({
      authorization: `Basic ${scene.world.owner.token}`,
    })),
  ]);

function refusal(
  operation: Operation,
  { rule, what }: { rule: string; what: string },
  headersOf: (scene: Scene) => Record<string, string>,
): Check {
  return operationCheck(rule, operation.id, {
    title: `${operation.id} refuses ${what}`,
    run: async (scene) => {
      const { token: _, ...request } = validRequest(operation, scene.world);
      const answer = await scene.probe.call(operation.id, {
        ...request,
        headers: headersOf(scene),
      });
      scene.probe.expectRefusal(rule, answer, 'unauthenticated');
    },
  });
}

function bearer(token: string): Record<string, string> {
  return { authorization: `Bearer ${token}` };
}

/** One character of the middle is another: no padding or ignored bit can hide it. */
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
