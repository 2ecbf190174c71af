import { expect, test } from 'vitest';
import { checkConformance } from './index.ts';
import { prettyReport } from './reporters/pretty.ts';
import { startEmbedded } from './testing/embedded.ts';

test('the service on embedded services conforms to the contract', async () => {
  const embedded = await startEmbedded();
  try {
    const report = await checkConformance({
      baseUrl: embedded.url,
      mailApiUrl: embedded.mailUrl,
      signIn: 'google',
    });
    if (process.env["CONF_T"]) { const by = new Map<string, number>(); for (const r of report.results) { const k = r.id.split(":")[0] ?? ""; by.set(k, (by.get(k) ?? 0) + r.durationMs); } console.log([...by].sort((a, b) => b[1] - a[1]).slice(0, 14)); }
    const notRun = report.results.filter(({ outcome }) => outcome === 'not-run');
    expect(notRun).toEqual([]);
    expect(report.hasPassed, prettyReport(report)).toBe(true);
    expect(report.durationMs).toBeLessThan(60_000);
  } finally {
    await embedded.close();
  }
});
