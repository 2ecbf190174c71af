/** Texts of the review of an asset, on cards and in lists. */
export const texts = {
  label: 'Review status',
  any: 'Any review',
  statuses: {
    NONE: 'Not reviewed',
    IN_REVIEW: 'In review',
    CHANGES_REQUESTED: 'Changes requested',
    APPROVED: 'Approved',
  },
};
