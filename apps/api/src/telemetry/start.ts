import type { Config } from '../config.ts';
import type { Telemetry } from '../ports/telemetry.ts';

/**
 * Starts traces and metrics where the configuration asks for them. Otherwise nothing of OpenTelemetry is
 * even loaded. What is not in the configuration is read from the process's `OTEL_…` variables by the SDK.
 *
 * @returns null when neither a collector nor a metrics port is named
 * @see docs/decisions/0038-telemetry.md
 */
export async function startTelemetry(config: Config): Promise<Telemetry | null> {
  const isAskedFor =
    config.METRICS_PORT !== undefined ||
    config.OTEL_EXPORTER_OTLP_ENDPOINT !== undefined ||
    config.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT !== undefined ||
    config.OTEL_EXPORTER_OTLP_METRICS_ENDPOINT !== undefined;
  if (!isAskedFor || config.OTEL_SDK_DISABLED) return null;
  const { startSdk } = await import('./sdk.ts');
  return startSdk(config);
}
