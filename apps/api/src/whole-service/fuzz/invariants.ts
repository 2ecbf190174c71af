import { ErrorBody, errorCatalogue } from '@atelier/contract';
import type { WireResponse } from './wire.ts';

/** Text that no error may contain: statements, stacks, paths, names of components. */
const leaks =
  /node_modules|node:internal|\bat \S+ \(|\.[tj]s:\d+|\/(?:home|root|work|usr|tmp)\/|\b(?:select|insert into|update|delete from|returning) \\?"\w|SQLSTATE|postgres|drizzle|zod|FST_ERR|ECONN|graphile|Cannot read prop|is not a function|is not iterable/i;

/**
 * Checks a response for violations of invariants that hold for any request.
 *
 * @returns each violated invariant in a few words; empty if all hold
 */
export function brokenInvariants(
  { method }: { method: string },
  { status, headers, text, failure }: WireResponse,
): string[] {
  if (failure !== null) return [`no response: ${failure}`];
  const broken: string[] = [];
  const requestId = headers['x-request-id'];
  if (status >= 500) broken.push(`status ${status}`);
  if (typeof requestId !== 'string' || !/^[A-Za-z0-9._-]{1,128}$/.test(requestId)) {
    broken.push('no sane x-request-id');
  }
  if ('x-injected' in headers) broken.push('a header was injected');
  if (headers['x-content-type-options'] !== 'nosniff') broken.push('no nosniff');
  // A success contains user data, which may mention any of this.
  if (status >= 400 && leaks.test(text)) {
    broken.push(`leaks ${JSON.stringify(leaks.exec(text)?.[0])}`);
  }
  if (status >= 400 && method !== 'HEAD') broken.push(...brokenErrorShape(status, text, requestId));
  if (status < 300 && headers['content-type']?.startsWith('application/json') && text !== '') {
    if (!isJson(text)) broken.push('a success that is no JSON');
  }
  return broken;
}

function brokenErrorShape(status: number, text: string, requestId: unknown): string[] {
  if (!isJson(text)) return [`an error of status ${status} that is no JSON`];
  const body = ErrorBody.strict().safeParse(JSON.parse(text));
  if (!body.success) return [`an error of status ${status} in another shape`];
  const broken: string[] = [];
  if (errorCatalogue[body.data.code].status !== status) {
    broken.push(`${body.data.code} with status ${status}`);
  }
  if (body.data.requestId !== requestId) broken.push('two request ids in one response');
  return broken;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
