/**
 * Shows a round trip through Atelier, as your own application would do it: signs in or up, creates a collection, uploads
 * files in parallel parts, and downloads the same bytes again. `ATELIER_EMAIL` and `ATELIER_PASSWORD` name an account;
 * without them it creates one.
 *
 *   ATELIER_API_URL=http://localhost:3000 ATELIER_MAIL_URL=http://localhost:1080 node quickstart.ts [files…]
 */
import { createHash, randomBytes } from 'node:crypto';
import { openAsBlob } from 'node:fs';
import { basename } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { createClient, memoryTokens, type Client } from '@atelier/client';
import { upload } from '@atelier/client/upload';
import { mediaTypeOf } from './media-types.ts';
import { progressBar, sizeOf } from './progress-bar.ts';
import { sampleFiles } from './sample-files.ts';

const apiUrl = process.env['ATELIER_API_URL'] ?? 'http://localhost:3000';
const mailUrl = process.env['ATELIER_MAIL_URL'] ?? 'http://localhost:1080';

const api = createClient({ baseUrl: apiUrl, tokens: memoryTokens() });

const paths = process.argv.slice(2);
const files = paths.length > 0 ? paths : await sampleFiles();

const email = await signIn(api);
console.log(`Signed in as ${email}`);

const collection = await api.collections.create({ body: { title: 'Quickstart' } });
console.log(`Created the collection “${collection.title}”\n`);

let isIntact = true;
for (const path of files) isIntact = (await roundTrip(path)) && isIntact;

console.log(isIntact ? 'Every download equals its file.' : 'A download differs from its file!');
process.exitCode = isIntact ? 0 : 1;

/** Signs in to the given account, or to a new one. */
async function signIn(client: Client): Promise<string> {
  const { ATELIER_EMAIL: email, ATELIER_PASSWORD: password } = process.env;
  if (!email || !password) return signUp(client);
  await client.auth.login({ body: { email, password } });
  return email;
}

/** Signs up, verifies the email address by the mailed link, and signs in. */
async function signUp(client: Client): Promise<string> {
  const email = `quickstart-${randomBytes(4).toString('hex')}@example.com`;
  const password = randomBytes(12).toString('base64url');
  await client.auth.register({ body: { email, password, firstName: 'Quick' } });
  await client.auth.verifyEmail({ body: { token: await mailedToken(email) } });
  await client.auth.login({ body: { email, password } });
  return email;
}

/** Waits for the mail to the address in the development inbox, and returns the token of its link. */
async function mailedToken(email: string): Promise<string> {
  for (let attempt = 0; attempt < 100; attempt += 1) {
    const response = await fetch(`${mailUrl}/email`);
    const mails = (await response.json()) as { to: { address: string }[]; text: string }[];
    const mail = mails.findLast(({ to }) => to.some(({ address }) => address === email));
    const token = mail && /[?&]token=([\w-]+)/.exec(mail.text)?.[1];
    if (token) return token;
    await delay(100);
  }
  throw new Error(`No mail for ${email} arrived at ${mailUrl}`);
}

/** Uploads and downloads a file. @returns whether the SHA-256 of both is the same */
async function roundTrip(path: string): Promise<boolean> {
  const file = await openAsBlob(path, { type: mediaTypeOf(path) });
  console.log(`${basename(path)}, ${sizeOf(file.size)}`);

  const task = upload(api, file, { collectionId: collection.id, fileName: basename(path) });
  for await (const state of task) process.stdout.write(`\r  ${progressBar(state)}`);
  const asset = await task.done;
  process.stdout.write('\n');

  const download = await api.assets.download({ params: { id: asset.id } });
  const response = await fetch(download.url);
  if (!response.ok) throw new Error(`The download failed with status ${response.status}`);
  const [sent, received] = await Promise.all([sha256(file.stream()), sha256(response.body)]);

  console.log(`  SHA-256    ${sent}`);
  console.log(`  downloaded ${received} ${sent === received ? '✓' : '✗ differs'}`);
  console.log(`  short      ${asset.assetShortUrl}`);
  console.log(`  long       ${asset.assetLongUrl}\n`);
  return sent === received;
}

async function sha256(content: AsyncIterable<Uint8Array> | null): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of content ?? []) hash.update(chunk);
  return hash.digest('hex');
}
