import type { Config } from '../config.ts';
import type { Telemetry } from '../ports/telemetry.ts';

/**
 * Starts traces and metrics if they are configured. Otherwise OpenTelemetry is not
 * even loaded. The SDK reads all other settings from the process's `OTEL_…` variables.
 *
 * @returns null if neither a collector nor a metrics port is configured
 * @see docs/decisions/0038-telemetry.md
 */
export async function startTelemetry(config: Config): Promise<Telemetry | null> {
  const isRequested =
    config.METRICS_PORT !== undefined ||
    config.OTEL_EXPORTER_OTLP_ENDPOINT !== undefined ||
    config.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT !== undefined ||
    config.OTEL_EXPORTER_OTLP_METRICS_ENDPOINT !== undefined;
  if (!isRequested || config.OTEL_SDK_DISABLED) return null;
  const { startSdk } = await import('./sdk.ts');
  return startSdk(config);
}
