import { http, passthrough, type HttpHandler } from 'msw';
import { createMockService, type MockOptions } from './mock.ts';
import type { MockRequest } from './requests.ts';
import type { MockResponse } from './response.ts';

export type { MockOptions } from './mock.ts';
export { sampleAccount } from './samples.ts';

/**
 * Returns request handlers of MSW that respond from memory, in a browser or in Node.
 *
 * @param baseUrl - of the API, such as `location.origin`; its other paths pass through
 */
export async function mockHandlers(
  baseUrl: string,
  options: Partial<MockOptions> = {},
): Promise<HttpHandler[]> {
  const origin = baseUrl.replace(/\/+$/, '');
  const service = await createMockService(origin, options);
  return [
    http.all(`${origin}/*`, async ({ request }) => {
      const url = new URL(request.url);
      if (!service.has(url.pathname)) return passthrough();
      return responseOf(await service.respond(await received(request, url)));
    }),
  ];
}

async function received(request: Request, url: URL): Promise<MockRequest> {
  const isHead = request.method === 'HEAD';
  return {
    method: isHead ? 'GET' : request.method,
    isHead,
    url,
    headers: Object.fromEntries(request.headers),
    body: new Uint8Array(await request.arrayBuffer()),
  };
}

function responseOf({ status, headers = {}, body }: MockResponse): Response {
  // TypeScript's newer types ask for the kind of buffer behind bytes.
  return new Response(body as ReadableStream | null, { status, headers });
}
