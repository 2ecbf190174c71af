import {
  contract,
  operations,
  type Access,
  type Contract,
  type EndpointMetadata,
  type Success,
} from '@atelier/contract';
import { initServer, type RequestValidationError } from '@ts-rest/fastify';
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import type { ContextOf } from '../kernel/context.ts';
import { Failure } from '../kernel/errors.ts';
import { eTagOf, isNamedBy } from '../kernel/etag.ts';
import { lazySerializer } from '../kernel/serializer.ts';
import type { NotImplemented } from '../not-implemented.ts';
import type { FinishedAnswer } from './idempotency/keys.ts';
import { answerOnce } from './idempotency/once.ts';
import { contextOf } from './organization.ts';
import { validationFailure } from './validation.ts';

type GroupName = Extract<keyof Contract, string>;

interface AnyEndpoint {
  readonly metadata: { readonly access: Access; readonly success: Success };
}

type Parsed<Schema> = Schema extends z.ZodType ? z.output<Schema> : undefined;

/** Where a redirect leads, and headers that go with it. */
export interface Redirect {
  readonly location: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** What a handler gets: parsed input, and the context that the declared access proves. */
export interface Call<Endpoint extends AnyEndpoint> {
  readonly params: Endpoint extends { pathParams: infer Schema } ? Parsed<Schema> : undefined;
  readonly query: Endpoint extends { query: infer Schema } ? Parsed<Schema> : undefined;
  readonly body: Endpoint extends { body: infer Schema } ? Parsed<Schema> : undefined;
  readonly ctx: ContextOf<Endpoint['metadata']['access']>;
}

/** What a handler answers: the `data` of the declared success. Status and message are the contract's. */
export type Answer<Declared extends Success> = Declared['data'] extends z.ZodType
  ? z.input<Declared['data']>
  : Declared['status'] extends 302
    ? Redirect
    : void;

export type Handler<Endpoint extends AnyEndpoint> = (
  call: Call<Endpoint>,
) => Promise<Answer<Endpoint['metadata']['success']>>;

/** A handler for every operation of the group that is built. */
export type Handlers<Name extends GroupName> = {
  readonly [
    Key in Extract<keyof Contract[Name], string> as `${Name}.${Key}` extends NotImplemented
      ? never
      : Key
  ]: Contract[Name][Key] extends AnyEndpoint ? Handler<Contract[Name][Key]> : never;
};

// The types of a single operation are proven by `Handlers`; past this line they are all the same.
/* eslint-disable typescript/no-explicit-any */
type UntypedHandler = (call: any) => Promise<any>;

const server = initServer();

/**
 * One group of the contract as a Fastify plugin. The only place that knows the ts-rest adapter.
 *
 * An operation without a handler answers 501, after the same checks as any other.
 */
export function room<Name extends GroupName>(
  name: Name,
  handlers: Handlers<Name>,
): FastifyPluginAsync {
  const group = contract[name] as Record<string, { metadata: EndpointMetadata }>;
  const implementations = Object.fromEntries(
    Object.entries(group).map(([key, { metadata }]) => [
      key,
      implement(
        `${name}.${key}`,
        metadata,
        (handlers as Record<string, UntypedHandler>)[key] ?? notImplemented,
      ),
    ]),
  );
  return async (app) => {
    await app.register(server.plugin(server.router(group as any, implementations as any)), {
      logInitialization: false,
      requestValidationErrorHandler: (error: RequestValidationError, request: FastifyRequest) => {
        throw validationFailure(error, request);
      },
    });
  };
}

const notImplemented: UntypedHandler = async () => {
  throw new Failure('not_implemented');
};

function implement(operation: string, metadata: EndpointMetadata, handler: UntypedHandler) {
  const { access, idempotent } = metadata;
  const finish = finisherOf(metadata.success);

  return async ({ params, query, body, request, reply }: any) => {
    const ctx = contextOf(request, access, request.identity);
    const limited = { request, reply, body };
    // Within what answers once: a replay is free, and a refusal for too many calls is not kept.
    const handle = (context: unknown) =>
      request.server.rateLimits.countOutcome(limited, () =>
        handler({ params, query, body, ctx: context }),
      );
    const call = { operation, metadata, request, ctx, input: [params, query, body], finish };
    const answer = idempotent
      ? await answerOnce(request.server.idempotencyKeys, call, handle)
      : finish(await handle(ctx));
    return sent(reply, metadata.etag ? unlessKnown(request, answer) : answer);
  };
}

/**
 * Resources that are read with an ETag, or changed under one where no operation reads a single one;
 * whatever answers with one of them tells its ETag.
 */
const tagged: ReadonlySet<unknown> = new Set(
  operations
    .filter(
      ({ endpoint: { metadata, method } }) =>
        metadata.etag || (metadata.ifMatch && method !== 'DELETE'),
    )
    .map(({ endpoint }) => endpoint.metadata.success.data),
);

/** Makes the answer of an operation down to its bytes. */
function finisherOf(success: Success): (data: any) => FinishedAnswer {
  const { status, data: schema } = success;
  if (!success.body) {
    return ({ location, headers = {} }: Redirect) => ({
      status,
      headers: { ...headers, location },
      body: null,
    });
  }
  const serialize = lazySerializer(success.body);
  const headersOf = (data: any): Record<string, string> =>
    schema && tagged.has(schema) ? { etag: eTagOf(schema, data) } : {};
  return (data) => ({ status, headers: headersOf(data), body: serialize(envelope(success, data)) });
}

/** 304 where the caller names the state it has. */
function unlessKnown(request: FastifyRequest, answer: FinishedAnswer): FinishedAnswer {
  const known = request.headers['if-none-match'];
  const { etag } = answer.headers;
  if (known === undefined || etag === undefined || !isNamedBy(known, etag)) return answer;
  return { status: 304, headers: { etag }, body: null };
}

function sent(reply: FastifyReply, { status, headers, body }: FinishedAnswer) {
  reply.headers(headers);
  if (body !== null) reply.type('application/json; charset=utf-8');
  return { status, body };
}

function envelope({ message, data }: Success, answer: unknown): unknown {
  if (message === null) return { data: answer };
  return data === null ? { message } : { message, data: answer };
}
