import { existsSync } from 'node:fs';
import { chromium, type Browser } from 'playwright-core';

const candidates = [
  process.env['CHROMIUM_PATH'],
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
];

/**
 * Launches the installed Chromium.
 *
 * @param hostRules - maps hosts to others, such as `MAP localhost:9000 127.0.0.1:7000`
 * @throws Error if none is found, with a hint how to install it
 */
export async function launchChromium(hostRules?: string): Promise<Browser> {
  const executablePath = candidates.find((path) => path && existsSync(path));
  if (!executablePath) {
    throw new Error('Chromium not found: apt-get install chromium, or set CHROMIUM_PATH.');
  }
  return chromium.launch({
    executablePath,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--disable-background-networking',
      ...(hostRules ? [`--host-resolver-rules=${hostRules}`] : []),
    ],
  });
}
