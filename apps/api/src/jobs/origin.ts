import type { RequestOrigin } from '../ports/jobs.ts';
import { quoted } from './quoted.ts';

/** Says where a request came from, as a sentence with a space behind it. */
export function cameFrom({ device, ipAddress }: RequestOrigin): string {
  return `It came from ${quoted(device)} at the address ${ipAddress}. `;
}
