import { randomInt } from 'node:crypto';

const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const secretCharacters = 43;

/** Issues the token of a share's link: 256 random bits. */
export function newShareToken(): string {
  return `atls_${randomSecret()}`;
}

/** Issues a ticket for the visit of a share. */
export function newShareTicket(): string {
  return `atlv_${randomSecret()}`;
}

function randomSecret(): string {
  return Array.from({ length: secretCharacters }, () => digits[randomInt(digits.length)]).join('');
}
