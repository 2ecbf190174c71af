import { flag, limit, windowSeconds } from './variable-kinds.ts';

/** The variables of rate limits, as parts of all variables. */
export const rateLimitVariables = {
  RATE_LIMIT_ENABLED: flag()
    .default(true)
    .describe('Whether requests are rate-limited; `false` turns every limit below off.'),
  RATE_LIMIT_LOGIN_FAILURES_PER_ACCOUNT: limit(10).describe(
    'Failed sign-ins per account and window.',
  ),
  RATE_LIMIT_LOGIN_FAILURES_PER_ADDRESS: limit(50).describe(
    'Failed sign-ins per address and window.',
  ),
  RATE_LIMIT_LOGIN_WINDOW_SECONDS: windowSeconds(15 * 60).describe(
    'Window of failed sign-ins, in seconds. Default 15 minutes.',
  ),
  RATE_LIMIT_SECOND_FACTOR_FAILURES_PER_ACCOUNT: limit(5).describe(
    'Wrong second factors per account and window, over all operations that take one.',
  ),
  RATE_LIMIT_SECOND_FACTOR_WINDOW_SECONDS: windowSeconds(15 * 60).describe(
    'Window of wrong second factors, in seconds. Default 15 minutes.',
  ),
  RATE_LIMIT_REGISTER_PER_ADDRESS: limit(5).describe('Registrations per address and window.'),
  RATE_LIMIT_REGISTER_PER_MAILBOX: limit(5).describe('Registrations per mailbox and window.'),
  RATE_LIMIT_REGISTER_WINDOW_SECONDS: windowSeconds(60 * 60).describe(
    'Window of registrations, in seconds. Default 1 hour.',
  ),
  RATE_LIMIT_PASSWORD_RESET_PER_ADDRESS: limit(5).describe(
    'Requested password resets per address and window.',
  ),
  RATE_LIMIT_PASSWORD_RESET_PER_MAILBOX: limit(5).describe(
    'Requested password resets per mailbox and window.',
  ),
  RATE_LIMIT_PASSWORD_RESET_WINDOW_SECONDS: windowSeconds(60 * 60).describe(
    'Window of requested password resets, in seconds. Default 1 hour.',
  ),
  RATE_LIMIT_REFRESH_PER_ADDRESS: limit(150).describe('Refreshes per address and window.'),
  RATE_LIMIT_REFRESH_WINDOW_SECONDS: windowSeconds(5 * 60).describe(
    'Window of refreshes, in seconds. Default 5 minutes.',
  ),
  RATE_LIMIT_LEAKED_KEYS_PER_ADDRESS: limit(30).describe(
    'Reports of leaked API keys per address and window.',
  ),
  RATE_LIMIT_LEAKED_KEYS_WINDOW_SECONDS: windowSeconds(60).describe(
    'Window of reports of leaked API keys, in seconds.',
  ),
  RATE_LIMIT_INVITATIONS_PER_INVITER: limit(50).describe('Invitations per inviter and window.'),
  RATE_LIMIT_INVITATION_MAILS_PER_MAILBOX: limit(5).describe(
    'Invitation mails per mailbox and window, from all inviters together; further ones are not sent.',
  ),
  RATE_LIMIT_INVITATIONS_WINDOW_SECONDS: windowSeconds(60 * 60).describe(
    'Window of invitations, in seconds. Default 1 hour.',
  ),
  RATE_LIMIT_INVITATION_MAIL_PAUSE_SECONDS: windowSeconds(10 * 60).describe(
    'Least time between two mails of one invitation, in seconds. Default 10 minutes.',
  ),
  RATE_LIMIT_SEARCHES_PER_CALLER: limit(60).describe('Searches per caller and window.'),
  RATE_LIMIT_SUGGESTIONS_PER_CALLER: limit(240).describe(
    'Requests for suggestions while typing, per caller and window.',
  ),
  RATE_LIMIT_SEARCHES_WINDOW_SECONDS: windowSeconds(60).describe(
    'Window of searches and suggestions, in seconds.',
  ),
  RATE_LIMIT_SEARCH_REBUILDS_PER_ORGANIZATION: limit(1).describe(
    'Rebuilds of the search index per organization and window.',
  ),
  RATE_LIMIT_SEARCH_REBUILDS_WINDOW_SECONDS: windowSeconds(60 * 60).describe(
    'Window of rebuilds of the search index, in seconds. Default 1 hour.',
  ),
  RATE_LIMIT_SHARE_PASSWORDS_PER_NETWORK: limit(10).describe(
    'Wrong passwords per share, network and window.',
  ),
  RATE_LIMIT_SHARE_PASSWORDS_PER_NETWORK_WINDOW_SECONDS: windowSeconds(15 * 60).describe(
    'Window of wrong passwords of a share from one network, in seconds. Default 15 minutes.',
  ),
  RATE_LIMIT_SHARE_PASSWORDS_PER_SHARE: limit(50).describe(
    'Wrong passwords per share and window, from all networks together.',
  ),
  RATE_LIMIT_SHARE_PASSWORDS_PER_SHARE_WINDOW_SECONDS: windowSeconds(60 * 60).describe(
    'Window of wrong passwords of a share, in seconds. Default 1 hour.',
  ),
  RATE_LIMIT_SHARE_REQUESTS_PER_TICKET: limit(300).describe(
    'Requests of a visitor of a share per ticket and window. All visitors of a share from one network have ten times as many together.',
  ),
  RATE_LIMIT_SHARE_REQUESTS_WINDOW_SECONDS: windowSeconds(60).describe(
    'Window of requests of visitors, in seconds.',
  ),
  RATE_LIMIT_SHARE_COMMENTS_PER_TICKET: limit(30).describe(
    'Comments of a visitor of a share per ticket and window.',
  ),
  RATE_LIMIT_SHARE_COMMENTS_PER_SHARE: limit(200).describe(
    'Comments of all visitors of a share together, per share and window.',
  ),
  RATE_LIMIT_SHARE_COMMENTS_WINDOW_SECONDS: windowSeconds(60 * 60).describe(
    'Window of comments of visitors, in seconds. Default 1 hour.',
  ),
  RATE_LIMIT_DEFAULT_PER_CALLER: limit(600).describe(
    'Other requests per user, or per address if anonymous, and window.',
  ),
  RATE_LIMIT_DEFAULT_WINDOW_SECONDS: windowSeconds(60).describe(
    'Window of other requests, in seconds.',
  ),
};
