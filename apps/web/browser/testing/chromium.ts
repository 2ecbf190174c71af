import { existsSync } from 'node:fs';
import { chromium, type Browser } from 'playwright-core';

const places = [
  process.env['CHROMIUM_PATH'],
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
];

/**
 * Starts the Chromium of this machine.
 *
 * @param hostRules - where else it goes for an address, such as `MAP localhost:9000 127.0.0.1:7000`
 * @throws Error that says how to get one
 */
export async function launchChromium(hostRules?: string): Promise<Browser> {
  const executablePath = places.find((path) => path && existsSync(path));
  if (!executablePath) {
    throw new Error('There is no Chromium here: apt-get install chromium, or set CHROMIUM_PATH.');
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
