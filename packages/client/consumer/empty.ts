export const nothing = fetch;
