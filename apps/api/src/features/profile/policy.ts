/** What of an account its owner may change. */
export interface ProfileFields {
  readonly firstName: string | null;
  readonly lastName: string | null;
  /** Whether assignments and mentions are mailed. */
  readonly mailNotices: boolean;
}

/** What a caller wants changed: absent stays, null clears. */
export type WantedProfile = {
  readonly [Field in keyof ProfileFields]?: ProfileFields[Field] | undefined;
};

/** The profile as it will be, and how it differs from what it is. */
export function profileAfter(current: ProfileFields, wanted: WantedProfile) {
  const fields: ProfileFields = {
    firstName: wanted.firstName === undefined ? current.firstName : wanted.firstName,
    lastName: wanted.lastName === undefined ? current.lastName : wanted.lastName,
    mailNotices: wanted.mailNotices ?? current.mailNotices,
  };
  const changes = (['firstName', 'lastName', 'mailNotices'] as const)
    .filter((field) => fields[field] !== current[field])
    .map((field) => ({ field, from: current[field], to: fields[field] }));
  return { fields, changes };
}
