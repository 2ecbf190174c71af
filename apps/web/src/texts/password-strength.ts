/** Texts of the hint at a new password. */
export const texts = {
  hint: 'At least 8 characters. A few words work best.',
  label: 'Strength:',
  levels: ['very weak', 'weak', 'fair', 'good', 'strong'],
} as const;
