import { isIP } from 'node:net';
import { z } from 'zod';

export function signingSecret() {
  const error = 'expected at least 32 bytes';
  return z.string().refine((value) => Buffer.byteLength(value) >= 32, { error });
}

export function envelopeKey() {
  const error = 'expected exactly 64 hexadecimal characters';
  return z.string().regex(/^[0-9a-f]{64}$/i, { error });
}

/** Entries are taken literally: a blank beside a comma could be part of a key, or a typo. */
export function listOf(entry: () => z.ZodType<string>) {
  const one = entry();
  return z
    .string()
    .transform((value) => value.split(','))
    .superRefine((entries, ctx) => {
      for (const value of entries) {
        const { error } = one.safeParse(value);
        if (!error && value === value.trim()) continue;
        const wanted = error?.issues[0]?.message ?? 'expected no blanks around a comma';
        ctx.addIssue({ code: 'custom', message: `${wanted}, in every entry` });
        return;
      }
    });
}

export function integer(min: number, max: number) {
  const error = `expected an integer from ${min} to ${max}`;
  return z
    .string()
    .regex(/^\d{1,15}$/, { error })
    .transform(Number)
    .pipe(z.number().min(min, { error }).max(max, { error }));
}

export function limit(byDefault: number) {
  return integer(1, 1_000_000_000).default(byDefault);
}

export function windowSeconds(byDefault: number) {
  return integer(1, 7 * 24 * 60 * 60).default(byDefault);
}

export function flag() {
  return z
    .enum(['true', 'false'], { error: 'expected true or false' })
    .transform((value) => value === 'true');
}

export function port() {
  return integer(0, 65_535);
}

export function url(protocols: readonly string[]) {
  const error = `expected a URL starting with ${protocols.map((protocol) => `${protocol}//`).join(' or ')}`;
  return z
    .string()
    .refine((value) => protocols.includes(URL.parse(value)?.protocol ?? ''), { error });
}

const severalHosts =
  'it names several hosts, between which the drivers of requests and of jobs do not choose alike; name one address that ' +
  'leads to the primary instead, such as that of HAProxy in front of Patroni, of PgBouncer, or of your provider';

/** A Postgres URL of one server, or of what stands for one. */
export function databaseUrl() {
  // With a port for each host it is no URL, and the reason is the list.
  return z
    .string()
    .refine(hasOneHost, { error: severalHosts, abort: true })
    .pipe(url(['postgres:', 'postgresql:']));
}

/** Whether the host, in its place or as a parameter, is no list. The user or password may contain commas. */
function hasOneHost(value: string): boolean {
  const [address = '', query = ''] = value.replace(/^[^:]*:\/\//, '').split('?', 2);
  const authority = address.split('/')[0] ?? '';
  const hosts = [authority.slice(authority.lastIndexOf('@') + 1)];
  hosts.push(...new URLSearchParams(query).getAll('host'));
  return !hosts.some((host) => /,|%2c/i.test(host));
}

/** Taken literally: an issuer is compared exactly. */
export function endpointUrl() {
  return url(['http:', 'https:']);
}

export function httpUrl() {
  return endpointUrl().transform((value) => value.replace(/\/+$/, ''));
}

export function list() {
  return z.string().transform((value) =>
    value
      .split(',')
      .map((entry) => entry.trim())
      .filter((entry) => entry !== ''),
  );
}

/** As browsers send them: without a slash at the end, in lower case, without the port of the scheme. */
export function origins() {
  return list().transform((entries, ctx) =>
    entries.map((entry) => {
      const origin = originOf(entry);
      if (origin === null) {
        const message = 'expected origins such as https://app.example.com, comma-separated';
        ctx.addIssue({ code: 'custom', message });
      }
      return origin ?? entry;
    }),
  );
}

function originOf(entry: string): string | null {
  if (entry === '*') return entry;
  const parsed = URL.parse(entry);
  if (!parsed || parsed.host === '' || entry.includes('*')) return null;
  // Programs have schemes of their own, whose origin the parser doesn't tell.
  if (parsed.origin === 'null') return /^[a-z][a-z\d+.-]*:\/\/[^/]+$/.test(entry) ? entry : null;
  return parsed.href === `${parsed.origin}/` ? parsed.origin : null;
}

/** In the order of preference. */
export function contacts() {
  return list().refine((entries) => entries.every((entry) => isContact(entry)), {
    error: 'expected https:, mailto: or tel: addresses, comma-separated',
  });
}

function isContact(entry: string): boolean {
  return /^(?:https|mailto|tel):[\x21-\x7e]+$/.test(entry) && URL.canParse(entry);
}

export function isAddressOrRange(entry: string): boolean {
  const [address = '', prefix, ...rest] = entry.split('/');
  const version = isIP(address);
  if (version === 0 || rest.length > 0) return false;
  if (prefix === undefined) return true;
  return /^\d{1,3}$/.test(prefix) && Number(prefix) <= (version === 4 ? 32 : 128);
}
