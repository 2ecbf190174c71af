import { sql } from 'drizzle-orm';
import type { PersonRow } from './present.ts';

/** A row of `users` as JSON. Its fields have one order, because rows of people are compared as text. */
export const personJson = sql<PersonRow>`json_build_object(
  'id', users.id, 'email', users.email, 'firstName', users.first_name,
  'lastName', users.last_name, 'avatarKey', users.avatar_key)`;
