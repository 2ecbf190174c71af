/** The public address of every API under test, which the sign-in provider sends browsers back to. */
export const testBaseUrl = 'https://api.example.com';
