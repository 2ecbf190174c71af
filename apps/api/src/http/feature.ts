import type { Readable } from 'node:stream';
import {
  contract,
  operations,
  type Access,
  type Contract,
  type Endpoint,
  type EndpointMetadata,
  type Success,
} from '@atelier/contract';
import { ContractNoBody } from '@ts-rest/core';
import { initServer, type RequestValidationError } from '@ts-rest/fastify';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { withinOrganization, withinReach, type Scopes } from '../db/scopes.ts';
import type { ContextOf, ReaderContext } from '../kernel/context.ts';
import { Failure } from '../kernel/errors.ts';
import { eTagOf, isNamedBy } from '../kernel/etag.ts';
import { CallerChanged } from '../kernel/known-caller.ts';
import { serializedOnce } from '../kernel/sent-often.ts';
import { lazySerializer } from '../kernel/serializer.ts';
import { noteKeyUse } from './api-key-uses.ts';
import { headersSchemaOf } from './declared-headers.ts';
import type { SerializedResponse } from './idempotency/claimed-keys.ts';
import { respondOnce } from './idempotency/once.ts';
import type { MemberRead } from './early-reads.ts';
import { contextOf } from './context.ts';
import { visibleOrganizations } from './visible-organizations.ts';
import { validationFailure } from './validation.ts';

/** The name of a contract group. */
export type GroupName = Extract<keyof Contract, string>;

interface AnyEndpoint {
  readonly metadata: { readonly access: Access; readonly success: Success };
}

type Parsed<Schema> = Schema extends z.ZodType ? z.output<Schema> : undefined;

/** The target of a redirect, and its headers. */
export interface Redirect {
  readonly location: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The input of a handler: parsed request data, and its context. */
interface Call<Endpoint extends AnyEndpoint, Context> {
  readonly params: Endpoint extends { pathParams: infer Schema } ? Parsed<Schema> : undefined;
  readonly query: Endpoint extends { query: infer Schema } ? Parsed<Schema> : undefined;
  readonly body: Endpoint extends { body: infer Schema } ? Parsed<Schema> : undefined;
  readonly ctx: Context;
}

/**
 * The result of a handler: the `data` of the declared success, or the bytes of a declared stream. The contract
 * defines status and message.
 */
export type HandlerResult<Declared extends Success> = Declared extends { isStream: true }
  ? Readable
  : Declared['data'] extends z.ZodType
    ? z.input<Declared['data']>
    : Declared['status'] extends 302
      ? Redirect
      : void;

type Handler<Endpoint extends AnyEndpoint, Context> = (
  call: Call<Endpoint, Context>,
) => Promise<HandlerResult<Endpoint['metadata']['success']>>;

type KeyOf<Name extends GroupName> = Extract<keyof Contract[Name], string>;

/** One handler for each operation of the group, with the context that the declared access guarantees. */
export type Handlers<Name extends GroupName, Early extends KeyOf<Name> = never> = {
  readonly [Key in KeyOf<Name>]: Contract[Name][Key] extends AnyEndpoint
    ? Handler<
        Contract[Name][Key],
        Key extends Early ? ReaderContext : ContextOf<Contract[Name][Key]['metadata']['access']>
      >
    : never;
};

// `Handlers` checks the types of each operation; past this line they are all the same.
/* eslint-disable typescript/no-explicit-any */
type UntypedHandler = (call: any) => Promise<any>;

/** Only this file knows the ts-rest adapter. */
const server = initServer();

/** A contract group with its implementation, for {@link registerFeatures}. */
export interface Feature {
  readonly group: GroupName;
  /** Of ts-rest, by operation. */
  readonly implementations: Readonly<Record<string, unknown>>;
  readonly early: readonly string[];
  readonly atomic: readonly string[];
  readonly stop: () => Promise<void>;
}

interface FeatureOptions<Early, Atomic> {
  readonly early?: readonly Early[];
  readonly atomic?: readonly Atomic[];
  readonly stop?: () => Promise<void>;
}

/**
 * Builds a feature from a contract group.
 *
 * @param early - names of operations that read for members, and start together with the look-up of a caller who was allowed
 *   the same read before; see `createEarlyReads`
 * @param atomic - names of mutations that ask and do nothing outside of their transaction, so that it may prove a caller who
 *   is not looked up, and claim their idempotency key; see `createKnownCallers` and `IdempotencyKeys`
 * @param stop - called when the service stops, while its last requests are still served
 */
export function feature<Name extends GroupName, const Early extends KeyOf<Name> = never>(
  name: Name,
  handlers: Handlers<Name, Early>,
  {
    early = [],
    atomic = [],
    stop = async () => {},
  }: FeatureOptions<Early, Exclude<KeyOf<Name>, Early>> = {},
): Feature {
  const group: Contract[GroupName] = contract[name];
  const atomicKeys = new Set<string>(atomic);
  const implementations = Object.fromEntries(
    Object.entries(group).map(([key, { metadata }]: [string, Endpoint]) => {
      const handler = (handlers as Record<string, UntypedHandler>)[key];
      if (!handler) throw new Error(`${name}.${key} has no handler`);
      const implementation = metadata.success.isStream
        ? implementStream(metadata, handler)
        : implement(`${name}.${key}`, { metadata, isAtomic: atomicKeys.has(key) }, handler);
      return [key, implementation];
    }),
  );
  return { group: name, implementations, early, atomic, stop };
}

/**
 * Registers the operations of all features, in one scope of the framework. Each scope has its own classes of requests and
 * replies, and the engine looks up every field of them in a table once it has met more than four.
 */
export async function registerFeatures(
  app: FastifyInstance,
  features: readonly Feature[],
): Promise<void> {
  for (const { group, early, atomic } of features) {
    for (const key of early) app.earlyReads.declare(`${group}.${key}`);
    for (const key of atomic) app.knownCallers.declare(`${group}.${key}`);
  }
  app.addHook('preClose', async () => {
    await Promise.all(features.map(({ stop }) => stop()));
  });
  const routers = features.map(({ group }) => [group, routerOf(contract[group])]);
  const implementations = features.map((one) => [one.group, one.implementations]);
  const routes = server.router(Object.fromEntries(routers), Object.fromEntries(implementations));
  await app.register(server.plugin(routes), {
    logInitialization: false,
    requestValidationErrorHandler: (error: RequestValidationError, request: FastifyRequest) => {
      throw validationFailure(error, request);
    },
  });
}

/** Names what has no body by ts-rest's symbol for it; without, ts-rest would send `null` as JSON. */
function routerOf(group: Contract[GroupName]): object {
  return Object.fromEntries(
    Object.entries(group).map(([key, endpoint]: [string, Endpoint]) => {
      const responses = Object.entries(endpoint.responses).map(
        ([status, schema]) => [status, schema ?? ContractNoBody] as const,
      );
      const body = endpoint.body ?? ContractNoBody;
      const headers = headersSchemaOf(endpoint.headers);
      return [key, { ...endpoint, headers, body, responses: Object.fromEntries(responses) }];
    }),
  );
}

function implement(
  operation: string,
  { metadata, isAtomic }: { metadata: EndpointMetadata; isAtomic: boolean },
  handler: UntypedHandler,
) {
  const { access, idempotent } = metadata;
  const finish = finisherOf(metadata.success);

  async function respond({ params, query, body, request, reply }: any) {
    const ctx = contextOf(request, access, request.identity);
    const limited = { request, reply, body };
    // Inside the idempotency wrapper: a replay doesn't count, and a `rate_limited` refusal is not stored.
    const handle = (context: unknown) =>
      request.server.rateLimits.countOutcome(limited, async () => {
        const input = { params, query, body, ctx: context };
        const { scopes, earlyReads } = request.server;
        const data = await (request.earlyRead === null
          ? withinReach(scopes, visibleOrganizations(operation, ctx), () => handler(input))
          : earlyReads.finish(request.earlyRead, memberRead(handler, input, scopes)));
        // Operations that change data without `mutate` are checked too.
        ctx.targets.assertAllChecked();
        ctx.known?.assertProven();
        return data;
      });
    const parsed = [params, query, body];
    const call = { operation, metadata, request, ctx, input: parsed, isAtomic, finish };
    return idempotent
      ? respondOnce(request.server.idempotencyKeys, call, handle)
      : finish(await handle(ctx));
  }

  return async (input: any) => {
    const { request, reply } = input;
    const response = await request.server.runningHandlers.run(() =>
      withProof(request, reply, () => respond(input)),
    );
    return sent(reply, metadata.etag ? unlessKnown(request, response) : response);
  };
}

/** Responds to a known caller only with what a transaction has proven, and else once more after a look-up. */
async function withProof(
  request: FastifyRequest,
  reply: FastifyReply,
  respond: () => Promise<SerializedResponse>,
): Promise<SerializedResponse> {
  const { known } = request;
  if (known === null) return respond();
  try {
    const response = await respond();
    // A replay for an idempotency key proves nothing.
    if (known.isProven) return response;
  } catch (error) {
    if (known.isProven || !isRefusal(error)) throw error;
  } finally {
    if (known.isProven) noteKeyUse(request);
  }
  await request.server.identifyAnew(request, reply);
  return respond();
}

/** A fault of the service is none: a change that has waited too long for its turn would wait once more. */
function isRefusal(error: unknown): boolean {
  return error instanceof CallerChanged || (error instanceof Failure && error.status < 500);
}

/** Returns the read of a handler without what only this request has. */
function memberRead(
  handler: UntypedHandler,
  { params, query, ctx }: any,
  scopes: Scopes | null,
): MemberRead {
  const { id } = ctx.organization;
  const reader = { organization: { id }, user: { id: ctx.user.id } };
  const input = { params, query, ctx: reader };
  return { ctx: reader, run: async () => withinOrganization(scopes, id, () => handler(input)) };
}

/** Sends a stream: no idempotency, no stored response, no envelope. */
function implementStream({ access }: EndpointMetadata, open: UntypedHandler) {
  return async ({ params, query, body, request, reply }: any) => {
    const ctx = contextOf(request, access, request.identity);
    reply.headers({
      // Close the connection with the stream: a kept-alive connection would delay shutdown.
      connection: 'close',
      // Proxies that buffer responses would wait forever.
      'x-accel-buffering': 'no',
    });
    const isHead = request.method === 'HEAD';
    return { status: 200, body: isHead ? '' : await open({ params, query, body, ctx }) };
  };
}

/**
 * Resources that are read with an ETag, or changed with `If-Match` where no operation reads a single one;
 * every response with such a resource carries its ETag.
 */
const tagged: ReadonlySet<unknown> = new Set(
  operations
    .filter(
      ({ endpoint: { metadata, method } }) =>
        metadata.etag || (metadata.ifMatch && method !== 'DELETE'),
    )
    .map(({ endpoint }) => endpoint.metadata.success.data),
);

/** Serializes the response of an operation. */
function finisherOf(success: Success): (data: any) => SerializedResponse {
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
  return (data) => ({
    status,
    headers: headersOf(data),
    body: serializedOnce(data, () => serialize(envelope(success, data))),
  });
}

/** Responds 304 if `If-None-Match` names the current state. */
function unlessKnown(request: FastifyRequest, response: SerializedResponse): SerializedResponse {
  const known = request.headers['if-none-match'];
  const { etag } = response.headers;
  if (known === undefined || etag === undefined || !isNamedBy(known, etag)) return response;
  return { status: 304, headers: { etag }, body: null };
}

function sent(reply: FastifyReply, { status, headers, body }: SerializedResponse) {
  reply.headers(headers);
  if (body !== null) reply.type('application/json; charset=utf-8');
  return { status, body };
}

function envelope({ message, data }: Success, response: unknown): unknown {
  if (message === null) return { data: response };
  return data === null ? { message } : { message, data: response };
}
