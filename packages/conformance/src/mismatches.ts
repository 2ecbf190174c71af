import type { z } from 'zod';

type Issue = z.core.$ZodIssue;

/** Describes what a schema expects of the first wrong field of a body, and what the field has. */
export function describeMismatch(
  { issues }: z.ZodError,
  json: unknown,
): { expected: string; actual: string } {
  const [first] = issues;
  if (json === undefined || !first) return { expected: 'a JSON body', actual: 'not JSON' };
  const field = first.path.map(String).join('.') || 'the body';
  const others = issues.length > 1 ? ` (and ${issues.length - 1} more wrong fields)` : '';
  return {
    expected: `${field}: ${wanted(first)}`,
    actual: `${field}: ${valueAt(json, first.path)}${others}`,
  };
}

function wanted(issue: Issue): string {
  switch (issue.code) {
    case 'invalid_type':
      return issue.expected;
    case 'invalid_value':
      return issue.values.map((value) => JSON.stringify(value)).join(' or ');
    case 'invalid_format':
      return issue.pattern ?? issue.format;
    default:
      return issue.message;
  }
}

function valueAt(json: unknown, path: readonly PropertyKey[]): string {
  const value = path.reduce<unknown>(
    (parent, name) => (parent as Readonly<Record<PropertyKey, unknown>> | null | undefined)?.[name],
    json,
  );
  if (secret.test(String(path.at(-1)))) return '…';
  const text = (JSON.stringify(value) ?? 'missing').replaceAll(secrets, '"$1":"…"');
  return text.length > longestValue ? `${text.slice(0, longestValue)}…` : text;
}

const longestValue = 160;
const secret = /^(password|accessToken|refreshToken|resetToken|token|code)$/;
const secrets = /"(password|accessToken|refreshToken|resetToken|token|code)":"[^"]*"/g;
