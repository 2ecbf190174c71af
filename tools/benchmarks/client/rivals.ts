interface Rival {
  /** Package specifiers for npm. */
  readonly packages: readonly string[];
  readonly what: string;
  /** The module that a page would import. */
  readonly code: string;
}

/** The clients that ours is compared with, each with the imports of an application. */
export const rivals: readonly Rival[] = [
  {
    packages: ['openapi-fetch@0.17.0'],
    what: 'typed requests',
    code: "export { default } from 'openapi-fetch';",
  },
  { packages: ['ky@2.1.0'], what: 'requests, retries', code: "export { default } from 'ky';" },
  {
    packages: ['@trpc/client@11.25.2', '@trpc/server@11.25.2'],
    what: 'typed requests in batches',
    code: "export { createTRPCClient, httpBatchLink } from '@trpc/client';",
  },
  {
    packages: ['@orpc/client@1.16.1'],
    what: 'typed requests',
    code: "export { createORPCClient } from '@orpc/client'; export { RPCLink } from '@orpc/client/fetch';",
  },
  {
    packages: ['tus-js-client@4.3.1'],
    what: 'resumable uploads',
    code: "export { Upload } from 'tus-js-client';",
  },
  {
    packages: ['@uppy/core@6.3.1', '@uppy/aws-s3@6.3.1'],
    what: 'uploads in parts to S3',
    code: "export { default as Uppy } from '@uppy/core'; export { default as AwsS3 } from '@uppy/aws-s3';",
  },
  {
    packages: ['stripe@23.1.0'],
    what: 'every operation, retries, pages',
    code: "export { default } from 'stripe';",
  },
  {
    packages: ['openai@7.57.0'],
    what: 'every operation, retries, pages, streams',
    code: "export { default } from 'openai';",
  },
  {
    packages: ['octokit@5.0.5'],
    what: 'every operation, retries, pages',
    code: "export { Octokit } from 'octokit';",
  },
  {
    packages: ['@supabase/supabase-js@2.119.1'],
    what: 'sessions, queries, files, live updates',
    code: "export { createClient } from '@supabase/supabase-js';",
  },
];
