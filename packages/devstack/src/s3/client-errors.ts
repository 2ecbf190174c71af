import type { Duplex } from 'node:stream';
import { xmlErrorDocument } from './xml.ts';

/** Responds to a request that the HTTP parser rejected, on the raw socket, and closes it. */
export function refuseUnparsed(error: Error, socket: Duplex): void {
  const parserCode = 'code' in error ? error.code : undefined;
  if (parserCode === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const body = xmlErrorDocument(describe(parserCode));
  socket.end(
    [
      'HTTP/1.1 400 Bad Request',
      'Connection: close',
      'Content-Type: application/xml',
      `Content-Length: ${Buffer.byteLength(body)}`,
      '',
      body,
    ].join('\r\n'),
  );
}

function describe(parserCode: unknown): { Code: string; Message: string } {
  switch (parserCode) {
    case 'HPE_HEADER_OVERFLOW':
      return {
        Code: 'RequestHeaderSectionTooLarge',
        Message: 'The request headers are too large.',
      };
    case 'HPE_INVALID_EOF_STATE':
      return { Code: 'IncompleteBody', Message: 'The body is shorter than its declared length.' };
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return { Code: 'RequestTimeout', Message: 'The request was not received in time.' };
    default:
      return { Code: 'BadRequest', Message: 'The request is not valid HTTP.' };
  }
}
