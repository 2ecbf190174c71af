import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ByteStream, Reply } from './operation.ts';
import type { S3Error } from './errors.ts';
import { xmlErrorDocument } from './xml.ts';

const drainedBytesLimit = 32 * 1024 * 1024;
const drainSecondsLimit = 5;

export interface Exchange {
  request: IncomingMessage;
  response: ServerResponse;
  requestId: string;
  /** False while the client still waits for `100 Continue` before it sends its body. */
  mayReceiveBody: () => boolean;
}

/** Sends the reply with back-pressure. @throws ClientGone when the client disconnects */
export async function sendReply(exchange: Exchange, reply: Reply): Promise<void> {
  const { request, response } = exchange;
  if (response.destroyed) return;
  const isHead = request.method === 'HEAD';
  const isBodyless = reply.status === 204 || reply.status === 304;
  const sizeBytes = bodySize(reply.body);
  response.statusCode = reply.status;
  for (const [name, value] of Object.entries(reply.headers ?? {})) response.setHeader(name, value);
  if (!isBodyless && !response.hasHeader('content-length')) {
    response.setHeader('content-length', String(sizeBytes));
  }
  const mustDrain = hasUnreadBody(request);
  if (mustDrain) response.setHeader('connection', 'close');
  if (isHead || isBodyless || reply.body === undefined) response.flushHeaders();
  else if (typeof reply.body === 'string') response.write(reply.body);
  else await writeChunks(response, reply.body.chunks);
  if (mustDrain && exchange.mayReceiveBody()) await drain(request);
  response.end();
}

// Each chunk is sent before the next is read, so a slow client needs the memory of one chunk.
async function writeChunks(response: ServerResponse, chunks: AsyncIterable<Buffer>): Promise<void> {
  for await (const chunk of chunks) {
    await new Promise<void>((resolve, reject) => {
      const fail = (): void => reject(new ClientGone());
      response.once('close', fail);
      response.write(chunk, (error) => {
        response.off('close', fail);
        if (error) reject(new ClientGone());
        else resolve();
      });
    });
  }
}

/** The client closed the connection before it received the whole response. */
export class ClientGone extends Error {}

/** Builds the reply of an error, as an S3 error document. */
export function errorReply(
  error: S3Error,
  { resource, requestId }: { resource: string; requestId: string },
): Reply {
  return {
    status: error.status,
    headers: { ...error.headers, 'content-type': 'application/xml' },
    body: xmlErrorDocument({
      Code: error.code,
      Message: error.message,
      ...error.fields,
      Resource: resource,
      RequestId: requestId,
      HostId: 'atelier',
    }),
  };
}

function bodySize(body: string | ByteStream | undefined): number {
  if (body === undefined) return 0;
  return typeof body === 'string' ? Buffer.byteLength(body) : body.sizeBytes;
}

function hasUnreadBody(request: IncomingMessage): boolean {
  const { 'content-length': length = '0', 'transfer-encoding': coding } = request.headers;
  return !request.complete && (Number(length) > 0 || coding !== undefined);
}

// A client that is still sending receives its response only if the server keeps reading for a while: closing with
// unread bytes makes the kernel reset the connection and discard the response.
async function drain(request: IncomingMessage): Promise<void> {
  if (request.destroyed) return;
  await new Promise<void>((resolve) => {
    let drainedBytes = 0;
    const timer = setTimeout(resolve, drainSecondsLimit * 1000);
    const finish = (): void => {
      clearTimeout(timer);
      resolve();
    };
    request.on('data', (chunk: Buffer) => {
      drainedBytes += chunk.length;
      if (drainedBytes > drainedBytesLimit) finish();
    });
    request.once('end', finish).once('close', finish).once('error', finish);
  });
  request.pause();
}
