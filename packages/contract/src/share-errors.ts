/** Errors of shares and of their visitors, part of the catalogue. */
export const shareErrors = {
  share_password_required: {
    status: 401,
    message: 'This share needs a password',
    when: 'Opening a share that has a password without one.',
  },
  share_password_wrong: {
    status: 401,
    message: 'The password is wrong',
    when: 'Opening a share with a wrong password.',
  },
  share_download_off: {
    status: 403,
    message: 'The files of this share cannot be downloaded',
    when: 'Downloading from a share that does not allow it.',
  },
  share_comments_off: {
    status: 403,
    message: 'This share takes no comments',
    when: 'Reading or posting comments in a share that does not allow them.',
  },
  share_not_found: {
    status: 404,
    message: 'There is nothing here any more, or there never was',
    when: 'The share is unknown, or was ended, has expired, was opened too often, or its target is gone; or it does not show the asset.',
  },
  too_many_shares: {
    status: 409,
    message: 'The organization has too many shares; end some',
    when: 'Creating or prolonging a share beside 500 that have not ended.',
  },
  too_many_pinned_assets: {
    status: 409,
    message: 'The collection has too many assets to pin their versions',
    when: 'Pinning the versions of a collection with more than 10,000 assets.',
  },
  share_policy: {
    status: 409,
    message: 'The organization does not allow such a share',
    when: 'The share policy of the organization forbids the conditions; the message says which.',
  },
  share_revoked: {
    status: 409,
    message: 'The share has been ended; create another',
    when: 'Changing a share that was ended.',
  },
} as const;
