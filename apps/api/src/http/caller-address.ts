import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import type { FastifyRequest } from 'fastify';

/**
 * The address that a call is counted for: an IPv4 address, or the /64 network of an IPv6 address, which
 * is what one customer of a provider has.
 *
 * X-Forwarded-For counts as far as trusted proxies vouch for it. What a proxy passes on that is no
 * address counts for the nearest hop that is one.
 */
export function callerAddress(request: Pick<FastifyRequest, 'ip' | 'ips'>): string {
  const hops = request.ips ?? [request.ip];
  // Stricter than the parser below, which also takes 1.2.3 and 0x7f.1 for addresses.
  const address = hops.findLast((hop) => isIP(hop) !== 0);
  // The peer of a socket that is gone already has none.
  return address === undefined ? 'unknown' : networkOf(address);
}

function networkOf(text: string): string {
  // Also turns ::ffff:192.0.2.1 into 192.0.2.1.
  const address = ipaddr.process(text);
  if (address.kind() === 'ipv4') return address.toString();
  const cidr = `${withoutZone(address.toString())}/64`;
  return `${ipaddr.IPv6.networkAddressFromCIDR(cidr).toString()}/64`;
}

function withoutZone(address: string): string {
  return address.replace(/%.*$/, '');
}
