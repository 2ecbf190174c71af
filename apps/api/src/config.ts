import type { z } from 'zod';
import { variables } from './variables.ts';

/** Variables that are given alone, or in the list of the same name in the plural. */
const singles = ['JWT_SECRET', 'TOKEN_ENVELOPE_KEY'] as const;

/** The configuration of a process: every variable of {@link variables}, parsed. Of keys there are lists. */
export type Config = Omit<z.output<typeof variables>, (typeof singles)[number]>;

/** Variables that are missing or malformed, all at once. Never holds a value. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(
      ['The configuration is not valid:', ...problems.map((problem) => `  - ${problem}`)].join(
        '\n',
      ),
    );
    this.problems = problems;
  }
}

/**
 * Reads the configuration. Pure: looks at nothing but its argument.
 *
 * @param env - environment variables; an empty one counts as absent
 * @throws ConfigError naming every missing or malformed variable and what is wanted
 */
export function readConfig(env: Readonly<Record<string, string | undefined>>): Config {
  const present = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''));
  const result = variables.safeParse(present);
  const ofKeys = singles.flatMap((name) => problemsOfKeys(name, present));
  if (!result.success || ofKeys.length > 0) {
    const issues = result.error?.issues ?? [];
    throw new ConfigError([...issues.map((issue) => problemOf(issue, present)), ...ofKeys]);
  }
  const { JWT_SECRET, TOKEN_ENVELOPE_KEY, ...config } = result.data;
  return {
    ...config,
    JWT_SECRETS: JWT_SECRET === undefined ? config.JWT_SECRETS : [JWT_SECRET],
    TOKEN_ENVELOPE_KEYS:
      TOKEN_ENVELOPE_KEY === undefined ? config.TOKEN_ENVELOPE_KEYS : [TOKEN_ENVELOPE_KEY],
  };
}

/** Returns the origins whose pages may use the API and the storage; `*` alone for all. */
export function originsOf({
  APP_URL,
  CORS_ORIGINS,
}: Pick<Config, 'APP_URL' | 'CORS_ORIGINS'>): string[] {
  return CORS_ORIGINS.includes('*') ? ['*'] : [new URL(APP_URL).origin, ...CORS_ORIGINS];
}

type Present = Readonly<Record<string, string | undefined>>;

function problemOf(issue: z.core.$ZodIssue, present: Present): string {
  const name = String(issue.path[0]);
  if (present[name] === undefined) return `${name} is missing. ${meaningOf(name)}`;
  return `${name} is malformed: ${issue.message}. ${meaningOf(name)}`;
}

function problemsOfKeys(name: (typeof singles)[number], present: Present): string[] {
  const [single, several] = [present[name], present[`${name}S`]];
  if (single === undefined && several === undefined) {
    return [`${name} is missing. ${meaningOf(name)}`];
  }
  if (single === undefined || several === undefined) return [];
  return [`${name} and ${name}S are both given: leave one of them out. ${meaningOf(`${name}S`)}`];
}

function meaningOf(name: string): string {
  return variables.shape[name as keyof typeof variables.shape].description ?? '';
}
