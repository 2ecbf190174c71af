/** Texts of the calendar that a day is chosen from. */
export const texts = {
  previousMonth: 'Previous month',
  nextMonth: 'Next month',
};
