// Messages as a receiver gets them, signed by the package of the standard.
import { randomBytes } from 'node:crypto';
import { Webhook } from 'standardwebhooks';

export const secret = `whsec_${randomBytes(32).toString('base64')}`;

const id = 'evt_019aa4f32c4d7e5fa0617c8d9e0f1a2b';
const body = JSON.stringify({
  type: 'webhook.ping',
  timestamp: '2026-11-23T09:30:00.000Z',
  organizationId: '019aa4f0-5c1e-7c00-8a51-0d9e2b7f6c11',
  sequence: 7,
  isReplay: false,
  data: { webhookId: '019aa4fa-1a2b-7c3d-8e4f-90a1b2c3d4e5', note: 'ä “quoted”' },
});

/**
 * A good message, one that was changed on the way, and one that is too old, each with the status that it has to get. Sign
 * them just before they are sent: the good one is too old after five minutes, and a build may take longer.
 */
export function signMessages() {
  return [
    { ...messageOf(new Date()), status: 204 },
    { ...messageOf(new Date()), body: body.replace('7', '8'), status: 400 },
    { ...messageOf(new Date(Date.now() - 10 * 60_000)), status: 400 },
  ];
}

function messageOf(date) {
  const headers = {
    'content-type': 'application/json; charset=utf-8',
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(date.getTime() / 1000)),
    'webhook-signature': new Webhook(secret).sign(id, date, body),
  };
  return { headers, body };
}

/** Signs and sends the messages. @throws Error for a status that one must not get */
export async function checkReceiver(address) {
  for (const { headers, body, status } of signMessages()) {
    const response = await fetch(address, { method: 'POST', headers, body });
    if (response.status === status) continue;
    throw new Error(`${address} responded with ${response.status} instead of ${status}`);
  }
}
