// The entry of the worker: `workerd test` calls `test`.
import receiver from './receivers/worker.ts';
import { checkTasks } from './tasks.mjs';

export default {
  async test(_controller, { MOCK_URL, WEBHOOK_SECRET, WEBHOOK_MESSAGES }) {
    await checkTasks(MOCK_URL);
    await checkReceiver(WEBHOOK_SECRET, JSON.parse(WEBHOOK_MESSAGES));
  },
};

async function checkReceiver(WEBHOOK_SECRET, messages) {
  const queued = [];
  const QUEUE = { send: async ({ id }) => queued.push(id) };
  for (const { headers, body, status } of messages) {
    const request = new Request('https://worker.example', { method: 'POST', headers, body });
    const response = await receiver.fetch(request, { WEBHOOK_SECRET, QUEUE });
    if (response.status !== status) throw new Error(`${response.status} instead of ${status}`);
  }
  if (queued.length !== 1) throw new Error(`${queued.length} messages were queued instead of 1`);
}
