import { expect, test } from 'vitest';
import { httpConfiguration, programConfiguration } from './assistant-configuration.ts';

test('a client that connects gets the address, and the key as a header', () => {
  expect(JSON.parse(httpConfiguration('https://api.example.com', 'atl_pat_x'))).toEqual({
    mcpServers: {
      atelier: {
        type: 'http',
        url: 'https://api.example.com/mcp',
        headers: { Authorization: 'Bearer atl_pat_x' },
      },
    },
  });
});

test('a client that starts a program gets its command, and the key as a variable', () => {
  expect(JSON.parse(programConfiguration('https://api.example.com/', 'atl_pat_x'))).toEqual({
    mcpServers: {
      atelier: {
        command: 'npx',
        args: ['-y', '@atelier/mcp'],
        env: { ATELIER_URL: 'https://api.example.com', ATELIER_KEY: 'atl_pat_x' },
      },
    },
  });
});
