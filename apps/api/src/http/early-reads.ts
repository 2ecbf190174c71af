import { operationById } from '@atelier/contract';
import type { FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import type { ReaderContext } from '../kernel/context.ts';
import { operationIdOf } from './requests.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Null for operations that aren't declared as early reads. */
    earlyRead: EarlyRead | null;
  }
}

/** A read with all that it needs of its request, so that a later request can start with it. */
export interface MemberRead {
  readonly ctx: ReaderContext;
  readonly run: () => Promise<unknown>;
}

interface EarlyRead {
  /** Credential, organization and URL of the request. */
  readonly key: string;
  /** Null if no request with this key was allowed lately. */
  readonly started: { readonly ctx: ReaderContext; readonly result: Promise<unknown> } | null;
}

/** Memory of the reads that callers are allowed: estimates of an entry without its key, and of each letter of the key. */
const sizes = { maxBytes: 4 * 1024 ** 2, entryBytes: 1_000, letterBytes: 8 };

/**
 * Starts reads together with the look-up of their caller, so that the response takes one round trip to the database less:
 * reads that the same credential was allowed before. Whether it still is, that look-up decides as for any other request. The
 * result for a caller who is refused is discarded.
 *
 * @see docs/decisions/0115-early-reads.md
 */
export function createEarlyReads() {
  const declared = new Set<string | null>();
  const allowed = new LRUCache<string, MemberRead>({
    maxSize: sizes.maxBytes,
    sizeCalculation: (_, key) => sizes.entryBytes + sizes.letterBytes * key.length,
  });

  return {
    /** Declares an operation whose handler needs no more than a `ReaderContext`. */
    declare(operation: string): void {
      const { method, metadata } = operationById(operation).endpoint;
      if (method !== 'GET' || metadata.access.kind !== 'member') {
        throw new Error(`${operation} is not a read for members, so it can't start early`);
      }
      declared.add(operation);
    },

    /** @param credential - names that of the request, which may not be valid any more */
    start(request: FastifyRequest, credential: string): void {
      if (request.earlyRead !== null || !declared.has(operationIdOf(request))) return;
      const organizationId = request.headers['x-organization-id'] ?? '';
      const key = `${credential} ${String(organizationId)} ${request.url}`;
      const read = allowed.get(key);
      // An allowed request puts it back: for a caller who is refused or limited, the service reads once in vain.
      allowed.delete(key);
      request.earlyRead = { key, started: read ? startedRead(read) : null };
    },

    /** Returns the result of the read that the request has started, or else of this one. */
    finish({ key, started }: EarlyRead, read: MemberRead): Promise<unknown> {
      allowed.set(key, read);
      // An API key selects the organization of a request that names none, and may select another one by now.
      return started && isSameReader(started.ctx, read.ctx) ? started.result : read.run();
    },
  };
}

export type EarlyReads = ReturnType<typeof createEarlyReads>;

function startedRead({ ctx, run }: MemberRead) {
  const result = run();
  // A request that is refused doesn't await it.
  result.catch(() => undefined);
  return { ctx, result };
}

function isSameReader(one: ReaderContext, other: ReaderContext): boolean {
  return one.organization.id === other.organization.id && one.user.id === other.user.id;
}
