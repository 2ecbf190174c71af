import { markdownTable } from './markdown.ts';

interface DecisionRecord {
  /** Such as `0007-refresh-token-rotation.md`. */
  readonly file: string;
  readonly text: string;
}

const headings = ['Context', 'Decision', 'Consequences', 'Status'];

/**
 * Renders the index of decision records from the records themselves.
 *
 * @throws Error naming every record that lacks its title or one of its four parts
 */
export function decisionsPage(records: readonly DecisionRecord[]): string {
  const problems = records.flatMap(problemsOf);
  if (problems.length > 0) throw new Error(problems.join('\n'));
  const current = records.map(({ file, text }) => [
    `[${numberOf(file)}](${file})`,
    titleOf(text) ?? '',
    statusOf(text),
  ]);
  const former = records
    .flatMap(({ file, text }) =>
      [...text.matchAll(/^- (\d{4}) (.+?): /gm)].map(([, number = '', title = '']) => [
        number,
        title,
        `[${numberOf(file)}](${file})`,
      ]),
    )
    .toSorted(([one = ''], [other = '']) => one.localeCompare(other));
  return `# Decision records

What was decided, why, and what follows. Each record has four parts: Context, Decision, Consequences, Status.
\`pnpm reference\` writes this index from the records.

To add one, take the next number and a noun phrase as its title. If it replaces or absorbs an older record, delete that
one and name it under Status: \`- 0003 404 hides what belongs to other organizations: merged here.\` Numbers are never
reused.

${markdownTable(['Record', 'Title', 'Status'], current)}
## Former numbers

${markdownTable(['Number', 'Former title', 'Now in'], former)}`;
}

function problemsOf({ file, text }: DecisionRecord): string[] {
  const title = titleOf(text) === undefined ? [`# ${numberOf(file)} Noun phrase`] : [];
  const parts = headings
    .map((heading) => `## ${heading}`)
    .filter((heading) => !text.includes(`\n${heading}\n`));
  return [...title, ...parts].map(
    (line) => `docs/decisions/${file} has no line "${line}". Add it.`,
  );
}

function numberOf(file: string): string {
  return file.slice(0, 4);
}

function titleOf(text: string): string | undefined {
  return /^# \d{4} (.+)$/m.exec(text)?.[1];
}

/** The first sentence of the status, such as `accepted`. */
function statusOf(text: string): string {
  const [, status = ''] = /\n## Status\n\n([^.]+)\./.exec(text) ?? [];
  return status.replaceAll('\n', ' ').toLowerCase();
}
