import { errorCatalogue, type ErrorCode } from '@atelier/contract';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Deps } from '../deps.ts';
import { createLogHashes } from '../kernel/log-hashes.ts';
import {
  grantingPermissions,
  type NoteSecurityEvent,
  type SecurityEvent,
} from '../kernel/security-events.ts';
import { callerAddress } from './caller-address.ts';
import { accessOf, operationIdOf } from './requests.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The error code of the refusal; null if the request was not refused. */
    refusedWith: ErrorCode | null;
  }
  interface FastifyInstance {
    readonly securityEvents: SecurityEvents;
  }
}

interface SecurityEvents {
  /** Records events that happen in a request. */
  notedFor(request: FastifyRequest): NoteSecurityEvent;
  /**
   * Records the security event that a refusal implies.
   *
   * @returns fields for the request's log line
   */
  noteRefusal(request: FastifyRequest): Readonly<Record<string, string | undefined>>;
}

/** Decorates the app with `app.securityEvents`. */
export function addSecurityEvents(
  app: FastifyInstance,
  { keys, telemetry }: Pick<Deps, 'keys' | 'telemetry'>,
): void {
  // Node keeps what it has read once, and can't read it after the client has disconnected.
  app.server.on('connection', (socket) => void socket.remoteAddress);
  const hashes = createLogHashes(keys.logHashes.current.key);
  app.decorateRequest('refusedWith', null);

  const notedFor =
    (request: FastifyRequest): NoteSecurityEvent =>
    (event, { account, code }) => {
      telemetry?.countSecurityEvent(event);
      const line = {
        event,
        code: code ?? request.refusedWith ?? undefined,
        operation: operationIdOf(request) ?? undefined,
        addressHash: hashes.address(callerAddress(request)),
        accountHash: account === null ? undefined : hashes.account(account),
      };
      // A replay is theft or a client defect; the others happen in normal use.
      if (event === 'token_replay') request.log.warn(line, 'security event');
      else request.log.info(line, 'security event');
    };

  app.decorate('securityEvents', {
    notedFor,
    noteRefusal(request) {
      const event = eventOf(request);
      if (event) notedFor(request)(event, { account: accountOf(request) });
      return {
        code: request.refusedWith ?? undefined,
        operation: operationIdOf(request) ?? undefined,
        addressHash: hashes.address(callerAddress(request)),
      };
    },
  });
}

const loginFailures: ReadonlySet<ErrorCode> = new Set([
  'invalid_credentials',
  'second_factor_invalid',
  'passkey_invalid',
  'account_pending',
  'account_suspended',
  'account_deletion_pending',
  'invalid_or_expired_code',
]);

function eventOf(request: FastifyRequest): SecurityEvent | null {
  const { refusedWith: code } = request;
  if (code === null) return null;
  if (loginFailures.has(code)) return 'login_failed';
  const { status } = errorCatalogue[code];
  if (status === 429) return 'rate_limited';
  if (status !== 403) return null;
  return isGrant(request, code) ? 'grant_refused' : 'access_refused';
}

function isGrant(request: FastifyRequest, code: ErrorCode): boolean {
  const access = accessOf(request);
  if (access?.kind === 'member' && grantingPermissions.has(access.permission)) return true;
  // Accepting an invitation grants its role.
  return code === 'invitation_email_mismatch';
}

/** Returns the account of the caller, or the one that an anonymous request names. */
function accountOf(request: FastifyRequest): string | null {
  if (request.identity) return request.identity.user.email;
  if (typeof request.body !== 'object' || request.body === null) return null;
  const { email } = request.body as { email?: unknown };
  return typeof email === 'string' ? email : null;
}
