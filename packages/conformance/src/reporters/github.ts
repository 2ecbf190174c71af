import type { ConformanceReport } from '../run.ts';

/** Prints GitHub workflow commands: an error for each finding. */
export function githubReport({ results, baseUrl }: ConformanceReport): string {
  const failed = results.filter(({ outcome }) => outcome === 'failed');
  const findings = failed.flatMap(({ id, findings }) =>
    findings.map(({ rule, request, expected, actual }) =>
      annotation('error', `${id} (${rule})`, `${request}\nexpected ${expected}\nactual ${actual}`),
    ),
  );
  const passed = results.filter(({ outcome }) => outcome === 'passed').length;
  const totals = `${passed} of ${results.length} checks passed, ${failed.length} failed`;
  return [...findings, annotation('notice', `Conformance of ${baseUrl}`, totals)].join('\n');
}

function annotation(level: 'error' | 'notice', title: string, message: string): string {
  const escapedTitle = escaped(title).replaceAll(':', '%3A').replaceAll(',', '%2C');
  return `::${level} title=${escapedTitle}::${escaped(message)}`;
}

function escaped(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}
