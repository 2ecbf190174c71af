/** Providers that people may sign in through. */
export type ProviderId = 'google' | 'github';

/** What one sign-in has to remember between leaving for the provider and coming back. */
export interface SignInAttempt {
  /** 256 random bits; comes back with the browser. */
  readonly state: string;
  /** Proves to the provider that who exchanges the code also asked for it. */
  readonly codeVerifier: string;
  /** Binds the id token to this sign-in; empty where the provider issues none. */
  readonly nonce: string;
}

/** What a provider vouches for. */
export interface AssertedIdentity {
  /** Who it is: stays the same at the provider for ever, unlike the email. At most 255 characters. */
  readonly subject: string;
  /** Lower case; null when the provider names none that could be one. */
  readonly email: string | null;
  readonly isEmailVerified: boolean;
  readonly firstName: string | null;
  readonly lastName: string | null;
}

/** What came of asking the provider. `cause` is for the log; it holds no code and no token. */
export type Identification =
  | { readonly outcome: 'identified'; readonly identity: AssertedIdentity }
  | { readonly outcome: 'refused' | 'unavailable'; readonly cause: unknown };

/** A provider that people may sign in through. */
export interface IdentityProvider {
  readonly id: ProviderId;
  /** Issuer that the provider may name when it sends the browser back; null when it has none. */
  readonly issuer: string | null;
  /**
   * Begins a sign-in, without a network call.
   *
   * @param loginHint - whom to suggest to the provider
   */
  begin(loginHint: string | undefined): Promise<{
    readonly attempt: SignInAttempt;
    readonly address: string;
  }>;
  /** Exchanges the code and verifies the answer. Never rejects; each network call takes at most 5 s. */
  identify(returned: { code: string; attempt: SignInAttempt }): Promise<Identification>;
}

/** Null: not configured. */
export type IdentityProviders = Readonly<Record<ProviderId, IdentityProvider | null>>;
