import { resolved, type OpenApi, type Operation, type Schema } from './document.ts';
import { breaksOfSchema } from './schemas.ts';

interface Documents {
  readonly before: OpenApi;
  readonly after: OpenApi;
  readonly onGrowth?: (line: string) => void;
}

/** Returns the changes of messages that break a receiver: to it, a message is what a response is to a client. */
export function breaksOfWebhooks(documents: Documents): string[] {
  const { before, after } = documents;
  return Object.entries(before.webhooks ?? {}).flatMap(([event, item]) => {
    const where = `webhook ${event}`;
    const present = after.webhooks?.[event];
    if (!present) return [`${where}: removed`];
    return breaksOfSchema(
      { ...documents, direction: 'response' },
      { before: messageOf(before, item), after: messageOf(after, present), where },
    );
  });
}

function messageOf(document: OpenApi, { post }: { readonly post?: Operation }): Schema {
  const body = post?.requestBody && resolved(document, post.requestBody);
  return body?.content?.['application/json']?.schema ?? {};
}
