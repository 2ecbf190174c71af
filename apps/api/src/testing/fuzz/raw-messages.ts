import fc, { type Arbitrary } from 'fast-check';

const requestLines = fc
  .tuple(
    fc.constantFrom(
      ...['GET', 'GET', 'POST', 'POST', 'get', 'CONNECT', 'TRACE', 'PRI', 'M-SEARCH', 'QUERY'],
      ...['', 'GET\0', 'G E T', 'A'.repeat(300), '\u00ff'],
    ),
    fc.constantFrom(
      ...['/health', '/health', '/api/auth/login', '/api/auth/login', '/api/auth/user'],
      ...['http://evil.example/health', 'https://user:x@evil.example/', 'evil.example:443', '*'],
      ...[
        '//evil.example/x',
        '/..//../health',
        '/health#x',
        '/%00',
        '/\u00ff',
        '/\t',
        '',
        '?',
        '/?',
      ],
      ...[`/${'a'.repeat(20_000)}`, `/${'%61'.repeat(3_000)}`, `/?${'a&'.repeat(5_000)}`],
    ),
    fc.constantFrom(
      ...['HTTP/1.1', 'HTTP/1.1', 'HTTP/1.1', 'HTTP/1.0', 'HTTP/0.9', 'HTTP/2.0', 'HTTP/1.9'],
      ...['http/1.1', 'HTTP/11', 'HTTP/1.1.1', 'ICY/1.0', 'HTTP/1.1 x', '', 'HTTPS/1.1'],
    ),
  )
  .map((parts) => parts.join(' '));

const headerLines = [
  'Host: x',
  'Host: y',
  'Host:',
  'Host : x',
  'Content-Length: 2',
  'Content-Length: 0',
  'Content-Length: 3',
  'Content-Length: 2, 2',
  'Content-Length: +2',
  'Content-Length: -1',
  'Content-Length: 0x2',
  'Content-Length: 2 2',
  'Content-Length: 99999999999999999999',
  'Content-Length: 18446744073709551618',
  'Content-Length:',
  'Content-Length: 400000',
  'Transfer-Encoding: chunked',
  'Transfer-Encoding: Chunked',
  'Transfer-Encoding: chunked, chunked',
  'Transfer-Encoding: chunked, identity',
  'Transfer-Encoding: identity',
  'Transfer-Encoding: gzip, chunked',
  'Transfer-Encoding: xchunked',
  'Transfer-Encoding: "chunked"',
  'Transfer-Encoding:\x0bchunked',
  'Transfer-Encoding : chunked',
  'Transfer-Encoding: chun\0ked',
  'Transfer_Encoding: chunked',
  ' Transfer-Encoding: chunked',
  'Content-Type: application/json',
  'Content-Type: application/json\r\n x',
  'Content-Encoding: gzip',
  'Expect: 100-continue',
  'Expect: 200-maybe',
  'Expect: 100-continue, x',
  'Connection: close',
  'Connection: keep-alive',
  'Connection: Upgrade',
  'Connection: Upgrade, HTTP2-Settings',
  'Connection: Content-Length',
  'Upgrade: websocket',
  'Upgrade: h2c',
  'HTTP2-Settings: AAMAAABkAARAAAAAAAIAAAAA',
  'Sec-WebSocket-Key: x3JJHMbDL1EzLkh9GBhXDw==',
  'X-Request-Id: a\tb',
  'X-Request-Id: a\r\n\tb',
  'X-Forwarded-For: 1.2.3.4',
  'X-Folded: a\r\n b',
  'X-Nul: a\0b',
  'X-Cr: a\rb',
  'X-Latin: \u00ff\u00fe',
  'no colon',
  ': no name',
  'Bad Name: x',
  'Bad(Name): x',
  'Authorization: Bearer a.b.c.d.e',
  `Authorization: Bearer ${'A'.repeat(12_000)}`,
  `Cookie: ${'a=b; '.repeat(2_000)}`,
  `X-Long: ${'x'.repeat(20_000)}`,
  `${'X'.repeat(20_000)}: x`,
  Array.from({ length: 400 }, (_, index) => `X-${index}: ${index}`).join('\r\n'),
  Array.from({ length: 3_000 }, () => 'A:').join('\r\n'),
];

/** What a server that misjudges the end of a message would take for the next one. */
const smuggled = 'GET /api/auth/user HTTP/1.1\r\nHost: x\r\n\r\n';

const bodies = [
  '',
  '{}',
  '2\r\n{}\r\n0\r\n\r\n',
  `0\r\n\r\n${smuggled}`,
  `2\r\n{}\r\n0\r\n\r\n${smuggled}`,
  `{}${smuggled}`,
  `2;${'x'.repeat(20_000)}\r\n{}\r\n0\r\n\r\n`,
  '2;a="\r\n{}\r\n0\r\n\r\n',
  '2\n{}\n0\n\n',
  '02\r\n{}\r\n00\r\n\r\n',
  '0x2\r\n{}\r\n0\r\n\r\n',
  '-2\r\n{}\r\n0\r\n\r\n',
  ' 2\r\n{}\r\n0\r\n\r\n',
  '2 \r\n{}\r\n0\r\n\r\n',
  '3\r\n{}\r\n0\r\n\r\n',
  'FFFFFFFFFFFFFFFF\r\n{}',
  '10000000000000002\r\n{}\r\n0\r\n\r\n',
  '2\r\n{}\r\n0\r\nContent-Length: 5\r\nX-Trailer: x\r\n\r\n',
  `2\r\n{}\r\n0\r\n${'X-T: x\r\n'.repeat(4_000)}\r\n`,
  '2\r\n{}',
  'x'.repeat(400_000),
];

const noHttp = [
  '\r\n\r\n\r\n',
  '\0'.repeat(100),
  '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03',
  'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0',
  'SSH-2.0-x\r\n',
  'EHLO x\r\n',
  'GET /health\r\n\r\n',
  'GET /health\n\n',
  'HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n',
  'PROXY TCP4 1.2.3.4 1.2.3.4 1 2\r\nGET /health HTTP/1.1\r\nHost: x\r\n\r\n',
  'x'.repeat(100_000),
];

/** Bytes that are HTTP/1.1 more or less: any line, header, framing and body may be wrong. */
export const rawMessages: Arbitrary<Buffer> = fc
  .oneof(
    {
      weight: 12,
      arbitrary: fc
        .tuple(
          fc.oneof(
            { weight: 2, arbitrary: fc.constantFrom('POST /api/auth/login HTTP/1.1') },
            { weight: 1, arbitrary: requestLines },
          ),
          fc
            .boolean()
            .map((isThere) => (isThere ? ['Host: x', 'Content-Type: application/json'] : [])),
          fc.subarray(headerLines, { minLength: 0, maxLength: 4 }),
          fc.constantFrom(...bodies),
          fc.constantFrom('\r\n', '\r\n', '\r\n', '\n', '\r'),
        )
        .map(([line, usual, headers, body, newline]) =>
          [line, ...usual, ...headers, '', body].join(newline),
        ),
    },
    { weight: 1, arbitrary: fc.constantFrom(...noHttp) },
    { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 200 }) },
  )
  .map((text) => Buffer.from(text, 'latin1'));
