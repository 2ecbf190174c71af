import ipaddr from 'ipaddr.js';

type Address = ReturnType<typeof ipaddr.parse>;

/** Decides which addresses may be connected to. */
export interface Networks {
  /** @param address - a literal without brackets, as the URL parser or a resolver writes it */
  isAllowed(address: string): boolean;
  /** Whether the operator has named a network with this address. */
  isNamed(address: string): boolean;
}

/** All of IPv6 that is assigned to networks of the internet. */
const globalUnicast = ipaddr.parseCIDR('2000::/3');
/** Addresses that NAT64 translates to the IPv4 address in their last 32 bits. */
const nat64 = ipaddr.parseCIDR('64:ff9b::/96');

/**
 * Allows public addresses and those of the named networks.
 *
 * @param named - addresses and CIDR ranges
 */
export function networksWith(named: readonly string[]): Networks {
  const ranges = named.map(rangeOf);
  const isNamed = (address: Address) =>
    ranges.some((range) => address.kind() === range[0].kind() && address.match(range));
  return {
    isAllowed(text) {
      const address = addressIn(text);
      return address !== null && (isNamed(address) || isPublic(address));
    },
    isNamed(text) {
      const address = addressIn(text);
      return address !== null && isNamed(address);
    },
  };
}

/** @returns the same text for each way to write an address */
export function canonical(text: string): string {
  return addressIn(text)?.toString() ?? text;
}

/** @returns the address that a connection really leads to; null for no address */
function addressIn(text: string): Address | null {
  if (!ipaddr.isValid(text)) return null;
  const address = ipaddr.parse(text);
  if (!(address instanceof ipaddr.IPv6)) return address;
  if (address.isIPv4MappedAddress()) return address.toIPv4Address();
  if (address.match(nat64)) return new ipaddr.IPv4(address.toByteArray().slice(-4));
  return address;
}

function isPublic(address: Address): boolean {
  if (address.range() !== 'unicast') return false;
  // The library calls what is in no list unicast, even what is assigned to nothing.
  return !(address instanceof ipaddr.IPv6) || address.match(globalUnicast);
}

function rangeOf(text: string): [Address, number] {
  if (text.includes('/')) return ipaddr.parseCIDR(text);
  const address = ipaddr.parse(text);
  return [address, address.kind() === 'ipv4' ? 32 : 128];
}
