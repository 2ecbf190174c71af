import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A TypeScript block of a document. */
export interface Block {
  /** The document and the first line of the block, such as `docs/guides/errors.md:12`. */
  readonly place: string;
  readonly source: string;
  /** Fenced as `ts run`: the test also runs it. */
  readonly isRun: boolean;
}

/** Finds every TypeScript block of the guides and READMEs. */
export function blocksOfDocuments(root: string): Block[] {
  return globSync(['README.md', 'docs/guides/*.md', 'packages/*/README.md'], { cwd: root })
    .toSorted()
    .flatMap((file) => blocksIn(file, readFileSync(join(root, file), 'utf8')));
}

/** Finds the TypeScript blocks of a text, also indented ones, such as those of a list. */
export function blocksIn(file: string, text: string): Block[] {
  return [...text.matchAll(/^( *)```(?:tsx?|typescript)( run)?\n([^]*?)^\1```$/gm)].map((match) => {
    const [, margin = '', run, source = ''] = match;
    const line = text.slice(0, match.index).split('\n').length;
    return {
      place: `${file}:${line}`,
      source: source.replaceAll(new RegExp(`^${margin}`, 'gm'), ''),
      isRun: run !== undefined,
    };
  });
}

/** Finds the TypeScript files of a document: blocks fenced as ` ```ts name.ts `, by name. */
export function filesIn(text: string): ReadonlyMap<string, string> {
  const files = text.matchAll(/^```ts (\S+\.ts)\n([^]*?)^```$/gm);
  return new Map([...files].map(([, name = '', source = '']) => [name, source]));
}

/** Declares the names that readers bring themselves: values and functions of an application. */
export const given = `
import type { Client } from '@atelier/client';
import type { QueryGroups } from '@atelier/client/react-query';
import type { QueryClient } from '@tanstack/react-query';
declare global {
  const api: Client;
  const baseUrl: string;
  const email: string;
  const password: string;
  const token: string;
  const code: string;
  const id: string;
  const memberId: string;
  const organizationId: string;
  const projectId: string;
  const collectionId: string;
  const assetId: string;
  const file: File;
  const body: { data: unknown };
  const request: Request;
  const queryClient: QueryClient;
  const queries: QueryGroups;
  function show(share: number): void;
  function refresh(resourceType: string, resourceId: string): void;
  function refreshEverything(): void;
  function traceId(): string;
}
`;
