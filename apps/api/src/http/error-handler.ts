import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { errorCatalogue, type ErrorBody, type ErrorCode } from '@atelier/contract';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Config } from '../config.ts';
import { Failure } from '../kernel/errors.ts';
import { closeAfterResponse, type LingeringConnections } from './early-responses.ts';
import { newRequestId } from './request-id.ts';
import { operationOf } from './requests.ts';
import { limitSilence } from './silence.ts';
import { commonHeaders } from './common-headers.ts';

/** Refusals that happen before an operation is matched, or that any operation may return. */
const undeclaredCodes = new Set<ErrorCode>([
  'route_not_found',
  'method_not_allowed',
  'malformed_request',
  'request_timeout',
  'internal_error',
  'service_unavailable',
]);

/** Sends every error, including Fastify's own, in the standard error shape. */
export function respondWithErrors(app: FastifyInstance): void {
  app.setErrorHandler<FastifyError>((error, request, reply) => {
    const respond = (refusal: FastifyError) => respondWithError(refusal, request, reply);
    if (isOfUnprovenCaller(error, request)) {
      app.identifyAnew(request, reply).then(() => respond(error), respond);
    } else {
      respond(error);
    }
  });
}

/**
 * Whether no handler has started: what is wrong with its request, only a caller learns who still is one. A client that
 * disconnects learns nothing, but a session that has ended would stay known.
 */
function isOfUnprovenCaller(error: FastifyError, request: FastifyRequest): boolean {
  return request.known?.isProven === false && failureIn(request, error).status < 500;
}

/** Responds to an error that the router raises before any hook has run, such as a malformed URL. */
export function frameworkErrorHandler(config: Config, lingering: LingeringConnections) {
  const headers = commonHeaders(config);
  return (error: FastifyError, request: FastifyRequest, reply: FastifyReply): void => {
    reply.header('x-request-id', request.id).headers(headers);
    closeAfterResponse(request, reply, lingering);
    respondWithError(error, request, reply);
    // No hook knows of it.
    limitSilence(request);
  };
}

function respondWithError(error: FastifyError, request: FastifyRequest, reply: FastifyReply): void {
  const operation = operationOf(request);
  let failure = failureIn(request, error);
  if (operation?.toleratesAnyBody && failure.status < 500) {
    reply.status(operation.success.status).send({ message: operation.success.message });
    return;
  }
  if (operation && !operation.errors.includes(failure.code) && !undeclaredCodes.has(failure.code)) {
    // Undeclared errors can't be sent.
    request.log.error(
      { code: failure.code },
      'an operation failed with a code it does not declare',
    );
    failure = new Failure('internal_error', { cause: failure });
  }
  if (failure.status >= 500) {
    request.log.error({ err: failure.cause ?? failure, code: failure.code }, failure.message);
  }
  // For the log lines.
  request.refusedWith = failure.code;
  sendFailure(failure, request, reply);
}

function sendFailure(failure: Failure, request: FastifyRequest, reply: FastifyReply): void {
  const { status, headers, body } = refusalOf(failure, request.id);
  reply.status(status).headers(headers).type('application/json; charset=utf-8').send(body);
}

/** Builds the response for a failure. */
export function refusalOf(failure: Failure, requestId: string) {
  const body: ErrorBody = {
    message: failure.message,
    code: failure.code,
    requestId,
    ...(failure.errors && { errors: [...failure.errors] }),
  };
  const headers = {
    // Every 401 carries a challenge (RFC 9110, section 11.6.1).
    ...(failure.status === 401 && { 'www-authenticate': 'Bearer' }),
    ...failure.headers,
  };
  return { status: failure.status, headers, body: JSON.stringify(body) };
}

function failureIn({ raw }: FastifyRequest, error: FastifyError): Failure {
  // The client disconnected while sending its body: no response is possible, and the service did nothing wrong.
  const isOfCaller = error === raw.errored;
  return isOfCaller ? new Failure('malformed_request', { cause: error }) : failureOf(error);
}

/** Returns what a caller learns of an error: a fault of the service or a database that is away say no more than that. */
export function failureOf(error: unknown): Failure {
  if (error instanceof Failure) return error;
  switch (codeOf(error)) {
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return new Failure('unsupported_media_type', { cause: error });
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return new Failure('body_too_large', { cause: error });
    case 'FST_ERR_CTP_INVALID_CONTENT_LENGTH':
    case 'FST_ERR_BAD_URL':
    case 'FST_ERR_MAX_PARAM_LENGTH':
      return new Failure('malformed_request', { cause: error });
  }
  if (isDatabaseAway(error)) {
    return new Failure('service_unavailable', { cause: error, headers: retryShortly });
  }
  return new Failure('internal_error', { cause: error });
}

const retryShortly = { 'retry-after': '5' };

/** Codes of postgres.js, and SQLSTATE classes that don't depend on the statement. */
const databaseAway =
  /^(CONNECTION_\w+|CONNECT_TIMEOUT|08\w{3}|25006|53\w{3}|57P0\d|57014|25P03|55P03|40001|40P01)$/;

/** Codes of the system for a server that can't be reached: also while names can't be resolved, and without free descriptors. */
const unreachable =
  /^(ECONN(REFUSED|RESET)|E(HOST|NET)(UNREACH|DOWN)|EADDRNOTAVAIL|EAI_AGAIN|EMFILE|ENFILE|ENOTFOUND|EPIPE|ETIMEDOUT)$/;

/** Citus says without a code of its own that a server went away, or repeats what the driver says there. */
const serverAway =
  /^(could not commit transaction for shard \d+ on at least one active node$|failure on connection marked as essential\b|server closed the connection unexpectedly\b|could not (receive data from|send data to) server\b|no connection to the server\b|postmaster was shut down, exiting$)/;

function isDatabaseAway(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    const code = codeOf(cause);
    if (databaseAway.test(code) || unreachable.test(code)) return true;
    if (code === 'XX000' && serverAway.test(cause.message)) return true;
  }
  return false;
}

function codeOf(error: unknown): string {
  if (typeof error !== 'object' || error === null || !('code' in error)) return '';
  return String(error.code);
}

/** Responds to input that Node's parser refuses before there is a request: raw bytes on the socket. */
export function clientErrorHandler(config: Config, lingering: LingeringConnections) {
  const common = Object.entries(commonHeaders(config)).map(([name, value]) => `${name}: ${value}`);
  return (error: Error & { code?: string; rawPacket?: unknown }, socket: Duplex): void => {
    // Data after the final response is discarded, and needn't be HTTP.
    if (lingering.has(socket)) return;
    // Node removes its listeners from a socket that it hands over, and an unhandled reset ends the process.
    socket.on('error', () => {});
    if (!socket.writable || error.code === 'ECONNRESET') {
      socket.destroy(error);
      return;
    }
    const code = rawErrorCode(error.code);
    const { status, message } = errorCatalogue[code];
    const requestId = newRequestId();
    const body = JSON.stringify({ message, code, requestId } satisfies ErrorBody);
    socket.write(
      [
        `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
        'content-type: application/json; charset=utf-8',
        `content-length: ${Buffer.byteLength(body)}`,
        `x-request-id: ${requestId}`,
        'connection: close',
        ...common,
        '',
        // The response to a HEAD ends with its headers.
        isHead(error.rawPacket) ? '' : body,
      ].join('\r\n'),
    );
    lingering.add(socket, status);
  };
}

/** Checks whether an unparsable message begins like a HEAD: its client would read a body as the next response. */
function isHead(bytes: unknown): boolean {
  return Buffer.isBuffer(bytes) && bytes.subarray(0, 5).toString('latin1') === 'HEAD ';
}

function rawErrorCode(code: string | undefined): ErrorCode {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return 'headers_too_large';
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return 'request_timeout';
    default:
      return 'malformed_request';
  }
}
