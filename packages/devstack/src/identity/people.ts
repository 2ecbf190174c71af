import { createHash } from 'node:crypto';

/** A person that the sign-in page offers. */
export interface DemoPerson {
  email: string;
  name: string;
  /** The purpose of a special account. */
  note?: string;
}

/** The claims of the provider about a person. */
export interface Person {
  email: string;
  isEmailVerified: boolean;
  /** The provider refuses the sign-in as if the person had declined. */
  isDeclining: boolean;
  /** Always the same for one address, and not an address itself, so that no application uses it as one. */
  subject: string;
  numericId: number;
  login: string;
  name: string;
  givenName: string;
  familyName: string;
}

export const defaultPeople: readonly DemoPerson[] = [
  { email: 'mara.lindqvist@example.com', name: 'Mara Lindqvist' },
  { email: 'teo.okafor@example.com', name: 'Teo Okafor' },
  { email: 'yuki.tanabe@example.com', name: 'Yuki Tanabe' },
  {
    email: 'sam+unverified@example.com',
    name: 'Sam Unproven',
    note: 'the provider has not verified this address',
  },
  { email: 'kim+deny@example.com', name: 'Kim Declines', note: 'the sign-in is refused' },
];

// A subject may have 255 characters; it is the address in base64.
const emailForm = /^[\x21-\x7e]{1,64}@[\x21-\x7e]{1,120}$/;

/** Normalizes an address; undefined if it is malformed. */
export function normalizeEmail(text: unknown): string | undefined {
  if (typeof text !== 'string') return undefined;
  const email = text.trim().toLowerCase();
  return emailForm.test(email) && !/["<>]|@.*@/.test(email) ? email : undefined;
}

function nameFrom(localPart: string): string {
  const words = localPart.replace(/\+.*/, '').split(/[^\p{L}\p{N}]+/u);
  const named = words
    .filter((word) => word !== '')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1));
  return named.length === 0 ? 'Unnamed' : named.join(' ');
}

/** Returns the person of a normalized address; derives one that is not on the list from the address. */
export function personOf(email: string, people: readonly DemoPerson[]): Person {
  const localPart = email.slice(0, email.lastIndexOf('@'));
  const name = people.find((person) => person.email === email)?.name ?? nameFrom(localPart);
  const [givenName = name, ...others] = name.split(' ');
  const digest = createHash('sha256').update(email).digest();
  return {
    email,
    isEmailVerified: !localPart.endsWith('+unverified'),
    isDeclining: localPart.endsWith('+deny'),
    subject: Buffer.from(email).toString('base64url'),
    numericId: digest.readUIntBE(0, 5),
    login: localPart.replace(/[^a-z0-9]+/g, '-').replace(/^-|-$/g, '') || 'unnamed',
    name,
    givenName,
    familyName: others.join(' '),
  };
}

/** Returns the person of a subject. */
export function personBySubject(
  subject: string,
  people: readonly DemoPerson[],
): Person | undefined {
  const email = normalizeEmail(Buffer.from(subject, 'base64url').toString());
  return email === undefined ? undefined : personOf(email, people);
}
