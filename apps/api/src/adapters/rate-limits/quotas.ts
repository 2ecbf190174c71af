import type { Config } from '../../config.ts';
import type { Quota, QuotaName } from '../../ports/rate-limiter.ts';

/** The variables of each quota: its limit, and its window in seconds. */
const variablesOf = {
  'login-address': ['RATE_LIMIT_LOGIN_FAILURES_PER_ADDRESS', 'RATE_LIMIT_LOGIN_WINDOW_SECONDS'],
  'login-account': ['RATE_LIMIT_LOGIN_FAILURES_PER_ACCOUNT', 'RATE_LIMIT_LOGIN_WINDOW_SECONDS'],
  'second-factor-account': [
    'RATE_LIMIT_SECOND_FACTOR_FAILURES_PER_ACCOUNT',
    'RATE_LIMIT_SECOND_FACTOR_WINDOW_SECONDS',
  ],
  'register-address': ['RATE_LIMIT_REGISTER_PER_ADDRESS', 'RATE_LIMIT_REGISTER_WINDOW_SECONDS'],
  'register-mailbox': ['RATE_LIMIT_REGISTER_PER_MAILBOX', 'RATE_LIMIT_REGISTER_WINDOW_SECONDS'],
  'password-reset-address': [
    'RATE_LIMIT_PASSWORD_RESET_PER_ADDRESS',
    'RATE_LIMIT_PASSWORD_RESET_WINDOW_SECONDS',
  ],
  'password-reset-mailbox': [
    'RATE_LIMIT_PASSWORD_RESET_PER_MAILBOX',
    'RATE_LIMIT_PASSWORD_RESET_WINDOW_SECONDS',
  ],
  'refresh-address': ['RATE_LIMIT_REFRESH_PER_ADDRESS', 'RATE_LIMIT_REFRESH_WINDOW_SECONDS'],
  'leaked-key-address': [
    'RATE_LIMIT_LEAKED_KEYS_PER_ADDRESS',
    'RATE_LIMIT_LEAKED_KEYS_WINDOW_SECONDS',
  ],
  'invitation-inviter': [
    'RATE_LIMIT_INVITATIONS_PER_INVITER',
    'RATE_LIMIT_INVITATIONS_WINDOW_SECONDS',
  ],
  'invitation-mailbox': [
    'RATE_LIMIT_INVITATION_MAILS_PER_MAILBOX',
    'RATE_LIMIT_INVITATIONS_WINDOW_SECONDS',
  ],
  search: ['RATE_LIMIT_SEARCHES_PER_CALLER', 'RATE_LIMIT_SEARCHES_WINDOW_SECONDS'],
  suggest: ['RATE_LIMIT_SUGGESTIONS_PER_CALLER', 'RATE_LIMIT_SEARCHES_WINDOW_SECONDS'],
  'search-rebuild': [
    'RATE_LIMIT_SEARCH_REBUILDS_PER_ORGANIZATION',
    'RATE_LIMIT_SEARCH_REBUILDS_WINDOW_SECONDS',
  ],
  'share-password-network': [
    'RATE_LIMIT_SHARE_PASSWORDS_PER_NETWORK',
    'RATE_LIMIT_SHARE_PASSWORDS_PER_NETWORK_WINDOW_SECONDS',
  ],
  'share-password': [
    'RATE_LIMIT_SHARE_PASSWORDS_PER_SHARE',
    'RATE_LIMIT_SHARE_PASSWORDS_PER_SHARE_WINDOW_SECONDS',
  ],
  'share-ticket': [
    'RATE_LIMIT_SHARE_REQUESTS_PER_TICKET',
    'RATE_LIMIT_SHARE_REQUESTS_WINDOW_SECONDS',
  ],
  'share-network': [
    'RATE_LIMIT_SHARE_REQUESTS_PER_TICKET',
    'RATE_LIMIT_SHARE_REQUESTS_WINDOW_SECONDS',
  ],
  'share-comment-ticket': [
    'RATE_LIMIT_SHARE_COMMENTS_PER_TICKET',
    'RATE_LIMIT_SHARE_COMMENTS_WINDOW_SECONDS',
  ],
  'share-comment': [
    'RATE_LIMIT_SHARE_COMMENTS_PER_SHARE',
    'RATE_LIMIT_SHARE_COMMENTS_WINDOW_SECONDS',
  ],
  default: ['RATE_LIMIT_DEFAULT_PER_CALLER', 'RATE_LIMIT_DEFAULT_WINDOW_SECONDS'],
} as const satisfies Record<QuotaName, readonly [keyof Config, keyof Config]>;

/** Quotas with several times the limit of their variable. */
const timesOf: Partial<Record<QuotaName, number>> = {
  // An office behind one address.
  'share-network': 10,
};

/** Returns the quota of a name from the configuration. */
export function quotaOf(name: QuotaName, config: Config): Quota {
  const [limit, windowSeconds] = variablesOf[name];
  return {
    name,
    limit: config[limit] * (timesOf[name] ?? 1),
    windowSeconds: config[windowSeconds],
  };
}
