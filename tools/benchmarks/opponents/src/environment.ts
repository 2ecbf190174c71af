import { tokenReader } from '../../src/limit/tokens.ts';

/** The variables that the benchmark passes to each opponent. */
const env = process.env as unknown as {
  readonly DATABASE_URL: string;
  readonly JWT_SECRET: string;
  readonly TOKEN_ENVELOPE_KEY: string;
  /** `guide`: as the guides of its parts advise; `tuned`: as fast as its parts allow. */
  readonly OPPONENT_TUNING: 'guide' | 'tuned';
};

export const databaseUrl = env.DATABASE_URL;
export const isTuned = env.OPPONENT_TUNING === 'tuned';
/** The pool size of the service, and the default of each driver. */
export const poolSize = 10;

/** Reads the bearer token of a request, with the same cryptography for all. */
export const readToken = tokenReader({
  signingSecret: env.JWT_SECRET,
  envelopeKey: env.TOKEN_ENVELOPE_KEY,
});

/** Prints the address of a server, which the benchmark waits for. */
export function announce(port: number): void {
  process.stdout.write(`Server listening at http://127.0.0.1:${port}\n`);
}
