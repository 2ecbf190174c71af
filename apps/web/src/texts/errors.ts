/** What went wrong, by the code of the API. Codes that are missing show the API's own message. */
export const texts = {
  unexpected: 'Something went wrong here. Reload the page and try again.',
  requestId: (id: string) => `(Request ${id})`,
  transport: {
    network: 'There is no connection to the server. Check your network and try again.',
    timeout: 'The server took too long to answer. Try again.',
    session_expired: 'Your session has ended. Sign in again to go on.',
  },
  byCode: {
    invalid_credentials: 'The email or the password is wrong.',
    account_pending: 'Verify your email first: the link is in your inbox.',
    account_suspended: 'This account has been suspended.',
    invalid_or_expired_token: 'This link has expired or has been used already.',
    invalid_or_expired_code:
      'This sign-in has expired or has been used already. Sign in once more.',
    provider_not_configured: 'This way to sign in is not set up here.',
    organization_access_denied: 'You no longer have access to this organization.',
    permission_denied: 'Your role in this organization does not allow that.',
    not_admin: 'Only administrators of the service can do that.',
    invitation_email_mismatch:
      'This invitation is for another email address. Sign in with that one.',
    invitation_gone: 'This invitation has expired, or it was revoked or accepted already.',
    not_found: 'This does not exist any more, or belongs to another organization.',
    plan_limit_reached:
      'A plan limit is reached. Delete something or change the plan.',
    too_many_open_uploads: 'You have too many unfinished uploads. Finish or cancel some first.',
    public_links_forbidden: 'Public links are not allowed in this organization.',
    last_owner: 'An organization needs an owner. Name another one first.',
    personal_organization: 'A personal organization stays as it is and has no other members.',
    already_member: 'This person is a member already.',
    already_published: 'This asset has been published already.',
    collection_deleted: 'The collection is in the bin. Restore it first.',
    project_archived: 'The project is archived. Make it active to change its tasks.',
    assignee_not_member: 'Only active members can be assigned.',
    precondition_failed: 'Somebody else has changed this meanwhile. It has been loaded again.',
    confirmation_mismatch: 'The name does not match.',
    avatar_invalid:
      'This file is not a picture we can use. Choose a PNG, JPEG or WebP of at most 5 MB.',
    rate_limited: 'That was too often. Wait a moment and try again.',
    internal_error: 'The server failed at this. Try again later.',
    service_unavailable: 'The server is busy. Try again in a moment.',
    storage_unavailable: 'The file storage does not answer. Try again in a moment.',
    unknown: 'The answer did not come from the server. Check your network and try again.',
  },
};
