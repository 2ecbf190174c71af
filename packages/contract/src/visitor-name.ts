import { text } from './primitives.ts';

/** Control, direction and invisible characters, except the three that names and emoji use. */
const unprintable =
  /(?!\u200c|\u200d|\ufe0f)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u;

/** The name that a visitor gives, without an account that would vouch for it. */
export const visitorName = text({ max: 60 }).refine((name) => !unprintable.test(name), {
  error: 'Invalid name: line breaks, direction marks and invisible characters are not allowed',
});
