import { operationById, type Role } from '@atelier/contract';
import type { FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import { KnownCaller } from '../kernel/known-caller.ts';
import type { SessionQueries } from './queries/callers.ts';
import { operationIdOf } from './requests.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Null for a caller who was looked up for this request. */
    known: KnownCaller | null;
  }
}

/** What is read of a caller; `versions` is null if it may become another without a change of its rows. */
interface CallerRow {
  readonly role: Role | null;
  readonly versions: string | null;
}

/** Callers of each kind; a row takes a kilobyte. */
const maxCallers = 5_000;

/**
 * Looks up the callers of requests in an organization, and remembers them. A mutation that is declared takes one whom it
 * knows as they were: its transaction proves that they still are, so that it needs no look-up.
 *
 * @see docs/decisions/0116-known-callers.md
 */
export function createKnownCallers(sessions: SessionQueries) {
  const declared = new Set<string | null>();

  function remembered<Key, Row extends CallerRow>(
    lookUp: (key: Key) => Promise<Row | null>,
    nameOf: (key: Key) => string | null,
  ) {
    const rows = new LRUCache<string, Row & { readonly versions: string }>({ max: maxCallers });
    return async (request: FastifyRequest, key: Key): Promise<Row | null> => {
      const name = nameOf(key);
      if (name === null) return lookUp(key);
      // A request that is identified once more is looked up.
      const isFirst = request.identity === null;
      const known = isFirst && declared.has(operationIdOf(request)) ? rows.get(name) : undefined;
      request.known = known ? new KnownCaller(known.versions) : null;
      if (known) return known;
      const row = await lookUp(key);
      if (row?.role && isVersioned(row)) rows.set(name, row);
      else rows.delete(name);
      return row;
    };
  }

  return {
    /** Declares a mutation whose handler asks and does nothing before its transaction. */
    declare(operation: string): void {
      const { method, metadata } = operationById(operation).endpoint;
      if (method === 'GET' || metadata.access.kind !== 'member' || metadata.confirmation) {
        throw new Error(
          `${operation} is not a mutation for members without confirmation, so it can't know its caller`,
        );
      }
      declared.add(operation);
    },

    bySession: remembered(
      sessions.findOpenInOrganization,
      ({ sessionId, userId, organizationId }) => `${sessionId} ${userId} ${organizationId}`,
    ),

    byKey: remembered(
      sessions.findByKeyInOrganization,
      // Which one a key selects for a request that names none can change without its row.
      ({ keyHash, organizationId }) =>
        organizationId === null ? null : `${keyHash.toString('base64')} ${organizationId}`,
    ),
  };
}

export type KnownCallers = ReturnType<typeof createKnownCallers>;

function isVersioned<Row extends CallerRow>(row: Row): row is Row & { readonly versions: string } {
  return row.versions !== null;
}
