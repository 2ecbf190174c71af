import type { ApiProcess } from './api-process.ts';

export interface Sample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** Returns the metrics URL from the output of a process with a `METRICS_PORT`. */
export function metricsAddressOf(api: ApiProcess): string {
  const address = /metrics at (http:\/\/[^"]+)/.exec(api.output())?.[1];
  if (address === undefined) throw new Error(`No address of metrics: ${api.output()}`);
  return address;
}

/** Reads metrics like Prometheus. */
export async function readMetrics(
  address: string,
): Promise<{ text: string; samples: readonly Sample[] }> {
  const response = await fetch(address);
  const text = await response.text();
  if (!response.ok) throw new Error(`${response.status}: ${text}`);
  const samples = text
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => sampleOf(line));
  return { text, samples };
}

function sampleOf(line: string): Sample {
  const parts = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? (\S+)$/.exec(line);
  if (!parts) throw new Error(`Not a sample: ${line}`);
  const [, name = '', labels = '', value = ''] = parts;
  return {
    name,
    labels: Object.fromEntries(
      [...labels.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)].map(([, label = '', text = '']) => [
        label,
        text,
      ]),
    ),
    value: Number(value),
  };
}
