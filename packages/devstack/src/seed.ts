import { openAsBlob } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { ApiError, createClient, type Client } from '@atelier/client';
import { upload } from '@atelier/client/upload';

export interface DemoAccount {
  email: string;
  password: string;
}

export interface SeedOptions {
  apiUrl: string;
  mailUrl: string;
  demo: DemoAccount;
}

const mailPollMs = 100;
const mailTimeoutMs = 20_000;

const samplesDir = join(import.meta.dirname, '..', 'samples');

const collections = [
  {
    title: 'Landscapes',
    files: [
      { name: 'evening-ridge.jpg', type: 'image/jpeg' },
      { name: 'morning-haze.jpg', type: 'image/jpeg' },
      { name: 'northern-dusk.jpg', type: 'image/jpeg' },
    ],
  },
  { title: 'Notes', files: [{ name: 'welcome.md', type: 'text/markdown' }] },
];

/**
 * Makes the demo account and its sample data over the product's own interface: registers, verifies by
 * the mailed link, uploads. What is there already is left as it is, so that an interrupted seed goes on.
 *
 * @throws Error that says which step was refused
 */
export async function seedDemo({ apiUrl, mailUrl, demo }: SeedOptions): Promise<void> {
  const api = createClient({ baseUrl: apiUrl });
  if (!(await canLogIn(api, demo))) {
    await api.auth.register({ body: { ...demo, firstName: 'Demo', lastName: 'Person' } });
    await verifyByMail(api, mailUrl, demo.email);
    await api.auth.login({ body: demo });
  }
  for (const { title, files } of collections) await seedCollection(api, title, files);
}

async function canLogIn(api: Client, demo: DemoAccount): Promise<boolean> {
  const login = await api.auth.login({ body: demo }).result();
  if (login.ok) return true;
  if (login.error instanceof ApiError && login.error.status === 400) return false;
  throw login.error;
}

async function seedCollection(
  api: Client,
  title: string,
  files: readonly { name: string; type: string }[],
): Promise<void> {
  const { items } = await api.collections.list({ query: { q: title } });
  const collection =
    items.find((item) => item.title === title) ??
    (await api.collections.create({ body: { title } }));
  if (collection.assetCount >= files.length) return;
  for (const { name, type } of files) {
    const file = await openAsBlob(join(samplesDir, name), { type });
    await upload(api, file, { collectionId: collection.id, fileName: name }).done;
  }
}

/** Follows the newest mailed link; after an interrupted seed an older one, void by now, may be there first. */
async function verifyByMail(api: Client, mailUrl: string, email: string): Promise<void> {
  const deadline = performance.now() + mailTimeoutMs;
  let tried: string | undefined;
  while (performance.now() < deadline) {
    const answer = await fetch(`${mailUrl}/email`);
    const token = verificationTokenFor(email, await answer.json());
    if (token !== undefined && token !== tried) {
      tried = token;
      if ((await api.auth.verifyEmail({ body: { token } }).result()).ok) return;
    }
    await delay(mailPollMs);
  }
  throw new Error(`no verification mail for ${email} that is valid arrived`);
}

function verificationTokenFor(email: string, mails: unknown): string | undefined {
  if (!Array.isArray(mails)) return undefined;
  const texts = mails.flatMap((mail: unknown) => {
    const line = JSON.stringify(mail);
    return line.includes(`"address":${JSON.stringify(email)}`) ? [line] : [];
  });
  return /\/verify-email\?token=([\w.-]+)/.exec(texts.at(-1) ?? '')?.[1];
}
