import { randomBytes, randomInt } from 'node:crypto';
import { chmodSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeFileAtomically } from './atomic-file.ts';

/** Secrets that the embedded stack generates once and stores. */
export interface Secrets {
  jwtSecret: string;
  /** 64 hexadecimal characters. */
  tokenEnvelopeKey: string;
  s3AccessKey: string;
  s3SecretKey: string;
  googleClientSecret: string;
  githubClientSecret: string;
  demoPassword: string;
}

// Without characters that people confuse, because people type it.
const readableCharacters = 'abcdefghjkmnpqrstuvwxyz23456789';

function readablePassword(): string {
  const character = (): string => readableCharacters.charAt(randomInt(readableCharacters.length));
  const group = (): string => Array.from({ length: 5 }, character).join('');
  return [group(), group(), group()].join('-');
}

const rules: Readonly<Record<keyof Secrets, { form: RegExp; generate: () => string }>> = {
  jwtSecret: { form: /^[\w-]{32,}$/, generate: () => randomBytes(48).toString('base64url') },
  tokenEnvelopeKey: { form: /^[0-9a-f]{64}$/, generate: () => randomBytes(32).toString('hex') },
  s3AccessKey: {
    form: /^[A-Z0-9]{16,}$/,
    generate: () => randomBytes(10).toString('hex').toUpperCase(),
  },
  s3SecretKey: { form: /^[\w-]{32,}$/, generate: () => randomBytes(30).toString('base64url') },
  googleClientSecret: {
    form: /^[\w-]{20,}$/,
    generate: () => randomBytes(24).toString('base64url'),
  },
  githubClientSecret: {
    form: /^[\w-]{20,}$/,
    generate: () => randomBytes(24).toString('base64url'),
  },
  demoPassword: { form: /^[\w-]{12,}$/, generate: readablePassword },
};

function collect(valueOf: (name: keyof Secrets) => string): Secrets {
  return {
    jwtSecret: valueOf('jwtSecret'),
    tokenEnvelopeKey: valueOf('tokenEnvelopeKey'),
    s3AccessKey: valueOf('s3AccessKey'),
    s3SecretKey: valueOf('s3SecretKey'),
    googleClientSecret: valueOf('googleClientSecret'),
    githubClientSecret: valueOf('githubClientSecret'),
    demoPassword: valueOf('demoPassword'),
  };
}

function parseSecrets(text: string): Secrets {
  const parsed: unknown = JSON.parse(text);
  if (typeof parsed !== 'object' || parsed === null) throw new Error('it is not a JSON object');
  const fields = new Map<string, unknown>(Object.entries(parsed));
  return collect((name) => {
    const value = fields.get(name);
    if (typeof value === 'string' && rules[name].form.test(value)) return value;
    throw new Error(`${name} is missing or malformed`);
  });
}

function reasonOf(error: unknown): string {
  // The parser's message quotes its input, which is secret.
  if (error instanceof SyntaxError) return 'it is not JSON';
  return error instanceof Error ? error.message : String(error);
}

/**
 * Reads the secrets of a data directory, or generates them (mode 0600) if there are none.
 *
 * @throws Error that names the file, the problem and the remedy; never a value
 */
export function loadSecrets(dataDir: string): Secrets {
  const path = join(dataDir, 'secrets.json');
  try {
    const secrets = parseSecrets(readFileSync(path, 'utf8'));
    chmodSync(path, 0o600);
    return secrets;
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) {
      throw new Error(
        `${path} can't be used: ${reasonOf(error)}. ` +
          'Restore it if there is a copy. Delete it otherwise, and the next start generates new secrets: ' +
          'all users must sign in again, webhooks are disabled, and authenticator apps and recovery codes no longer work.',
        { cause: error },
      );
    }
  }
  const generated = collect((name) => rules[name].generate());
  writeFileAtomically(path, `${JSON.stringify(generated, null, 2)}\n`);
  return generated;
}
