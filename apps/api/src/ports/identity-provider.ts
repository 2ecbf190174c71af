/** Providers for sign-in. */
export type ProviderId = 'google' | 'github';

/** The state of one sign-in between the redirect to the provider and the callback. */
export interface SignInAttempt {
  /** 256 random bits; the browser returns it. */
  readonly state: string;
  /** Proves to the provider that the client that exchanges the code also requested it. */
  readonly codeVerifier: string;
  /** Binds the id token to this sign-in; empty if the provider issues none. */
  readonly nonce: string;
}

/** The identity that a provider vouches for. */
export interface AssertedIdentity {
  /** The provider's user id: never changes, unlike the email. At most 255 characters. */
  readonly subject: string;
  /** Lower case; null if the provider names no valid one. */
  readonly email: string | null;
  readonly isEmailVerified: boolean;
  readonly firstName: string | null;
  readonly lastName: string | null;
}

/** The outcome of the exchange. `cause` is for the log; it contains no code and no token. */
export type Identification =
  | { readonly outcome: 'identified'; readonly identity: AssertedIdentity }
  | { readonly outcome: 'refused' | 'unavailable'; readonly cause: unknown };

/** A provider for sign-in. */
export interface IdentityProvider {
  readonly id: ProviderId;
  /** The issuer that the provider may name in its callback; null if it has none. */
  readonly issuer: string | null;
  /**
   * Starts a sign-in, without a network request.
   *
   * @param loginHint - the account to suggest to the provider
   */
  begin(loginHint: string | undefined): Promise<{
    readonly attempt: SignInAttempt;
    readonly address: string;
  }>;
  /** Exchanges the code and verifies the response. Never rejects; each network request takes at most 5 s. */
  identify(returned: { code: string; attempt: SignInAttempt }): Promise<Identification>;
}

/** Null: not configured. */
export type IdentityProviders = Readonly<Record<ProviderId, IdentityProvider | null>>;
