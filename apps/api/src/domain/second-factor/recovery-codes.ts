import { createHmac, randomInt, type KeyObject } from 'node:crypto';
import { recoveryCodeCount } from '@atelier/contract';
import type { Keys } from '../../kernel/keys.ts';

/** Crockford's base32: no letter that looks like a digit. */
const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const codeLength = 16;

/** Makes recovery codes and the keyed hashes under which they are stored. */
export function recoveryCodes({ recoveryCodes: { current, named } }: Pick<Keys, 'recoveryCodes'>) {
  return {
    /** @returns the codes as they are shown once, and what is stored of them */
    issue(userId: string): { shown: string[]; hashes: Buffer[] } {
      const codes = Array.from({ length: recoveryCodeCount }, newCode);
      return {
        shown: codes.map((code) => code.replaceAll(/.{4}(?=.)/g, '$&-')),
        hashes: codes.map((code) => hashOf(userId, code, { id: current.id, key: current.key })),
      };
    },

    /** @returns what is stored of a presented code, under each key that may have been the current one */
    hashesOf(userId: string, presented: string): Buffer[] {
      const code = canonical(presented);
      return [...named].map(([id, key]) => hashOf(userId, code, { id, key }));
    },

    /** The first bytes of the hashes that can still be compared. */
    keyIds: [...named.keys()].map((id) => Buffer.from(id, 'base64url')),
  };
}

function newCode(): string {
  return Array.from({ length: codeLength }, () => alphabet[randomInt(alphabet.length)]).join('');
}

/** Reads a code as people type it. */
function canonical(presented: string): string {
  return presented
    .toUpperCase()
    .replaceAll(/[\s-]/g, '')
    .replaceAll('O', '0')
    .replaceAll(/[IL]/g, '1');
}

/** The id of the key, then the hash. The account is part of it: equal codes of two accounts differ. */
function hashOf(userId: string, code: string, { id, key }: { id: string; key: KeyObject }): Buffer {
  const mac = createHmac('sha256', key).update(`${userId} ${code}`).digest();
  return Buffer.concat([Buffer.from(id, 'base64url'), mac]);
}
