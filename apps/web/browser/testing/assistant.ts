import { createClient, type Approval } from '@atelier/client';
import type { Account } from './accounts.ts';
import type { Stack } from './stack.ts';

/** A call of a tool. */
interface Call {
  readonly tool: string;
  readonly arguments: Readonly<Record<string, unknown>>;
}

/** A program that works with a key. */
export interface Assistant {
  /** Asks for the approval of a call. */
  ask(call: Call): Promise<Approval>;
  /** Calls a tool by the Model Context Protocol. @returns whether the call succeeded */
  call(call: Call): Promise<boolean>;
}

interface Member {
  readonly account: Account;
  readonly organizationId: string;
}

/** Connects an assistant of a person. */
export async function connectAssistant(
  stack: Stack,
  { account, organizationId }: Member,
  name = 'Desk assistant',
): Promise<Assistant> {
  const { key } = await account.api.apiKeys.create({
    body: { name, preset: 'everything', organizationIds: [organizationId] },
  });
  const api = createClient({ baseUrl: stack.api, apiKey: key });
  return {
    ask: (body) => api.approvals.request({ body: { ...body } }, { organizationId }),
    async call({ tool, arguments: given }) {
      const response = await fetch(`${stack.api}/mcp`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${key}`,
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
        },
        body: JSON.stringify({
          jsonrpc: '2.0',
          id: 1,
          method: 'tools/call',
          params: { name: tool, arguments: given },
        }),
      });
      const text = await response.text();
      if (!text.includes('"result"')) throw new Error(`no result of ${tool}: ${text}`);
      return !text.includes('"isError":true');
    },
  };
}

/** Creates a task. @returns its id */
export async function newTask(
  { account: { api }, organizationId }: Member,
  title: string,
): Promise<string> {
  const options = { organizationId };
  const project = await api.projects.create({ body: { name: 'Website' } }, options);
  const params = { projectId: project.id };
  return (await api.tasks.create({ params, body: { title } }, options)).id;
}

/** Returns the link that an assistant shows. */
export function linkTo({ id, organizationId }: Approval): string {
  return `/approvals/${id}?organizationId=${organizationId}`;
}
