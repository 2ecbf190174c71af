import { createClient, memoryTokens } from '@atelier/client';

export const api = createClient({
  baseUrl: process.env['MOCK_URL'] ?? '',
  tokens: memoryTokens({ accessToken: 'token', refreshToken: 'refresh' }),
});
