import { tokenReader } from '../../src/limit/tokens.ts';

/** What the benchmark tells each opponent. */
const env = process.env as unknown as {
  readonly DATABASE_URL: string;
  readonly JWT_SECRET: string;
  readonly TOKEN_ENVELOPE_KEY: string;
  /** `guide`: as the guides of its parts write it; `tuned`: as fast as its parts can be made. */
  readonly OPPONENT_TUNING: 'guide' | 'tuned';
};

export const databaseUrl = env.DATABASE_URL;
export const isTuned = env.OPPONENT_TUNING === 'tuned';
/** As many connections as the service opens; the default of each driver, too. */
export const poolSize = 10;

/** Reads the bearer token of a request, by the same cryptography for all. */
export const readToken = tokenReader({
  signingSecret: env.JWT_SECRET,
  envelopeKey: env.TOKEN_ENVELOPE_KEY,
});

/** Says where a server listens, as the benchmark waits for it. */
export function announce(port: number): void {
  process.stdout.write(`Server listening at http://127.0.0.1:${port}\n`);
}
