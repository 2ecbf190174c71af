// @module-tag slow

import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parser } from '@prometheus-io/lezer-promql';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { parse } from 'yaml';
import { newUser, somePassword } from '../testing/accounts.ts';
import { call, cloneDatabase, someEmail, testEnvironment } from '../testing/api.ts';
import { endApiProcesses, startApiProcess } from '../testing/api-process.ts';
import { newCollection } from '../testing/library.ts';
import { metricsAddressOf, readMetrics } from '../testing/metrics.ts';
import { openStream } from '../testing/event-streams.ts';
import { startTcpProxy, type TcpProxy } from '../testing/tcp-proxy.ts';

const deploy = join(import.meta.dirname, '../../../../deploy');
const dashboards = globSync('grafana/*.json', { cwd: deploy });

interface Panel {
  readonly id: number;
  readonly title: string;
  readonly targets: readonly { readonly expr: string; readonly refId: string }[];
}

interface Dashboard {
  readonly uid: string;
  readonly panels: readonly Panel[];
  readonly templating: { readonly list: readonly { readonly query: string }[] };
}

interface Rule {
  readonly alert: string;
  readonly expr: string;
  readonly for?: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
}

// Files of this repository, whose shape the tests below look at.
const readDashboard = (file: string) =>
  JSON.parse(readFileSync(join(deploy, file), 'utf8')) as Dashboard;
const { groups } = parse(readFileSync(join(deploy, 'prometheus/alerts.yaml'), 'utf8')) as {
  groups: readonly { readonly rules: readonly Rule[] }[];
};
const rules = groups.flatMap(({ rules: own }) => own);

/** The values that Grafana substitutes for its variables. */
const filledIn = (expr: string) =>
  expr.replaceAll('$__rate_interval', '5m').replaceAll(/\$(job|instance)\b/g, '.*');

interface Usage {
  readonly metric: string;
  readonly labels: readonly string[];
}

/** Metrics of an expression with the labels that select each, and the labels of any grouping. */
function usageOf(expr: string): { picked: Usage[]; grouped: string[] } {
  const tree = parser.parse(expr);
  const picked: Usage[] = [];
  const grouped: string[] = [];
  tree.iterate({
    enter({ type, from, to, node }) {
      if (type.isError) throw new Error(`Not PromQL near ${from}: ${expr}`);
      if (type.name === 'VectorSelector') {
        const metric = node.getChild('Identifier');
        if (!metric) throw new Error(`A selector without a metric: ${expr}`);
        const matchers = node.getChild('LabelMatchers');
        const labels = [
          ...(matchers ? expr.slice(matchers.from, matchers.to) : '').matchAll(
            /(\w+)\s*(?:=~|!~|!=|=)/g,
          ),
        ].map(([, label = '']) => label);
        picked.push({ metric: expr.slice(metric.from, metric.to), labels });
      }
      if (type.name === 'GroupingLabels') {
        grouped.push(...(expr.slice(from, to).match(/\w+/g) ?? []));
      }
    },
  });
  return { picked, grouped };
}

/** Prometheus adds these to every series that it reads. */
const ofPrometheus = ['job', 'instance'];

/** Names of metrics, each with the labels of all its series. */
const known = new Map<string, Set<string>>();
const proxies: TcpProxy[] = [];

async function proxied(url: string): Promise<{ proxy: TcpProxy; url: string }> {
  const address = new URL(url);
  const proxy = await startTcpProxy(Number(address.port));
  proxies.push(proxy);
  address.hostname = '127.0.0.1';
  address.port = String(proxy.port);
  return { proxy, url: address.href.replace(/\/$/, '') };
}

beforeAll(async () => {
  const environment = testEnvironment(await cloneDatabase());
  const database = await proxied(String(environment['DATABASE_URL']));
  const storage = await proxied(String(environment['S3_ENDPOINT']));
  const mail = await proxied(String(environment['SMTP_URL']));
  const api = await startApiProcess({
    ...environment,
    DATABASE_URL: database.url,
    S3_ENDPOINT: storage.url,
    SMTP_URL: mail.url,
    METRICS_PORT: '0',
  });
  // One event of every kind, so that every series exists.
  const user = await newUser(api);
  await newCollection(api, user);
  const stream = await openStream(api, { token: user.token });
  mail.proxy.cut();
  await call(api, 'auth.register', { body: { email: someEmail(), password: somePassword } });
  const address = metricsAddressOf(api);
  const failedRun = /atelier_job_duration_seconds_count\{[^}]*error_type=/;
  const soon = { timeout: 20_000 };
  await vi.waitFor(async () => expect((await readMetrics(address)).text).toMatch(failedRun), soon);
  storage.proxy.cut();
  await call(api, 'health.ready');
  storage.proxy.restore();
  database.proxy.cut();
  // Readiness has a connection of its own, whose statements aren't counted.
  await call(api, 'collections.list', { token: user.token });
  database.proxy.restore();
  await vi.waitFor(async () => expect((await call(api, 'health.ready')).status).toBe(200), soon);
  const { samples } = await readMetrics(address);
  for (const { name, labels } of samples) {
    const all = known.get(name) ?? new Set(ofPrometheus);
    for (const label of Object.keys(labels)) all.add(label);
    known.set(name, all);
  }
  stream.leave();
});
afterAll(async () => {
  await endApiProcesses();
  await Promise.all(proxies.map((proxy) => proxy.close()));
});

/** Returns the metrics and labels of an expression that the service lacks. */
function missingIn(expr: string): string[] {
  const { picked, grouped } = usageOf(filledIn(expr));
  if (picked.length === 0) return ['it asks for no metric'];
  return picked.flatMap(({ metric, labels }) => {
    const has = known.get(metric);
    if (!has) return [`there is no metric ${metric}`];
    return [...labels, ...grouped]
      .filter((label) => !has.has(label))
      .map((label) => `${metric} has no label ${label}`);
  });
}

test('dashboards and rules exist', () => {
  expect(dashboards.length).toBeGreaterThanOrEqual(3);
  expect(rules.length).toBeGreaterThanOrEqual(5);
});

test('the check finds errors', () => {
  expect(missingIn('sum(rate(no_such_metric[5m]))')).toEqual(['there is no metric no_such_metric']);
  const unlabelled = ['process_uptime_seconds has no label colour'];
  expect(missingIn('process_uptime_seconds{colour="red"}')).toEqual(unlabelled);
  expect(missingIn('sum by (colour) (process_uptime_seconds)')).toEqual(unlabelled);
  expect(missingIn('vector(1)')).toEqual(['it asks for no metric']);
  expect(() => missingIn('sum(rate(process_uptime_seconds[5m])')).toThrow('Not PromQL');
});

describe.each(dashboards)('%s', (file) => {
  const dashboard = readDashboard(file);

  const queries = dashboard.panels.flatMap(({ title, targets }) =>
    targets.map(({ expr }, index) => [`${title} (${index + 1})`, expr] as const),
  );
  test.each(queries)('uses only existing metrics: %s', (_, expr) => {
    expect(missingIn(expr)).toEqual([]);
  });

  test('fills its variables from existing metrics', () => {
    const requested = dashboard.templating.list.flatMap(
      ({ query }) => /^label_values\((\w+)/.exec(query)?.[1] ?? [],
    );
    expect([...known.keys()]).toEqual(expect.arrayContaining(requested));
  });

  test('has panels with unique ids and names, and a unique URL', () => {
    const ids = dashboard.panels.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    const uids = dashboards.map((other) => readDashboard(other).uid);
    expect(uids.filter((uid) => uid === dashboard.uid)).toHaveLength(1);
  });
});

describe('alerts', () => {
  test.each(rules.map(({ alert, expr }) => [alert, expr] as const))(
    '%s asks only for what the service has',
    (_, expr) => expect(missingIn(expr)).toEqual([]),
  );

  test('have a severity, a description and a unique name', () => {
    expect(new Set(rules.map(({ alert }) => alert)).size).toBe(rules.length);
    for (const { labels, annotations, for: since = '0m' } of rules) {
      expect(['page', 'warn']).toContain(labels['severity']);
      expect(annotations['summary']).toMatch(/\w/);
      expect(since).toMatch(/^\d+[ms]$/);
    }
  });
});
