export interface Names {
  readonly firstName: string | null;
  readonly lastName: string | null;
}

/** What a caller wants changed: absent stays, null clears. */
export type WantedNames = { readonly [Field in keyof Names]?: Names[Field] | undefined };

/** The names as they will be, and how they differ from what they are. */
export function namesAfter(current: Names, wanted: WantedNames) {
  const names = {
    firstName: wanted.firstName === undefined ? current.firstName : wanted.firstName,
    lastName: wanted.lastName === undefined ? current.lastName : wanted.lastName,
  };
  const changes = (['firstName', 'lastName'] as const)
    .filter((field) => names[field] !== current[field])
    .map((field) => ({ field, from: current[field], to: names[field] }));
  return { names, changes };
}
