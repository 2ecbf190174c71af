import { Agent, request } from 'node:http';

/** Clients that each send requests on one keep-alive connection. */
export interface KeepAliveRequests {
  /** Responses so far. */
  readonly responseCount: number;
  /** Resolves with the failures, when the server has closed every connection. */
  readonly ended: Promise<readonly string[]>;
}

/** Has each client send its next request after a response, until the server closes the connection. */
export function sendOnKeepAlive(url: string, { clients }: { clients: number }): KeepAliveRequests {
  let responseCount = 0;
  const one = async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    try {
      for (;;) {
        const { status, isLast } = await get(url, agent);
        responseCount += 1;
        if (status !== 200) return [`a response with status ${status}`];
        if (isLast) return [];
      }
    } catch (error) {
      return [`no response: ${String(error)}`];
    } finally {
      agent.destroy();
    }
  };
  const ended = Promise.all(Array.from({ length: clients }, one)).then((all) => all.flat());
  return {
    get responseCount() {
      return responseCount;
    },
    ended,
  };
}

/** Rejects if the response is incomplete. */
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
