export { checkConformance } from './run.ts';
export type { ConformanceOptions, ConformanceReport } from './run.ts';
export type { CoverageLine, CoverageReport } from './coverage.ts';
export type { CheckResult, Finding, Outcome } from './findings.ts';
export { Unreachable } from './deployment.ts';
