import { Agent, request } from 'node:http';

/** Clients that call on one kept connection each. */
export interface KeptCalls {
  /** Answers so far. */
  readonly answers: number;
  /** Resolves when every client was told that its connection has served; with what went wrong before. */
  readonly ended: Promise<readonly string[]>;
}

/** Each client sends the next call once the last one is answered, until an answer ends the connection. */
export function callOnKeptConnections(url: string, { clients }: { clients: number }): KeptCalls {
  let answers = 0;
  const one = async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    try {
      for (;;) {
        const { status, isLast } = await get(url, agent);
        answers += 1;
        if (status !== 200) return [`an answer by ${status}`];
        if (isLast) return [];
      }
    } catch (error) {
      return [`no answer: ${String(error)}`];
    } finally {
      agent.destroy();
    }
  };
  const ended = Promise.all(Array.from({ length: clients }, one)).then((all) => all.flat());
  return {
    get answers() {
      return answers;
    },
    ended,
  };
}

/** Rejects when the answer doesn't come in full. */
function get(url: string, agent: Agent): Promise<{ status: number; isLast: boolean }> {
  return new Promise((resolve, reject) => {
    request(url, { agent })
      .once('error', reject)
      .once('response', (response) => {
        const { statusCode: status = 0, headers } = response;
        response
          .resume()
          .once('error', reject)
          .once('end', () => resolve({ status, isLast: headers.connection === 'close' }));
      })
      .end();
  });
}
