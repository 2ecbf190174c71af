import { createSocket } from 'node:dgram';
import { once } from 'node:events';

/** A DNS server on loopback. */
export interface DnsServer {
  /** With its port. */
  readonly address: string;
  /** The names of all questions for IPv4 addresses so far. */
  readonly questions: readonly string[];
  stop(): Promise<void>;
}

const typeA = 1;

/**
 * Answers questions for IPv4 addresses; there are no others.
 *
 * @param answers - the addresses for a name; `null`: there is no such name
 */
export async function startDnsServer(
  answers: (name: string) => readonly string[] | null,
): Promise<DnsServer> {
  const questions: string[] = [];
  const socket = createSocket('udp4');
  socket.on('message', (query, { address, port }) => {
    const { name, end } = nameIn(query);
    const isForA = query.readUInt16BE(end) === typeA;
    if (isForA) questions.push(name);
    const found = answers(name);
    const records = isForA ? (found ?? []) : [];
    const header = Buffer.from(query.subarray(0, 12));
    // A response, authoritative, without an error or for a name that doesn't exist.
    header.writeUInt16BE(0x8580 | (found === null ? 3 : 0), 2);
    header.writeUInt16BE(1, 4);
    header.writeUInt16BE(records.length, 6);
    header.writeUInt32BE(0, 8);
    const question = query.subarray(12, end + 4);
    socket.send(Buffer.concat([header, question, ...records.map(recordOf)]), port, address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return {
    address: `127.0.0.1:${socket.address().port}`,
    questions,
    async stop() {
      socket.close();
      await once(socket, 'close');
    },
  };
}

/** @returns the name of the question, and where it ends */
function nameIn(query: Buffer): { name: string; end: number } {
  const labels: string[] = [];
  let at = 12;
  for (let length = query.readUInt8(at); length > 0; length = query.readUInt8(at)) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join('.').toLowerCase(), end: at + 1 };
}

/** An A record of the question's name that may not be remembered. */
function recordOf(address: string): Buffer {
  return Buffer.from([
    0xc0,
    12,
    0,
    typeA,
    0,
    1,
    0,
    0,
    0,
    0,
    0,
    4,
    ...address.split('.').map(Number),
  ]);
}
