import { z } from 'zod';
import { resultOf } from '../results.ts';
import type { OwnTool } from './own-tool.ts';

/** Tells an assistant what it may do, and where. */
export const whoami: OwnTool<object> = {
  name: 'whoami',
  title: 'Tell which API key this is, and what it may do',
  description:
    'The key with its mode, the organizations that it reaches, and its scopes in each of them. In the mode ASK, a person approves what removes something; in every mode, what shows data to outsiders.',
  toolset: null,
  scope: null,
  effect: 'read',
  input: z.strictObject({}),
  async call({ caller }) {
    const { name, kind, toolMode, expiresAt, organizations } = caller;
    return resultOf({ key: { name, kind, toolMode, expiresAt }, organizations });
  },
};
