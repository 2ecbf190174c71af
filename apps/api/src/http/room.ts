import {
  contract,
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
import type { NotImplemented } from '../not-implemented.ts';
import { contextOf } from './organization.ts';
import { lazySerializer } from './serializer.ts';
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
  readonly [Key in Extract<
    keyof Contract[Name],
    string
  > as `${Name}.${Key}` extends NotImplemented ? never : Key]: Contract[Name][Key] extends AnyEndpoint
    ? Handler<Contract[Name][Key]>
    : never;
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
      implement(metadata, (handlers as Record<string, UntypedHandler>)[key] ?? notImplemented),
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

function implement({ access, success }: EndpointMetadata, handler: UntypedHandler) {
  const serialize = success.body ? lazySerializer(success.body) : null;

  return async ({ params, query, body, request, reply }: any) => {
    const ctx = contextOf(request, access, request.identity);
    const answer = await request.server.rateLimits.countOutcome({ request, reply, body }, () =>
      handler({ params, query, body, ctx }),
    );
    if (serialize) reply.type('application/json; charset=utf-8').serializer(serialize);
    else sendTo(reply, answer);
    return { status: success.status, body: envelope(success, answer) };
  };
}

function sendTo(reply: FastifyReply, { location, headers = {} }: Redirect): void {
  reply.headers({ ...headers, location });
}

function envelope({ message, data }: Success, answer: unknown): unknown {
  if (message === null) return { data: answer };
  return data === null ? { message } : { message, data: answer };
}
