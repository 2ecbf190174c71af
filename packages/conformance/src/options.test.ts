import { expectTypeOf, test } from 'vitest';
import { checkConformance, type ConformanceOptions } from './run.ts';

test('each profile has options of its own, and the full one is the default', () => {
  const calls = (options: ConformanceOptions) => [
    () => checkConformance(options),
    () => checkConformance({ baseUrl: '', mailApiUrl: '' }),
    () =>
      checkConformance({
        baseUrl: '',
        profile: 'read-only',
        account: { email: '', password: '' },
      }),
    // @ts-expect-error the full profile needs the inbox
    () => checkConformance({ baseUrl: '' }),
    // @ts-expect-error the read-only profile needs an account
    () => checkConformance({ baseUrl: '', profile: 'read-only' }),
    // @ts-expect-error the full profile creates its accounts
    () => checkConformance({ baseUrl: '', mailApiUrl: '', account: { email: '', password: '' } }),
  ];
  expectTypeOf(calls).parameter(0).toEqualTypeOf<ConformanceOptions>();
});
