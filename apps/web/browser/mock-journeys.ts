/** A journey that doesn't run against the mock. */
interface LeftOut {
  readonly file: string;
  /** The beginning of the title; null: the whole file. */
  readonly title: string | null;
  readonly reason: string;
}

const storage = 'needs the real storage';
const provider = 'needs the sign-in provider';

/** Every journey that doesn't run against the mock; all others do. */
export const leftOut: readonly LeftOut[] = [
  { file: 'static-host', title: null, reason: 'starts the product itself' },
  { file: 'bad-network-pages', title: null, reason: 'needs the app at the address of the API' },
  { file: 'approvals', title: null, reason: 'needs the tools of assistants' },
  { file: 'uploads', title: null, reason: storage },
  { file: 'library-asset', title: null, reason: storage },
  { file: 'downloads', title: 'what breaks off is continued', reason: storage },
  { file: 'viewer', title: 'an SVG is shown without', reason: storage },
  { file: 'accounts', title: 'the button of ', reason: provider },
  { file: 'accounts', title: 'a declined sign-in shows why', reason: provider },
  { file: 'sign-in', title: null, reason: provider },
  { file: 'webhooks', title: 'a webhook is added', reason: 'the mock sends no messages' },
  {
    file: 'members',
    title: 'a suspended account is signed out',
    reason: "needs the operator's command line, which works on the database",
  },
];
