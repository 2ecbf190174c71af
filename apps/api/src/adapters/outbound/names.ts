import { Resolver } from 'node:dns/promises';

/** Finds all addresses of a name. Rejects if there are none. */
export type ResolveName = (name: string) => Promise<readonly string[]>;

/**
 * Asks DNS servers. `dns.lookup` would hold one of the few threads of the process for each name whose servers are silent,
 * and would read the machine's own names from `/etc/hosts`.
 *
 * @param servers - addresses with ports; default: those of this machine
 */
export function createResolver(servers: readonly string[] = []): ResolveName {
  const resolver = new Resolver({ timeout: 2_000, tries: 2 });
  if (servers.length > 0) resolver.setServers(servers);
  return async (name) => {
    // RFC 6761: no server is asked for it.
    if (name === 'localhost' || name.endsWith('.localhost')) return ['127.0.0.1', '::1'];
    const found = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
    const addresses = found.flatMap((each) => (each.status === 'fulfilled' ? each.value : []));
    if (addresses.length === 0) throw new NameError(name);
    return addresses;
  };
}

/** A name without addresses. */
export class NameError extends Error {
  override readonly name = 'NameError';
}
