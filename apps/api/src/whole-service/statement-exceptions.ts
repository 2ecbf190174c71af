interface Exception {
  readonly reason: string;
  readonly statement: RegExp;
}

/** Statements that are of no single organization, by their content. */
export const ofNoOrganization: readonly { readonly reason: string; readonly statement: RegExp }[] =
  [
    {
      reason: 'a request with an API key may leave it to the key which organization it is for',
      statement: /^select "users"\."id", .* from "api_keys" .*cardinality\(listed\.ids\)/,
    },
    {
      reason: 'old approvals are removed in all organizations',
      statement: /^select distinct "organization_id" from "approvals"/,
    },
    {
      reason: 'one sees what one did oneself, in whichever organization',
      statement: /from "activities" where \(?"activities"\."actor_id" = \$\d+/,
    },
    {
      reason: 'an export has all memberships of its account',
      statement: /from "memberships" where \(?"memberships"\."user_id" = \$1/,
    },
    {
      reason: 'an export has the reach of all keys of its account',
      statement:
        /from "api_key_organizations" where \(?"api_key_organizations"\."api_key_id" in \(select "api_keys"\."id" from "api_keys" where "api_keys"\."user_id" = /,
    },
    {
      reason: 'activities whose announcement was lost are searched in all organizations',
      statement: /^select (distinct )?log_positions\.organization_id as id from /,
    },
    {
      reason: 'of the organizations that were announced, those that are followed',
      statement:
        /^select distinct organization_id as id from log_positions where organization_id in /,
    },
    {
      reason: 'organizations that are followed from their beginning, whichever they are',
      statement: /^insert into log_positions .* from organizations, jsonb_to_recordset/,
    },
    {
      reason: 'one searches all organizations that one is a member of',
      statement: /"search_documents" as d where d\.organization_id = any\(\$\d+::uuid\[\]\)/,
    },
    {
      reason: 'one searches all organizations: which those are',
      statement:
        /^select "organizations"\."id" from "memberships" inner join "organizations" .* = 'SERVICE'\)/,
    },
    {
      reason: 'a person is found under a new name in all their teams',
      statement:
        /^select "organizations"\."id" from "memberships" inner join "organizations" on \(.*"type" = \$1/,
    },
    {
      reason: 'names that the release before has written are folded in all organizations',
      statement:
        /^select distinct "organization_id" from "(?:assets|projects|tasks)" where .*_folded" is null/,
    },
    {
      reason: 'one reads and marks what one is notified of, in whichever organization',
      statement: /from "notifications" .*"notifications"\."user_id" = \$\d/,
    },
    {
      reason: 'one is mailed what one is notified of, in whichever organization',
      statement:
        /^update "notifications" set "mail" = \$1 where \("notifications"\."user_id" = \$2|^select user_id as "userId", min\(updated_at\)/,
    },
    {
      reason: 'followers are told of due dates in all organizations',
      statement:
        /^select tasks\.organization_id as "organizationId", tasks\.id as "taskId", due\.reason/,
    },
    {
      reason: 'notifications that are no longer needed are removed in all organizations',
      statement:
        /^with due as \( ?select notifications\.organization_id,|^select (user_id as "userId"|sequence::text as sequence|notifications\.organization_id as "organizationId", notifications\.id) from notifications/,
    },
    {
      reason: 'a key tells which organization its service account belongs to',
      statement:
        /from "api_keys" .*left join "memberships" on \("memberships"\."user_id" = \S+ and "memberships"\."is_service" = /,
    },
    {
      reason: 'stored responses are removed when they expire, and with their account',
      statement:
        /^select distinct "organization_id" from "committed_responses"|^delete from "committed_responses" where "committed_responses"\."scope"/,
    },
    {
      reason: 'jobs whose announcement was lost are searched in all organizations',
      statement: /from "outgoing_jobs"$/,
    },
    {
      reason: 'old deliveries are removed in all organizations',
      statement:
        /^select "organization_id", "id" from "webhook_deliveries" where "webhook_deliveries"\."created_at" < |^delete from "webhook_deliveries" where \("webhook_deliveries"\."organization_id" in /,
    },
    {
      reason: 'secrets are sealed anew in all organizations',
      statement: /^select .* from "(webhooks|shares)" where \(*substr\("\1"\."(secret|token)", 1, /,
    },
    {
      // What they have missed is asked every ten seconds: not in each run of the test.
      reason: 'the open streams of all organizations are looked at together',
      statement:
        /^select (coalesce\(sessions\.id, api_keys\.id\) is not null .*|distinct activities\.organization_id as id) from jsonb_to_recordset\(\$1::text::jsonb\) as asked/,
    },
    {
      reason: 'the organizations that one is a member of, found by who one is',
      statement:
        /from "organizations" inner join "memberships" "mine" on .*"mine"\."user_id" = \$1/,
    },
    {
      reason: 'the organizations that a key reaches, found by the key',
      statement:
        /from "?api_key_organizations"? (inner )?join "?organizations"? on .* where \(?"?api_key_organizations"?\."?api_key_id"? = (api_keys\.id|\$1)/,
    },
    {
      reason: 'the roles of an account in the organizations that its key is to reach',
      statement:
        /from "memberships" inner join "organizations" on .*"memberships"\."user_id" = \$1/,
    },
    {
      reason: 'a link to an invitation is a secret that only its receiver has',
      statement: /from "invitation_tokens" .*where "invitation_tokens"\."token_hash" = \$\d+$/,
    },
    {
      reason: 'the link of a share is a secret of those who got it',
      statement: /from "shares" .*where "shares"\."token_hash" = \$\d+$/,
    },
    {
      reason: 'a ticket of a share is a secret of its visitor',
      statement:
        /from "share_tickets" inner join "shares" .*"share_tickets"\."ticket_hash" = \$\d+/,
    },
    {
      reason: 'what visitors left behind is removed in all organizations',
      statement:
        /^select distinct "organization_id" from "(share_tickets|share_views|shares|share_pictures)"/,
    },
    {
      reason: 'a short link is open to everybody who has it',
      statement:
        /from "assets" .*where \("assets"\."short_code" = \$1 and "assets"\."public_link_enabled" =/,
    },
    {
      reason: 'claims of uploads are of accounts, and are removed when they expire',
      statement:
        /^delete from "upload_claims" where \("upload_claims"\."expires_at" <= \$1 and ctid in \(select ctid from "upload_claims" where "upload_claims"\."expires_at" <= /,
    },
    {
      reason: 'expired uploads are ended in all organizations',
      statement: /from "uploads" where \("uploads"\."status" = \$1 and "uploads"\."expires_at" <=/,
    },
    {
      reason: 'what was published from assets that are purged is of other organizations',
      statement:
        /^select "organization_id", "id" from "assets" where "assets"\."published_from_asset_id" in \(\$\d/,
    },
    {
      reason: 'the bin is purged in all organizations: the organizations, found by what is due',
      statement:
        /^\(select "organization_id" from "assets" where "assets"\."deleted_at" <= \$1\) union/,
    },
    {
      reason: 'an account that the operator suspends has open invitations in any organization',
      statement:
        /^select "id" from "organizations" where \("organizations"\."id" in \(select "organization_id" from "invitations" where \("invitations"\."invited_by" = \$1/,
    },
    {
      reason: 'an object of the storage is looked up by its key, to see whether anybody knows it',
      statement:
        /^select "share_pictures"\."key" from .* where "share_pictures"\."key" in \(|^select referring\.key from \(|^select "stored_objects"\."thumbnail_key" from .* where "stored_objects"\."thumbnail_key" in \(/,
    },
    {
      reason: 'an object of the storage is listed once, whichever organizations have it',
      statement: /from "stored_objects" where \(?"stored_objects"\."key" (>|= \$1 limit)/,
    },
    {
      reason: 'a cover is set wherever its file was published to',
      statement:
        /^select .* from "stored_objects" where \("stored_objects"\."key" = \$1 and "stored_objects"\."thumbnail_key" is null\)$/,
    },
    {
      reason: "the stories of this test look at everybody's activities",
      statement:
        /^select "id", "action", .*, "organization_id" from "activities" where "activities"\."id" <> all\(\$1::uuid\[\]\)$/,
    },
  ];

/** Statements of one organization that a distributed database takes several steps for. */
export const inSteps: readonly Exception[] = [
  {
    reason: 'rows that a job has made are read once, and go to one server together',
    statement: /^insert into "?(notifications|search_documents)"? .* from jsonb_to_recordset\(/,
  },
  {
    reason: 'keys are of accounts, and in an organization only those of its members are shown',
    statement: /from "api_key_organizations" inner join "api_keys" .* "memberships"/,
  },
];

/**
 * A job in which organizations begin to be followed: on the coordinator, which has both tables. It waits for no one, and
 * holds its locks only briefly.
 */
export const startsToFollow =
  /^insert into log_positions .* for share of organizations skip locked/;
