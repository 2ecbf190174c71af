/** Comments on an asset that are fetched by themselves; the user asks for more. */
export const maxFollowedComments = 1000;
