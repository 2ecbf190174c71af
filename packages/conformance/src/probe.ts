import {
  ErrorBody,
  errorCatalogue,
  operationById,
  type EndpointOf,
  type ErrorCode,
  type OperationId,
} from '@atelier/contract';
import type { z } from 'zod';
import type { Coverage } from './coverage.ts';
import {
  requestFor,
  requestTo,
  send,
  Unreachable,
  type ReceivedResponse,
  type RequestOptions,
  type Deployment,
  type SentRequest,
} from './deployment.ts';
import { Abandoned, missingReason, NotRun, type Finding } from './findings.ts';
import { excerpt, violationsOf } from './response-rules.ts';
import { withoutSecrets } from './sent-secrets.ts';

/** The `data` of an operation's success, as the contract types it. */
export type DataOf<Id extends OperationId> =
  EndpointOf<Id> extends {
    metadata: { success: { data: infer Data } };
  }
    ? Data extends z.ZodType
      ? z.output<Data>
      : null
    : never;

/** What a check expects of a response. */
export interface Expectation {
  readonly rule: string;
  readonly response: ReceivedResponse;
  readonly holds: boolean;
  readonly expected: string;
  readonly actual?: string;
}

/** The values that fields of a response must have. */
export interface ExpectedFields {
  readonly rule: string;
  readonly response: ReceivedResponse;
  /** Such as the data of the response. */
  readonly actual: object;
  readonly expected: Readonly<Record<string, unknown>>;
}

export interface ProbeOptions {
  readonly deployment: Deployment;
  readonly coverage: Coverage;
  /** Skips an operation that responds with 501 instead of reporting it. */
  readonly allowMissing: boolean;
  /** The check that sends the requests; default: none. */
  readonly check?: string;
}

/** Longest total time that a check waits for rate limits. */
const maxWaitSeconds = 65;

/** Sends the requests of one check, applies the response rules to each response and collects findings. */
export class Probe {
  readonly findings: Finding[] = [];
  readonly deployment: Deployment;
  readonly #options: ProbeOptions;
  #waitedSeconds = 0;

  constructor(options: ProbeOptions) {
    this.deployment = options.deployment;
    this.#options = options;
  }

  /** Requests an operation of the contract. */
  async request(id: OperationId, options: RequestOptions = {}): Promise<ReceivedResponse> {
    return this.send(requestTo(id, options));
  }

  /** Sends a request that the contract does not describe. */
  async sendTo(
    path: string,
    options: RequestOptions & { method: string },
  ): Promise<ReceivedResponse> {
    return this.send(requestFor(path, options));
  }

  /**
   * Sends a request and applies the response rules. Waits and repeats it after a 429.
   *
   * @throws NotRun when a rate limit asks to wait too long, or the operation is missing and may be
   * @throws Abandoned when there is no response
   */
  async send(request: SentRequest): Promise<ReceivedResponse> {
    const response = await this.#responseTo(request);
    if (response.status === 501) this.#missing(response);
    if (request.operation !== null) {
      const { coverage, check = '' } = this.#options;
      coverage.note(request.operation, response.status, check);
    }
    for (const violation of violationsOf(response)) {
      this.findings.push({
        ...violation,
        operation: request.operation,
        request: describeRequest(request),
      });
    }
    if (response.status !== 429) return response;
    await this.#waitFor(response);
    return this.send(request);
  }

  /** Waits as long as a rate limit asks. */
  async #waitFor({ headers, request }: ReceivedResponse): Promise<void> {
    const header = headers.get('retry-after') ?? '';
    const seconds = /^\d{1,9}$/.test(header) ? Number(header) : Number.NaN;
    this.#waitedSeconds += seconds;
    if (!(this.#waitedSeconds <= maxWaitSeconds)) {
      throw new NotRun(
        `a rate limit asks to wait ${header || 'without saying how long'} (${describeRequest(request)})`,
      );
    }
    await new Promise((resolve) => setTimeout(resolve, Math.max(1, seconds) * 1000));
  }

  async #responseTo(request: SentRequest): Promise<ReceivedResponse> {
    try {
      return await send(this.deployment, request);
    } catch (error) {
      if (!(error instanceof Unreachable)) throw error;
      this.findings.push({
        rule: 'response.connection',
        operation: request.operation,
        request: describeRequest(request),
        expected: 'a response',
        actual: error.message,
      });
      throw new Abandoned('there was no response');
    }
  }

  #missing(response: ReceivedResponse): void {
    if (this.#options.allowMissing) throw new NotRun(missingReason);
    this.expect({
      rule: 'operation.available',
      response,
      holds: false,
      expected: 'the operation is implemented',
    });
    throw new Abandoned('the operation is missing');
  }

  /** Records a finding unless the expectation holds. @returns whether it holds */
  expect({ rule, response, holds, expected, actual }: Expectation): boolean {
    if (holds) return true;
    this.findings.push({
      rule,
      operation: response.request.operation,
      request: describeRequest(response.request),
      expected,
      actual: actual ?? `status ${response.status}: ${excerpt(response.text)}`,
    });
    return false;
  }

  /** Expects fields to have values. Names each one that differs, with both values. @returns whether all have them */
  expectFields({ rule, response, actual, expected }: ExpectedFields): boolean {
    const fields = actual as Readonly<Record<string, unknown>>;
    const differing = Object.keys(expected).filter(
      (name) => JSON.stringify(fields[name]) !== JSON.stringify(expected[name]),
    );
    const shown = (source: Readonly<Record<string, unknown>>) =>
      differing
        .map((name) => `${name} ${excerpt(JSON.stringify(source[name]) ?? 'none')}`)
        .join(', ');
    return this.expect({
      rule,
      response,
      holds: differing.length === 0,
      expected: shown(expected),
      actual: shown(fields),
    });
  }

  /** Expects one of these errors, with its status of the catalogue. */
  expectRefusal(rule: string, response: ReceivedResponse, ...codes: ErrorCode[]): boolean {
    const error = ErrorBody.safeParse(response.json);
    return this.expect({
      rule,
      response,
      holds: codes.some(
        (code) =>
          response.status === errorCatalogue[code].status &&
          error.success &&
          error.data.code === code,
      ),
      expected: codes.map((code) => `${errorCatalogue[code].status} ${code}`).join(' or '),
      ...(error.success && { actual: `${response.status} ${error.data.code}` }),
    });
  }

  /** Expects an error with the exact message of the catalogue. */
  expectFixedRefusal(rule: string, response: ReceivedResponse, code: ErrorCode): boolean {
    if (!this.expectRefusal(rule, response, code)) return false;
    const { message } = errorCatalogue[code];
    const error = ErrorBody.safeParse(response.json);
    return this.expect({
      rule,
      response,
      holds: error.data?.message === message,
      expected: `message ${JSON.stringify(message)}`,
      actual: `message ${JSON.stringify(error.data?.message)}`,
    });
  }

  /**
   * Requests an operation that must succeed.
   *
   * @returns its data
   * @throws Abandoned when it does not
   */
  async succeed<Id extends OperationId>(id: Id, options: RequestOptions = {}): Promise<DataOf<Id>> {
    return this.dataIn(id, await this.request(id, options));
  }

  /** Returns the data of a response that must be a success. @throws Abandoned when it is an error */
  dataIn<Id extends OperationId>(id: Id, response: ReceivedResponse): DataOf<Id> {
    const { success } = operationById(id).endpoint.metadata;
    this.require({
      rule: 'operation.succeeds',
      response,
      holds: response.status === success.status,
      expected: `status ${success.status}`,
    });
    const parsed = success.body?.safeParse(response.json);
    // The rules of every response have named the wrong field.
    if (parsed?.success === false) throw new Abandoned('the body is not as declared');
    // Parsed by the schema that DataOf names.
    return (parsed?.data as { data?: unknown } | undefined)?.data as DataOf<Id>;
  }

  /** Like {@link expect}, but ends the check. @throws Abandoned */
  require(expectation: Expectation): void {
    if (!this.expect(expectation)) throw new Abandoned(expectation.expected);
  }
}

/** Describes a request for a report, without its secrets. */
function describeRequest({ method, path, headers, body }: SentRequest): string {
  const shown = Object.entries(headers)
    .filter(([name]) => name !== 'content-type')
    .map(([name, value]) => (name === 'authorization' ? `${name}: …` : `${name}: ${value}`));
  const shownBody = withoutSecrets(body ?? '');
  return [
    `${method} ${excerpt(path)}`,
    ...(shown.length > 0 ? [`(${shown.join(', ')})`] : []),
    ...(shownBody === '' ? [] : [excerpt(shownBody)]),
  ].join(' ');
}
