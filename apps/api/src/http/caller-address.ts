import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import type { FastifyRequest } from 'fastify';

/**
 * Returns the address that a request is rate limited by: an IPv4 address, or the /64 network of an IPv6 address,
 * which is what a provider assigns to one customer.
 *
 * X-Forwarded-For is used as far as trusted proxies vouch for it. If a proxy forwards an invalid
 * address, the nearest hop with a valid one counts.
 */
export function callerAddress(request: Pick<FastifyRequest, 'ip' | 'ips'>): string {
  const hops = request.ips ?? [request.ip];
  // Stricter than the parser below, which also accepts 1.2.3 and 0x7f.1 as addresses.
  const address = hops.findLast((hop) => isIP(hop) !== 0);
  // A socket that is already closed has no peer address.
  return address === undefined ? 'unknown' : networkOf(address);
}

function networkOf(text: string): string {
  // Also converts ::ffff:192.0.2.1 to 192.0.2.1.
  const address = ipaddr.process(text);
  if (address.kind() === 'ipv4') return address.toString();
  const cidr = `${withoutZone(address.toString())}/64`;
  return `${ipaddr.IPv6.networkAddressFromCIDR(cidr).toString()}/64`;
}

function withoutZone(address: string): string {
  return address.replace(/%.*$/, '');
}
