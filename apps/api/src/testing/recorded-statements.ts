import type * as PostgresModule from 'postgres';

export interface SentStatement {
  readonly text: string;
  /** Before their conversion to the types of the database. */
  readonly parameters: readonly unknown[];
  /** Its connection plans it for any values. */
  readonly isPlannedOnce?: boolean;
}

/**
 * Every statement that this process sent since the list was cleared, in order; but not what the driver asks by itself on
 * each new connection, as the pool may open one at any time.
 */
export const sentStatements: SentStatement[] = [];

/**
 * The driver, with each statement recorded; a test file mocks the original with it:
 *
 *     vi.mock('postgres', async (original) => {
 *       const { recordingDriver } = await import('./testing/recorded-statements.ts');
 *       return recordingDriver(original);
 *     });
 */
export async function recordingDriver(
  importOriginal: <Module>() => Promise<Module>,
): Promise<{ default: typeof PostgresModule.default }> {
  const { default: postgres } = await importOriginal<{ default: typeof PostgresModule.default }>();
  const recording = (url: string, options: PostgresModule.Options<{}>) => {
    const isPlannedOnce = options.connection?.['plan_cache_mode'] === 'force_generic_plan';
    return postgres(url, {
      ...options,
      debug: (_connection, text, parameters) => {
        if (!isOfDriver(text)) sentStatements.push({ text, parameters, isPlannedOnce });
      },
    });
  };
  return { default: Object.assign(recording, postgres) };
}

/** Which types are arrays: `fetchArrayTypes` in the driver's connection.js. */
const isOfDriver = (text: string): boolean => text.includes('pg_catalog.pg_type');
