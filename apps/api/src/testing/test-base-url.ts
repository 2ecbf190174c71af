/** The public URL of every API under test, which is the sign-in provider's redirect target. */
export const testBaseUrl = 'https://api.example.com';
