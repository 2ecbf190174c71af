import { changesBetween } from '../../kernel/changes.ts';

/** The parts of an account that its owner may change. */
export interface ProfileFields {
  readonly firstName: string | null;
  readonly lastName: string | null;
  /** Whether assignments and mentions are mailed. */
  readonly mailNotices: boolean;
  /** Whether sign-ins from known devices and networks are mailed too. */
  readonly mailSignIns: boolean;
}

/** The requested changes: absent fields stay, null clears. */
export type WantedProfile = {
  readonly [Field in keyof ProfileFields]?: ProfileFields[Field] | undefined;
};

/** The new profile and its differences from the current one. */
export function profileAfter(current: ProfileFields, wanted: WantedProfile) {
  const fields: ProfileFields = {
    firstName: wanted.firstName === undefined ? current.firstName : wanted.firstName,
    lastName: wanted.lastName === undefined ? current.lastName : wanted.lastName,
    mailNotices: wanted.mailNotices ?? current.mailNotices,
    mailSignIns: wanted.mailSignIns ?? current.mailSignIns,
  };
  return { fields, changes: changesBetween(current, fields) };
}
