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
  return address.kind() === 'ipv4' ? address.toString() : networkOfBits(address, 64);
}

/** Returns the network that an address has in common with its neighbours: /24 of IPv4, /48 of IPv6; null without one. */
export function wideNetworkOf(text: string): string | null {
  if (isIP(text) === 0) return null;
  const address = ipaddr.process(text);
  return networkOfBits(address, address.kind() === 'ipv4' ? 24 : 48);
}

function networkOfBits(address: ipaddr.IPv4 | ipaddr.IPv6, bits: number): string {
  const cidr = `${withoutZone(address.toString())}/${bits}`;
  const family = address.kind() === 'ipv4' ? ipaddr.IPv4 : ipaddr.IPv6;
  return `${family.networkAddressFromCIDR(cidr).toString()}/${bits}`;
}

function withoutZone(address: string): string {
  return address.replace(/%.*$/, '');
}
