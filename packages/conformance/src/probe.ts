import {
  ErrorBody,
  errorCatalogue,
  type EndpointOf,
  type ErrorCode,
  type OperationId,
} from '@atelier/contract';
import type { z } from 'zod';
import type { Coverage } from './coverage.ts';
import {
  operationOf,
  requestFor,
  requestTo,
  send,
  Unreachable,
  type Answer,
  type CallOptions,
  type Deployment,
  type SentRequest,
} from './deployment.ts';
import { Abandoned, NotRun, type Finding } from './findings.ts';
import { excerpt, violationsOf } from './standing.ts';

/** The `data` of an operation's success, as the contract types it. */
export type DataOf<Id extends OperationId> =
  EndpointOf<Id> extends {
    metadata: { success: { data: infer Data } };
  }
    ? Data extends z.ZodType
      ? z.output<Data>
      : null
    : never;

/** What a check expects of an answer. */
export interface Expectation {
  readonly rule: string;
  readonly answer: Answer;
  readonly holds: boolean;
  readonly expected: string;
  readonly actual?: string;
}

export interface ProbeOptions {
  readonly deployment: Deployment;
  readonly coverage: Coverage;
  /** An operation that answers 501 is left out instead of being a finding. */
  readonly allowMissing: boolean;
}

/** Longest time that limits may make a check wait before it gives up. */
const patienceSeconds = 65;

/** The eyes and hands of one check: whatever it sends is looked at by the rules of every answer. */
export class Probe {
  readonly findings: Finding[] = [];
  readonly deployment: Deployment;
  readonly #options: ProbeOptions;
  #waitedSeconds = 0;

  constructor(options: ProbeOptions) {
    this.deployment = options.deployment;
    this.#options = options;
  }

  /** Calls an operation of the contract. */
  async call(id: OperationId, options: CallOptions = {}): Promise<Answer> {
    return this.send(requestTo(id, options));
  }

  /** Sends what the contract does not foresee. */
  async sendTo(path: string, options: CallOptions & { method: string }): Promise<Answer> {
    return this.send(requestFor(path, options));
  }

  /**
   * Sends a request and applies the rules of every answer.
   *
   * @throws NotRun when a limit asks for too much patience, or the operation is not there and may be missing
   * @throws Abandoned when there is no answer
   */
  async send(request: SentRequest): Promise<Answer> {
    const answer = await this.#answerTo(request);
    if (answer.status === 501) this.#missing(answer);
    if (request.operation !== null) this.#options.coverage.note(request.operation, answer.status);
    for (const violation of violationsOf(answer)) {
      this.findings.push({ ...violation, operation: request.operation, request: told(request) });
    }
    if (answer.status !== 429) return answer;
    await this.#waitFor(answer);
    return this.send(request);
  }

  /** As long as a rate limit asks. */
  async #waitFor({ headers, request }: Answer): Promise<void> {
    const header = headers.get('retry-after') ?? '';
    const seconds = /^\d{1,9}$/.test(header) ? Number(header) : Number.NaN;
    this.#waitedSeconds += seconds;
    if (!(this.#waitedSeconds <= patienceSeconds)) {
      throw new NotRun(`a rate limit asks to wait ${header || 'for ever'} (${told(request)})`);
    }
    await new Promise((resolve) => setTimeout(resolve, Math.max(1, seconds) * 1000));
  }

  async #answerTo(request: SentRequest): Promise<Answer> {
    try {
      return await send(this.deployment, request);
    } catch (error) {
      if (!(error instanceof Unreachable)) throw error;
      this.findings.push({
        rule: 'answer.connection',
        operation: request.operation,
        request: told(request),
        expected: 'an answer',
        actual: error.message,
      });
      throw new Abandoned('there was no answer');
    }
  }

  #missing(answer: Answer): void {
    if (this.#options.allowMissing) throw new NotRun('the operation answers 501');
    this.expect({
      rule: 'operation.available',
      answer,
      holds: false,
      expected: 'an operation of the contract is there',
    });
    throw new Abandoned('the operation is missing');
  }

  /** Records a finding unless what is expected holds. @returns whether it does */
  expect({ rule, answer, holds, expected, actual }: Expectation): boolean {
    if (holds) return true;
    this.findings.push({
      rule,
      operation: answer.request.operation,
      request: told(answer.request),
      expected,
      actual: actual ?? `status ${answer.status}: ${excerpt(answer.text)}`,
    });
    return false;
  }

  /** Expects one of these errors, with the status that the catalogue gives it. */
  expectRefusal(rule: string, answer: Answer, ...codes: ErrorCode[]): boolean {
    const error = ErrorBody.safeParse(answer.json);
    return this.expect({
      rule,
      answer,
      holds: codes.some(
        (code) =>
          answer.status === errorCatalogue[code].status &&
          error.success &&
          error.data.code === code,
      ),
      expected: codes.map((code) => `${errorCatalogue[code].status} ${code}`).join(' or '),
    });
  }

  /** Expects an error with the text that the specification fixes. */
  expectFixedRefusal(rule: string, answer: Answer, code: ErrorCode): boolean {
    if (!this.expectRefusal(rule, answer, code)) return false;
    const { message } = errorCatalogue[code];
    const error = ErrorBody.safeParse(answer.json);
    return this.expect({
      rule,
      answer,
      holds: error.data?.message === message,
      expected: `message ${JSON.stringify(message)}`,
    });
  }

  /**
   * Calls an operation that must succeed.
   *
   * @returns its data
   * @throws Abandoned when it does not
   */
  async succeed<Id extends OperationId>(id: Id, options: CallOptions = {}): Promise<DataOf<Id>> {
    return this.dataIn(id, await this.call(id, options));
  }

  /** The data of an answer that must be a success. @throws Abandoned when it is none */
  dataIn<Id extends OperationId>(id: Id, answer: Answer): DataOf<Id> {
    const { success } = operationOf(id).endpoint.metadata;
    const parsed = success.body?.safeParse(answer.json);
    this.require({
      rule: 'operation.succeeds',
      answer,
      holds: answer.status === success.status && (parsed?.success ?? true),
      expected: `status ${success.status}`,
    });
    // Parsed by the very schema that DataOf names.
    return (parsed?.data as { data?: unknown } | undefined)?.data as DataOf<Id>;
  }

  /** As {@link expect}, for what the rest of the check builds on. @throws Abandoned */
  require(expectation: Expectation): void {
    if (!this.expect(expectation)) throw new Abandoned(expectation.expected);
  }
}

/** A request as a report tells it. */
function told({ method, path, headers, body }: SentRequest): string {
  const shown = Object.entries(headers)
    .filter(([name]) => name !== 'content-type')
    .map(([name, value]) => (name === 'authorization' ? `${name}: …` : `${name}: ${value}`));
  const withoutSecrets = (body ?? '').replaceAll(
    /"(password|refreshToken|token|code)":"[^"]*"/g,
    '"$1":"…"',
  );
  return [
    `${method} ${excerpt(path)}`,
    ...(shown.length > 0 ? [`(${shown.join(', ')})`] : []),
    ...(withoutSecrets === '' ? [] : [excerpt(withoutSecrets)]),
  ].join(' ');
}
